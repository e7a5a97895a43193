// purpose: Where two readers of one sign disagree: nodes that only one has, and shared nodes with different grounds.
// parameter: sign = "" — only this sign, by id or by words of its title or text
// parameter: difference = 0.2 — the mean difference of the three grounds that counts as disagreement
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: sign, disagreement, difference, reader, label, object, other_reader, other_object, node, other
// example: semiosis query readers-disagree --sign annunciation
MATCH (i:Interpreter)<-[:READ_BY]-(h:HSG)<-[:READ_AS]-(s:Sign)-[:READ_AS]->(g:HSG)-[:READ_BY]->(j:Interpreter)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
  AND i.id <> j.id AND i.kind <> 'program' AND j.kind <> 'program'
  AND (s.id = $sign OR toLower(s.heading) CONTAINS toLower($sign) OR toLower(s.text) CONTAINS toLower($sign))
  AND CASE WHEN h.blind THEN 'blind' ELSE 'given' END = $condition
  AND CASE WHEN g.blind THEN 'blind' ELSE 'given' END = $condition
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
OPTIONAL MATCH (g)-[:HAS_ROOT|HAS_NODE]->(m:Semiosis)
WHERE toLower(m.label) = toLower(n.label) OR toLower(m.object) = toLower(n.object)
WITH s, h, g, i, j, n, m, round((abs(m.iconic - n.iconic) + abs(m.indexical - n.indexical)
     + abs(m.symbolic - n.symbolic)) / 3.0, 4) AS moved
WHERE m.id IS NULL OR (h.id < g.id AND moved >= $difference)
RETURN CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign,
       CASE WHEN m.id IS NULL THEN 'only one reader' ELSE 'other grounds' END AS disagreement,
       moved AS difference, i.who AS reader, n.label AS label, n.object AS object, j.who AS other_reader,
       coalesce(m.object, '') AS other_object, n.id AS node, coalesce(m.id, g.id) AS other
ORDER BY sign, disagreement, node, other
