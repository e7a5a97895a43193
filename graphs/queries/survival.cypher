// purpose: How often each meaning of a prompt survives: the numbers of alignments in which it is matched, lost or changed.
// parameter: prompt = "" — only this prompt, by id or by words of its title or text
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: prompt, meant, label, matched, lost, changed, share, method, node
// example: semiosis query survival --prompt annunciation
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(a:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND al.condition = $condition AND p.id <> a.id AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt) OR toLower(p.text) CONTAINS toLower($prompt))
WITH h.id AS hsg, al.procedure AS method, collect(al.id) AS alignments
MATCH (h:HSG {id: hsg})<-[:READ_AS]-(p:Sign)
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
WITH CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt, n.object AS meant, n.label AS label,
     size(alignments) AS aligned, method, n.id AS node,
     [(n)-[r:REALIZED_AS]->(:Semiosis)
      WHERE r.key IN alignments AND r.fate IN ['kept', 'weakened', 'split', 'merged'] | r.part] AS parts,
     COUNT { MATCH (n)<-[:LOST]-(al:Alignment) WHERE al.id IN alignments } AS lost
// a split node has an edge to each of its targets; their shares add up to 1
WITH prompt, meant, label, aligned, method, node, lost,
     toInteger(round(reduce(total = 0.0, part IN parts | total + part))) AS matched
RETURN prompt AS prompt, meant AS meant, label AS label, matched AS matched, lost AS lost,
       aligned - matched - lost AS changed, round(1.0 * matched / aligned, 4) AS share, method AS method, node AS node
ORDER BY prompt, share, node, method
