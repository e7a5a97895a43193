// purpose: The labels that occur in the same readings as nodes that contain a word.
// parameter: word — the word, in upper or lower case
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: top = 20 — the number of rows
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: companion, readings, signs
// example: semiosis query companions --word lily
MATCH (s:Sign)-[:READ_AS]->(h:HSG)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
  AND CASE WHEN h.blind THEN 'blind' ELSE 'given' END = $condition
  AND coalesce(n.sources, 0) = 0
  AND (toLower(n.label) CONTAINS toLower($word) OR toLower(n.object) CONTAINS toLower($word))
WITH DISTINCT h.id AS hsg
MATCH (h:HSG {id: hsg})-[:HAS_ROOT|HAS_NODE]->(m:Semiosis)
WHERE NOT toLower(m.label) CONTAINS toLower($word) AND NOT toLower(m.object) CONTAINS toLower($word)
MATCH (h)<-[:READ_AS]-(s:Sign)
RETURN toLower(m.label) AS companion, count(DISTINCT h.id) AS readings, count(DISTINCT s.id) AS signs
ORDER BY readings DESC, signs DESC, companion
LIMIT toInteger($top)
