// purpose: Nodes whose claimed place in the sign does not resolve.
// parameter: reader = "" — only readings by this interpreter, by id or part of the name
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: sign, label, object, claimed, reader, condition, node
// example: semiosis query unlocated
MATCH (s:Sign)-[:READ_AS]->(h:HSG)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
  AND n.location = 'unlocated' AND coalesce(n.sources, 0) = 0
MATCH (h)-[:READ_BY]->(i:Interpreter)
WHERE i.id = $reader OR toLower(i.who) CONTAINS toLower($reader)
RETURN CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, n.label AS label, n.object AS object,
       n.claimed AS claimed, i.who AS reader, CASE WHEN h.blind THEN 'blind' ELSE 'given' END AS condition,
       n.id AS node
ORDER BY sign, node
