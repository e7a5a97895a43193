// purpose: Observations without a value: who could not be scored, how often, and why.
// columns: observation, evaluator, reason, times
// example: semiosis query unscored
MATCH (o:Verdict|Rating|Answer|Score)-[:BY]->(e:Evaluator)
WHERE o.unscored IS NOT NULL
RETURN CASE WHEN o:Verdict THEN 'Verdict' WHEN o:Rating THEN 'Rating' WHEN o:Answer THEN 'Answer' ELSE 'Score' END
       AS observation, e.who AS evaluator, o.unscored AS reason, count(o) AS times
ORDER BY observation, evaluator, reason
