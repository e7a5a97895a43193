// purpose: Nodes whose sign (what is perceived) recurs, in an artifact or in another reading of one sign, but stands for something else or for the opposite.
// parameter: prompt = "" — only this prompt, by id or by words of its title or text
// parameter: generator = "" — only artifacts by this generator
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: prompt, label, meant, fate, stands_for, why, p, artifact, generator, reader, other_reader, aligned_by, source, target, alignment
// example: semiosis query changed-meaning --prompt annunciation
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(g:HSG)<-[:READ_AS]-(a:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt) OR toLower(p.text) CONTAINS toLower($prompt))
  AND al.condition = $condition
  AND toLower(a.generator) CONTAINS toLower($generator)
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)-[r:REALIZED_AS]->(m:Semiosis)
MATCH (h)-[:READ_BY]->(i:Interpreter)
MATCH (g)-[:READ_BY]->(j:Interpreter)
WHERE r.key = al.id AND r.fate IN ['resignified', 'reversed']
RETURN CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt, n.label AS label, n.object AS meant,
       r.fate AS fate, m.object AS stands_for, r.why AS why, r.p AS p,
       CASE WHEN a.heading = '' THEN a.id ELSE a.heading END AS artifact, a.generator AS generator,
       i.who AS reader, j.who AS other_reader, al.aligned_by AS aligned_by, n.id AS source, m.id AS target, al.id AS alignment
ORDER BY prompt, artifact, fate, source, alignment
