// purpose: The meanings of a prompt that share a node of an artifact with another meaning.
// parameter: prompt = "" — only this prompt, by id or by words of its title or text
// parameter: generator = "" — only artifacts by this generator
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: prompt, meant, together_with, seen_as, why, p, artifact, generator, aligned_by, source, other, target, alignment
// example: semiosis query merged-meaning --prompt elephant
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(a:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND p.id <> a.id AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt) OR toLower(p.text) CONTAINS toLower($prompt))
  AND al.condition = $condition
  AND toLower(a.generator) CONTAINS toLower($generator)
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)-[r:REALIZED_AS]->(m:Semiosis)
WHERE r.key = al.id AND r.fate = 'merged'
MATCH (m)<-[q:REALIZED_AS]-(o:Semiosis)
WHERE q.key = al.id AND o.id <> n.id AND q.fate IN ['kept', 'weakened', 'split']
RETURN CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt, n.object AS meant,
       o.object AS together_with, m.object AS seen_as, r.why AS why, r.p AS p,
       CASE WHEN a.heading = '' THEN a.id ELSE a.heading END AS artifact, a.generator AS generator,
       al.aligned_by AS aligned_by, n.id AS source, o.id AS other, m.id AS target, al.id AS alignment
ORDER BY prompt, artifact, source, other, alignment
