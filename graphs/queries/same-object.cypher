// purpose: Objects that have different interpretants in different nodes.
// parameter: tradition = "" — only signs of this tradition
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: object, thoughts, interpretant, label, sign, reader, node
// example: semiosis query same-object
MATCH (i:Interpreter)<-[:READ_BY]-(h:HSG)<-[:READ_AS]-(s:Sign)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
  AND CASE WHEN h.blind THEN 'blind' ELSE 'given' END = $condition
  AND toLower(s.tradition) CONTAINS toLower($tradition)
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
WHERE coalesce(n.sources, 0) = 0
WITH toLower(n.object) AS object, count(DISTINCT toLower(n.interpretant)) AS thoughts,
     collect([n.interpretant, n.label, CASE WHEN s.heading = '' THEN s.id ELSE s.heading END, i.who, n.id]) AS nodes
WHERE thoughts > 1
UNWIND nodes AS found
RETURN object AS object, thoughts AS thoughts, found[0] AS interpretant, found[1] AS label, found[2] AS sign,
       found[3] AS reader, found[4] AS node
ORDER BY thoughts DESC, object, node
