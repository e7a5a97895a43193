// purpose: The nodes that verdicts cite most often, and the artifact that the citations support.
// parameter: evaluator = "" — only verdicts by this evaluator
// parameter: top = 20 — the number of rows
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: citations, verdicts, for_a, for_b, neutral, label, object, sign, node
// example: semiosis query most-cited --top 10
MATCH (e:Evaluator)<-[:BY]-(v:Verdict)-[c:CITES]->(n:Semiosis)
WHERE ($study = '' OR COUNT { MATCH (v)-[:ON]->(:Comparison)-[:OF]->(:Sign)<-[:INCLUDES]-(:Study {id: $study}) } = 3)
  AND (e.id = $evaluator OR toLower(e.who) CONTAINS toLower($evaluator))
WITH n.id AS node, count(c) AS citations, count(DISTINCT v.id) AS verdicts,
     sum(CASE WHEN c.stance = 'a' THEN 1 ELSE 0 END) AS for_a,
     sum(CASE WHEN c.stance = 'b' THEN 1 ELSE 0 END) AS for_b,
     sum(CASE WHEN c.stance = 'neutral' THEN 1 ELSE 0 END) AS neutral
ORDER BY citations DESC, verdicts DESC, node
LIMIT toInteger($top)
MATCH (n:Semiosis {id: node})<-[:HAS_ROOT|HAS_NODE]-(:HSG)<-[:READ_AS]-(s:Sign)
RETURN citations AS citations, verdicts AS verdicts, for_a AS for_a, for_b AS for_b, neutral AS neutral,
       n.label AS label, n.object AS object,
       CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, node AS node
ORDER BY citations DESC, verdicts DESC, node
