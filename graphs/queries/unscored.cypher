// purpose: Observations without a value: the evaluator, the reason and how often.
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: observation, evaluator, reason, times
// example: semiosis query unscored
MATCH (o:Verdict|Rating|Answer|Score)-[:BY]->(e:Evaluator)
WHERE o.unscored IS NOT NULL
  AND ($study = ''
    OR COUNT { MATCH (o)-[:ON]->(:Comparison)-[:OF]->(:Sign)<-[:INCLUDES]-(:Study {id: $study}) } = 3
    OR EXISTS { MATCH (o)-[r:ABOUT]->(:Sign)<-[:INCLUDES]-(:Study {id: $study}) WHERE coalesce(r.key, '') <> 'prompt' }
    OR EXISTS { MATCH (o)-[:ABOUT]->(:Question)-[:ABOUT]->(:Sign)<-[:INCLUDES]-(:Study {id: $study}) }
    OR EXISTS { MATCH (o)-[:ABOUT]->(:Semiosis)<-[:HAS_ROOT|HAS_NODE]-(:HSG)<-[:READ_AS]-(:Sign)<-[:INCLUDES]-(:Study {id: $study}) }
    OR COUNT { MATCH (o)-[:ABOUT]->(:Verdict)-[:ON]->(:Comparison)-[:OF]->(:Sign)<-[:INCLUDES]-(:Study {id: $study}) } = 3)
RETURN CASE WHEN o:Verdict THEN 'Verdict' WHEN o:Rating THEN 'Rating' WHEN o:Answer THEN 'Answer' ELSE 'Score' END
       AS observation, e.who AS evaluator, o.unscored AS reason, count(o) AS times
ORDER BY observation, evaluator, reason
