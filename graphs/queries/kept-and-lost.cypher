// purpose: The meanings of a prompt that one artifact keeps and another loses, aligned by the same procedure.
// parameter: prompt = "" — only this prompt, by id or by words of its title or text
// parameter: keeper = "" — only meanings kept by this artifact (id or words of its title) or generator
// parameter: loser = "" — only meanings lost by this artifact (id or words of its title) or generator
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: prompt, meant, label, kept_by, kept_as, p, lost_by, node, kept_in, lost_in
// example: semiosis query kept-and-lost --prompt annunciation
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(kept:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(k:Sign)
WHERE ($study = '' OR EXISTS { MATCH (k)<-[:INCLUDES]-(:Study {id: $study}) })
  AND p.id <> k.id AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt) OR toLower(p.text) CONTAINS toLower($prompt))
  AND (k.id = $keeper OR toLower(k.heading) CONTAINS toLower($keeper)
    OR toLower(k.generator) CONTAINS toLower($keeper))
  AND kept.condition = $condition
MATCH (h)<-[:FROM]-(lost:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(l:Sign)
WHERE ($study = '' OR EXISTS { MATCH (l)<-[:INCLUDES]-(:Study {id: $study}) })
  AND (l.id = $loser OR toLower(l.heading) CONTAINS toLower($loser)
    OR toLower(l.generator) CONTAINS toLower($loser))
  AND lost.condition = $condition AND k.id <> l.id AND p.id <> l.id AND lost.procedure = kept.procedure
MATCH (lost)-[:LOST]->(n:Semiosis)-[r:REALIZED_AS]->(m:Semiosis)
WHERE r.key = kept.id AND r.fate IN ['kept', 'weakened', 'split', 'merged']
RETURN CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt, n.object AS meant, n.label AS label,
       CASE WHEN k.heading = '' THEN k.id ELSE k.heading END AS kept_by, m.object AS kept_as, r.p AS p,
       CASE WHEN l.heading = '' THEN l.id ELSE l.heading END AS lost_by,
       n.id AS node, kept.id AS kept_in, lost.id AS lost_in
ORDER BY prompt, node, kept_by, lost_by, kept_in, lost_in, kept_as
