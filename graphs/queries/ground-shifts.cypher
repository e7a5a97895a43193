// purpose: The matches with the largest ground shift from prompt to artifact.
// parameter: prompt = "" — only this prompt, by id or by words of its title or text
// parameter: generator = "" — only artifacts by this generator
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: top = 20 — the number of rows
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: shift, iconic, indexical, symbolic, meant, realised_as, p, artifact, source, target, alignment
// example: semiosis query ground-shifts --top 10
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(a:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND al.condition = $condition AND p.id <> a.id
  AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt) OR toLower(p.text) CONTAINS toLower($prompt))
  AND toLower(a.generator) CONTAINS toLower($generator)
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)-[r:REALIZED_AS]->(m:Semiosis)
WHERE r.key = al.id AND r.fate IN ['kept', 'weakened', 'split', 'merged']
RETURN round(r.ground_shift, 4) AS shift, round(m.iconic - n.iconic, 4) AS iconic,
       round(m.indexical - n.indexical, 4) AS indexical, round(m.symbolic - n.symbolic, 4) AS symbolic,
       n.object AS meant, m.object AS realised_as, r.p AS p,
       CASE WHEN a.heading = '' THEN a.id ELSE a.heading END AS artifact,
       n.id AS source, m.id AS target, al.id AS alignment
ORDER BY shift DESC, source, target, alignment
LIMIT toInteger($top)
