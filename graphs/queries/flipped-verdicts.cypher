// purpose: Verdicts of one evaluator that chose opposite artifacts in the two orders.
// parameter: evaluator = "" — only this evaluator
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: evaluator, prompt, a, b, repeat, shown_ab, shown_ba, comparison, verdict_ab, verdict_ba
// example: semiosis query flipped-verdicts
MATCH (e:Evaluator)<-[:BY]-(v:Verdict)-[:ON]->(c:Comparison)<-[:ON]-(w:Verdict)-[:BY]->(f:Evaluator)
WHERE ($study = '' OR COUNT { MATCH (c)-[:OF]->(:Sign)<-[:INCLUDES]-(:Study {id: $study}) } = 3)
  AND e.id = f.id AND (e.id = $evaluator OR toLower(e.who) CONTAINS toLower($evaluator))
  AND v.shown = 'ab' AND w.shown = 'ba' AND v.repeat = w.repeat
  AND ((v.winner = 'a' AND w.winner = 'b') OR (v.winner = 'b' AND w.winner = 'a'))
MATCH (c)-[:OF {key: 'prompt'}]->(p:Sign)
MATCH (c)-[:OF {key: 'a'}]->(a:Sign)
MATCH (c)-[:OF {key: 'b'}]->(b:Sign)
RETURN e.who AS evaluator, CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt,
       CASE WHEN a.heading = '' THEN a.id ELSE a.heading END AS a,
       CASE WHEN b.heading = '' THEN b.id ELSE b.heading END AS b,
       v.repeat AS repeat, v.winner AS shown_ab, w.winner AS shown_ba,
       c.id AS comparison, v.id AS verdict_ab, w.id AS verdict_ba
ORDER BY evaluator, comparison, repeat, verdict_ab, verdict_ba
