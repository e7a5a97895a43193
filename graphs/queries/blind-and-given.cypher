// purpose: How much closer an artifact is to its prompt (Δo) in readings given the prompt than in blind readings.
// parameter: generator = "" — only artifacts by this generator
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: artifact, generator, blind, given, nearer, blind_alignments, given_alignments, method, artifact_id
// example: semiosis query blind-and-given
MATCH (a:Sign)-[:READ_AS]->(:HSG)<-[:TO]-(al:Alignment)-[:FROM]->(:HSG)<-[:READ_AS]-(p:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND p.id <> a.id AND toLower(a.generator) CONTAINS toLower($generator)
WITH a.id AS artifact_id, CASE WHEN a.heading = '' THEN a.id ELSE a.heading END AS artifact,
     a.generator AS generator, al.procedure AS method,
     avg(CASE WHEN al.condition = 'blind' THEN al.distance END) AS blind,
     avg(CASE WHEN al.condition = 'given' THEN al.distance END) AS given,
     sum(CASE WHEN al.condition = 'blind' THEN 1 ELSE 0 END) AS blind_alignments,
     sum(CASE WHEN al.condition = 'given' THEN 1 ELSE 0 END) AS given_alignments
WHERE blind_alignments > 0 AND given_alignments > 0
RETURN artifact AS artifact, generator AS generator,
       round(blind, 4) AS blind, round(given, 4) AS given, round(blind - given, 4) AS nearer,
       blind_alignments AS blind_alignments, given_alignments AS given_alignments,
       method AS method, artifact_id AS artifact_id
ORDER BY nearer DESC, artifact_id, method
