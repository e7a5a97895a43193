// purpose: The nodes of a consensus (semiosis consensus) that only one reader has.
// parameter: sign = "" — only this sign, by id or by words of its title or text
// parameter: condition = blind — a consensus of blind or of given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: sign, label, object, interpretant, reader, kind, readers, share, node, source
// example: semiosis query only-one-reader --sign annunciation
MATCH (s:Sign)-[:READ_AS]->(c:HSG)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)-[:MERGES]->(m:Semiosis)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
  AND (s.id = $sign OR toLower(s.heading) CONTAINS toLower($sign) OR toLower(s.text) CONTAINS toLower($sign))
  AND CASE WHEN c.blind THEN 'blind' ELSE 'given' END = $condition
WITH s, c, n, collect(m.id) AS sources
WHERE size(sources) = 1
MATCH (c)-[:GIVEN]->(g:HSG)
WITH s, n, sources[0] AS source, count(DISTINCT g.id) AS readers
WHERE readers > 1
MATCH (m:Semiosis {id: source})<-[:HAS_ROOT|HAS_NODE]-(:HSG)-[:READ_BY]->(i:Interpreter)
RETURN CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, n.label AS label, n.object AS object,
       n.interpretant AS interpretant, i.who AS reader, i.kind AS kind, readers AS readers,
       round(n.share, 4) AS share, n.id AS node, source AS source
ORDER BY sign, reader, node
