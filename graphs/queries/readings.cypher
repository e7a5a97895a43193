// purpose: Every reading of a sign: who read it, whether blind, how deep, and how many of its nodes have a place.
// parameter: sign = "" — only this sign, by id or words of its title
// columns: sign, reader, kind, condition, detail, repeat, nodes, localizable, ungrounded, hsg
// example: semiosis query readings --sign annunciation
MATCH (s:Sign)-[:READ_AS]->(h:HSG)-[:READ_BY]->(i:Interpreter)
WHERE s.id = $sign OR toLower(s.heading) CONTAINS toLower($sign)
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
RETURN CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, i.who AS reader, i.kind AS kind,
       CASE WHEN h.blind THEN 'blind' ELSE 'given' END AS condition, h.detail AS detail, h.repeat AS repeat,
       count(n) AS nodes, sum(CASE WHEN n.grounding = 'localizable' THEN 1 ELSE 0 END) AS localizable,
       sum(CASE WHEN n.grounding = 'ungrounded' THEN 1 ELSE 0 END) AS ungrounded, h.id AS hsg
ORDER BY sign, reader, condition, hsg
