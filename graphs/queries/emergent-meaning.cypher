// purpose: The meanings of an artifact that its prompt does not have.
// parameter: artifact — the artifact, by id or by words of its title
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: artifact, added, interpretant, label, location, prompt, node, alignment
// example: semiosis query emergent-meaning --artifact "Annunciation, cubist, by Lodestar"
MATCH (p:Sign)-[:READ_AS]->(:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(a:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND p.id <> a.id AND (a.id = $artifact OR toLower(a.heading) CONTAINS toLower($artifact)) AND al.condition = $condition
MATCH (al)-[:EMERGENT]->(n:Semiosis)
RETURN CASE WHEN a.heading = '' THEN a.id ELSE a.heading END AS artifact, n.object AS added,
       n.interpretant AS interpretant, n.label AS label, n.location AS location,
       CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt, n.id AS node, al.id AS alignment
ORDER BY artifact, added, node, alignment
