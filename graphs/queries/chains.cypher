// purpose: Nodes whose sign is the interpretant of another node, so that meanings form a chain.
// parameter: sign = "" — only this sign, by id or by words of its title or text
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: sign, label, object, interpretant, taken_up_from, first_object, links, reader, node
// example: semiosis query chains
MATCH (s:Sign)-[:READ_AS]->(h:HSG)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
  AND (s.id = $sign OR toLower(s.heading) CONTAINS toLower($sign) OR toLower(s.text) CONTAINS toLower($sign))
  AND CASE WHEN h.blind THEN 'blind' ELSE 'given' END = $condition
  AND coalesce(n.sources, 0) = 0
MATCH path = (n)-[:TAKES_UP*1..10]->(f:Semiosis)
WHERE NOT EXISTS { MATCH (f)-[:TAKES_UP]->(:Semiosis) }
MATCH (n)-[:TAKES_UP]->(b:Semiosis)
MATCH (h)-[:READ_BY]->(i:Interpreter)
RETURN CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, n.label AS label, n.object AS object,
       n.interpretant AS interpretant, b.label AS taken_up_from, f.object AS first_object, length(path) AS links,
       i.who AS reader, n.id AS node
ORDER BY sign, node
