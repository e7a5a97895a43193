// purpose: Where two readers of one sign disagree: nodes that only one has, the same place with another object, other grounds.
// parameter: sign = "" — only this sign, by id or by words of its title or text
// parameter: difference = 0.2 — the mean difference of the three grounds that counts as disagreement
// parameter: overlap = 0.5 — the overlap (intersection over union) of two boxes or two spans that counts as the same place
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
MATCH (g)-[:HAS_ROOT|HAS_NODE]->(m:Semiosis)
// what an alignment of the two readings states, by an embedder, a model or a person, in either direction
OPTIONAL MATCH (n)-[r:REALIZED_AS]-(m)
WITH s, h, g, i, j, n, m, collect(r.fate) AS fates
OPTIONAL MATCH (n)-[a:LOCATED_IN]->(p:Sign)
OPTIONAL MATCH (m)-[b:LOCATED_IN]->(p)
WITH s, h, g, i, j, n, m, fates,
     CASE WHEN a.x1 < b.x1 THEN a.x1 ELSE b.x1 END - CASE WHEN a.x0 > b.x0 THEN a.x0 ELSE b.x0 END AS w,
     CASE WHEN a.y1 < b.y1 THEN a.y1 ELSE b.y1 END - CASE WHEN a.y0 > b.y0 THEN a.y0 ELSE b.y0 END AS t,
     (a.x1 - a.x0) * (a.y1 - a.y0) + (b.x1 - b.x0) * (b.y1 - b.y0) AS areas,
     CASE WHEN a.`end` < b.`end` THEN a.`end` ELSE b.`end` END - CASE WHEN a.start > b.start THEN a.start ELSE b.start END AS c,
     a.`end` - a.start + b.`end` - b.start AS lengths
WITH s, h, g, i, j, n, m, fates,
     max(CASE WHEN w > 0 AND t > 0 THEN w * t / (areas - w * t) WHEN c > 0 THEN 1.0 * c / (lengths - c) ELSE 0.0 END) AS overlap
WITH s, h, g, i, j, n, m,
     toLower(m.object) = toLower(n.object) OR (toLower(m.label) = toLower(n.label) AND overlap < $overlap)
       OR any(fate IN fates WHERE fate IN ['kept', 'weakened', 'split', 'merged']) AS shared,
     overlap >= $overlap OR any(fate IN fates WHERE fate IN ['resignified', 'reversed']) AS together,
     round((abs(m.iconic - n.iconic) + abs(m.indexical - n.indexical) + abs(m.symbolic - n.symbolic)) / 3.0, 4) AS moved
WITH s, h, g, i, j, n, sum(CASE WHEN shared OR together THEN 1 ELSE 0 END) AS counterparts,
     collect(CASE WHEN h.id < g.id AND together AND NOT shared THEN ['other object', m.id, m.object]
                  WHEN h.id < g.id AND shared AND moved >= $difference THEN ['other grounds', m.id, m.object] END) AS found,
     collect(CASE WHEN h.id < g.id AND shared AND moved >= $difference THEN [m.id, moved] END) AS moves
UNWIND CASE WHEN counterparts = 0 THEN [['only one reader', g.id, '']] ELSE found END AS row
RETURN CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, row[0] AS disagreement,
       [move IN moves WHERE row[0] = 'other grounds' AND move[0] = row[1] | move[1]][0] AS difference,
       i.who AS reader, n.label AS label, n.object AS object, j.who AS other_reader, row[2] AS other_object,
       n.id AS node, row[1] AS other
ORDER BY sign, disagreement, node, other
