// purpose: The same object under different interpretants: one thing meant, several thoughts.
// parameter: tradition = "" — only signs of this tradition
// parameter: condition = blind — blind or given readings; the two never pool
// columns: object, thoughts, interpretant, label, sign, reader, node
// example: semiosis query same-object
MATCH (s:Sign)-[:READ_AS]->(h:HSG)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
WHERE CASE WHEN h.blind THEN 'blind' ELSE 'given' END = $condition
  AND toLower(s.tradition) CONTAINS toLower($tradition)
WITH toLower(n.object) AS object, count(DISTINCT toLower(n.interpretant)) AS thoughts, collect(n.id) AS nodes
WHERE thoughts > 1
UNWIND nodes AS node
MATCH (n:Semiosis {id: node})<-[:HAS_ROOT|HAS_NODE]-(h:HSG)<-[:READ_AS]-(s:Sign)
MATCH (h)-[:READ_BY]->(i:Interpreter)
RETURN object AS object, thoughts AS thoughts, n.interpretant AS interpretant, n.label AS label,
       CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, i.who AS reader, n.id AS node
ORDER BY thoughts DESC, object, node
