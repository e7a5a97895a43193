// purpose: Meaning that no alignment matched with anything, although its reading was aligned.
// parameter: sign = "" — only this prompt or artifact, by id or words of its title
// parameter: condition = blind — blind or given readings; the two never pool
// columns: sign, label, object, interpretant, alignments, node
// example: semiosis query never-aligned
MATCH (s:Sign)-[:READ_AS]->(h:HSG)<-[:FROM|TO]-(al:Alignment)
WHERE al.condition = $condition AND (s.id = $sign OR toLower(s.heading) CONTAINS toLower($sign))
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
OPTIONAL MATCH (n)-[r:REALIZED_AS {key: al.id}]-(:Semiosis)
WITH s, n, count(al) AS alignments, count(r) AS matches
WHERE matches = 0
RETURN CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, n.label AS label, n.object AS object,
       n.interpretant AS interpretant, alignments AS alignments, n.id AS node
ORDER BY sign, node
