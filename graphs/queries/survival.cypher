// purpose: How often each meaning of a prompt survives: in how many alignments it was realised, in how many lost.
// parameter: prompt = "" — only this prompt, by id or words of its title
// parameter: condition = blind — blind or given readings; the two never pool
// columns: prompt, meant, label, realised, lost, share, method, node
// example: semiosis query survival --prompt annunciation
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)
WHERE al.condition = $condition AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt))
WITH h.id AS hsg, al.method + ', ' + al.embedder + ', ' + al.weights AS method, collect(al.id) AS alignments
MATCH (h:HSG {id: hsg})<-[:READ_AS]-(p:Sign)
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
WITH CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt, n.object AS meant, n.label AS label,
     size(alignments) AS aligned, method, n.id AS node,
     COUNT { MATCH (n)<-[:LOST]-(al:Alignment) WHERE al.id IN alignments } AS lost
RETURN prompt AS prompt, meant AS meant, label AS label, aligned - lost AS realised, lost AS lost,
       round(1.0 * (aligned - lost) / aligned, 4) AS share, method AS method, node AS node
ORDER BY prompt, share, node, method
