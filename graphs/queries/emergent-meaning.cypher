// purpose: What an artifact says that its prompt did not mean.
// parameter: artifact — the artifact, by id or title
// parameter: condition = blind — blind or given readings; the two never pool
// columns: added, interpretant, label, grounding, prompt, node, alignment
// example: semiosis query emergent-meaning --artifact annunciation-1
MATCH (p:Sign)-[:READ_AS]->(:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(a:Sign)
WHERE (a.id = $artifact OR a.heading = $artifact) AND al.condition = $condition
MATCH (al)-[:EMERGENT]->(n:Semiosis)
RETURN n.object AS added, n.interpretant AS interpretant, n.label AS label, n.grounding AS grounding,
       CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt, n.id AS node, al.id AS alignment
ORDER BY added, node, alignment
