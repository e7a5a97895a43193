// purpose: Observations without a value: who could not be scored, how often, and why.
// columns: observation, evaluator, reason, times
// example: semiosis query unscored
MATCH (o)-[:BY]->(e:Evaluator)
WHERE o.unscored IS NOT NULL
RETURN labels(o)[0] AS observation, e.who AS evaluator, o.unscored AS reason, count(o) AS times
ORDER BY observation, evaluator, reason
