// purpose: The meanings of a prompt that an artifact realises, and the nodes that realise them.
// parameter: prompt — the prompt, by id or by words of its title or text
// parameter: generator = "" — only artifacts by this generator
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: prompt, meant, realised_as, fate, p, artifact, generator, source, target, alignment
// example: semiosis query realised-meaning --prompt annunciation
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(a:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND p.id <> a.id AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt) OR toLower(p.text) CONTAINS toLower($prompt))
  AND al.condition = $condition
  AND toLower(a.generator) CONTAINS toLower($generator)
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)-[r:REALIZED_AS]->(m:Semiosis)
WHERE r.key = al.id AND r.fate IN ['kept', 'weakened', 'split', 'merged']
RETURN CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt,
       n.object AS meant, m.object AS realised_as, r.fate AS fate, r.p AS p,
       CASE WHEN a.heading = '' THEN a.id ELSE a.heading END AS artifact, a.generator AS generator,
       n.id AS source, m.id AS target, al.id AS alignment
ORDER BY prompt, artifact, p DESC, source, target, alignment
