// purpose: The meanings that no alignment of their reading matched.
// parameter: sign = "" — only this prompt or artifact, by id or by words of its title or text
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: sign, label, object, interpretant, alignments, node
// example: semiosis query never-aligned
MATCH (s:Sign)-[:READ_AS]->(h:HSG)<-[:FROM|TO]-(al:Alignment)
WHERE ($study = '' OR COUNT { MATCH (al)-[:FROM|TO]->(:HSG)<-[:READ_AS]-(:Sign)<-[:INCLUDES]-(:Study {id: $study}) } = 2)
  AND al.condition = $condition AND (s.id = $sign OR toLower(s.heading) CONTAINS toLower($sign) OR toLower(s.text) CONTAINS toLower($sign))
WITH h.id AS hsg, collect(al.id) AS alignments
MATCH (h:HSG {id: hsg})<-[:READ_AS]-(s:Sign)
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
WHERE NOT EXISTS { MATCH (n)-[r:REALIZED_AS]-(:Semiosis) WHERE r.key IN alignments AND r.fate IN ['kept', 'weakened', 'split', 'merged'] }
RETURN CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, n.label AS label, n.object AS object,
       n.interpretant AS interpretant, size(alignments) AS alignments, n.id AS node
ORDER BY sign, node
