// purpose: How often each meaning of a prompt survives: in how many alignments it was realised, in how many lost.
// parameter: prompt = "" — only this prompt, by id or words of its title
// parameter: condition = blind — blind or given readings; the two never pool
// columns: prompt, meant, label, realised, lost, share, method, node
// example: semiosis query survival --prompt annunciation
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)
WHERE al.condition = $condition AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt))
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
OPTIONAL MATCH (al)-[x:LOST]->(n)
WITH p, n, al.method + ', ' + al.embedder + ', ' + al.weights AS method, count(al) AS aligned, count(x) AS lost
RETURN CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt, n.object AS meant, n.label AS label,
       aligned - lost AS realised, lost AS lost, round(1.0 * (aligned - lost) / aligned, 4) AS share,
       method AS method, n.id AS node
ORDER BY prompt, share, node, method
