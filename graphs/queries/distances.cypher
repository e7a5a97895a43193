// purpose: The distance of artifacts from their prompts (Δo), by generator and tradition.
// parameter: tradition = "" — only prompts of this tradition
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: generator, tradition, mean, least, most, alignments, mixed_interpreters, method
// example: semiosis query distances
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(g:HSG)<-[:READ_AS]-(a:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND al.condition = $condition AND p.id <> a.id AND a.generator <> '' AND toLower(p.tradition) CONTAINS toLower($tradition)
MATCH (h)-[:READ_BY]->(i:Interpreter)
MATCH (g)-[:READ_BY]->(j:Interpreter)
// Adding 1e-9 makes every store round a tie up, whatever the order in which it adds numbers.
RETURN a.generator AS generator, p.tradition AS tradition, round(avg(al.distance) + 1e-9, 4) AS mean,
       min(al.distance) AS least, max(al.distance) AS most, count(al) AS alignments,
       sum(CASE WHEN i.id = j.id THEN 0 ELSE 1 END) AS mixed_interpreters,
       al.procedure AS method
ORDER BY method, mean, generator, tradition
