// purpose: The meanings of a prompt that an artifact does not realise, by reader and aligner, which are not to be pooled.
// parameter: prompt — the prompt, by id or by words of its title or text
// parameter: generator = "" — only artifacts by this generator
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: prompt, meant, interpretant, symbolic, artifact, generator, label, why, reader, aligned_by, node, alignment
// example: semiosis query lost-intent --prompt annunciation
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(a:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND p.id <> a.id AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt) OR toLower(p.text) CONTAINS toLower($prompt))
  AND al.condition = $condition
  AND toLower(a.generator) CONTAINS toLower($generator)
MATCH (al)-[l:LOST]->(n:Semiosis)
MATCH (h)-[:READ_BY]->(i:Interpreter)
RETURN CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt,
       n.object AS meant, n.interpretant AS interpretant, n.symbolic AS symbolic,
       CASE WHEN a.heading = '' THEN a.id ELSE a.heading END AS artifact, a.generator AS generator,
       n.label AS label, l.why AS why, i.who AS reader, al.aligned_by AS aligned_by, n.id AS node, al.id AS alignment
ORDER BY prompt, artifact, meant, node, alignment
