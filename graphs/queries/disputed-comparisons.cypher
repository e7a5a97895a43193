// purpose: Comparisons on which verdicts disagree: how many chose a, b or a tie, or were unscored.
// parameter: prompt = "" — only this prompt, by id or by words of its title or text
// parameter: kind = "" — only verdicts of a person, a model or a program
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: prompt, a, b, for_a, for_b, ties, unscored, comparison
// example: semiosis query disputed-comparisons --kind person
MATCH (e:Evaluator)<-[:BY]-(v:Verdict)-[:ON]->(c:Comparison)-[:OF {key: 'prompt'}]->(p:Sign)
WHERE ($study = '' OR COUNT { MATCH (c)-[:OF]->(:Sign)<-[:INCLUDES]-(:Study {id: $study}) } = 3)
  AND ($kind = '' OR e.kind = $kind) AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt) OR toLower(p.text) CONTAINS toLower($prompt))
WITH c.id AS comparison, CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt,
     sum(CASE WHEN v.winner = 'a' THEN 1 ELSE 0 END) AS for_a,
     sum(CASE WHEN v.winner = 'b' THEN 1 ELSE 0 END) AS for_b,
     sum(CASE WHEN v.winner = 'tie' THEN 1 ELSE 0 END) AS ties,
     sum(CASE WHEN v.winner IS NULL THEN 1 ELSE 0 END) AS unscored
WHERE for_a > 0 AND for_b > 0
MATCH (c:Comparison {id: comparison})-[:OF {key: 'a'}]->(a:Sign)
MATCH (c)-[:OF {key: 'b'}]->(b:Sign)
RETURN prompt AS prompt,
       CASE WHEN a.heading = '' THEN a.id ELSE a.heading END AS a,
       CASE WHEN b.heading = '' THEN b.id ELSE b.heading END AS b,
       for_a AS for_a, for_b AS for_b, ties AS ties, unscored AS unscored, comparison AS comparison
ORDER BY prompt, comparison
