// purpose: Every reading of a sign: reader, condition, level of detail, and the number of nodes with a place.
// parameter: sign = "" — only this sign, by id or by words of its title or text
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: sign, reader, kind, condition, detail, repeat, nodes, located, unlocated, hsg
// example: semiosis query readings --sign annunciation
MATCH (s:Sign)-[:READ_AS]->(h:HSG)-[:READ_BY]->(i:Interpreter)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
  AND (s.id = $sign OR toLower(s.heading) CONTAINS toLower($sign) OR toLower(s.text) CONTAINS toLower($sign))
RETURN CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, i.who AS reader, i.kind AS kind,
       CASE WHEN h.blind THEN 'blind' ELSE 'given' END AS condition, h.detail AS detail, h.repeat AS repeat,
       COUNT { MATCH (h)-[:HAS_ROOT|HAS_NODE]->(:Semiosis) } AS nodes,
       COUNT { MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis) WHERE n.location = 'located' } AS located,
       COUNT { MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis) WHERE n.location = 'unlocated' } AS unlocated,
       h.id AS hsg
ORDER BY sign, reader, condition, hsg
