// purpose: The positions of nodes in images, with the mean strengths of their grounds.
// parameter: generator = "" — only artifacts by this generator
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: position, places, nodes, iconic, indexical, symbolic, mean_area
// example: semiosis query positions
MATCH (h:HSG)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)-[g:LOCATED_IN]->(s:Sign)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
  AND g.position IS NOT NULL AND coalesce(n.sources, 0) = 0
  AND toLower(s.generator) CONTAINS toLower($generator)
  AND CASE WHEN h.blind THEN 'blind' ELSE 'given' END = $condition
// Adding 1e-9 makes every store round a tie up, whatever the order in which it adds numbers.
RETURN g.position AS position, count(g) AS places, count(DISTINCT n.id) AS nodes,
       round(avg(n.iconic) + 1e-9, 4) AS iconic, round(avg(n.indexical) + 1e-9, 4) AS indexical,
       round(avg(n.symbolic) + 1e-9, 4) AS symbolic, round(avg((g.x1 - g.x0) * (g.y1 - g.y0)) + 1e-9, 4) AS mean_area
ORDER BY places DESC, position
