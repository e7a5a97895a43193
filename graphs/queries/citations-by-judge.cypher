// purpose: The number of citations in each evaluator's verdicts, and how many of them name no existing node.
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: evaluator, kind, verdicts, unscored, citations, dropped
// example: semiosis query citations-by-judge
MATCH (e:Evaluator)<-[:BY]-(v:Verdict)
WHERE ($study = '' OR COUNT { MATCH (v)-[:ON]->(:Comparison)-[:OF]->(:Sign)<-[:INCLUDES]-(:Study {id: $study}) } = 3)
OPTIONAL MATCH (v)-[c:CITES]->(:Semiosis)
WITH e, v, count(c) AS citations
RETURN e.who AS evaluator, e.kind AS kind, count(v) AS verdicts,
       sum(CASE WHEN v.winner IS NULL THEN 1 ELSE 0 END) AS unscored,
       sum(citations) AS citations, sum(v.dropped) AS dropped
ORDER BY evaluator, kind, verdicts DESC, citations DESC, dropped DESC
