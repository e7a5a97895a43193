// purpose: The pairs of nodes that contrast with each other, by tradition.
// parameter: tradition = "" — only signs of this tradition, or artifacts of its prompts
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: tradition, sign, part, part_object, whole, whole_object, how, part_node, whole_node
// example: semiosis query contrasts --tradition christian
MATCH (s:Sign)-[:READ_AS]->(h:HSG)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)-[c:CONTRASTS]->(m:Semiosis)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
  AND CASE WHEN h.blind THEN 'blind' ELSE 'given' END = $condition AND coalesce(n.sources, 0) = 0
OPTIONAL MATCH (p:Sign)-[:PROMPTED]->(s)
WITH CASE WHEN s.tradition = '' THEN coalesce(p.tradition, '') ELSE s.tradition END AS tradition,
     CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, n.label AS part, n.object AS part_object,
     m.label AS whole, m.object AS whole_object, c.how AS how, n.id AS part_node, m.id AS whole_node
WHERE toLower(tradition) CONTAINS toLower($tradition)
RETURN tradition AS tradition, sign AS sign, part AS part, part_object AS part_object, whole AS whole,
       whole_object AS whole_object, how AS how, part_node AS part_node, whole_node AS whole_node
ORDER BY tradition, sign, part_node, whole_node
