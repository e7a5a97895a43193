// purpose: Meanings that are symbolic in the prompt and iconic in the artifact, which draws the symbol.
// parameter: strong = 0.5 — the minimum strength of the leading ground on both sides
// parameter: prompt = "" — only this prompt, by id or by words of its title or text
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: meant, symbolic, drawn_as, iconic, p, prompt, artifact, source, target, alignment
// example: semiosis query symbolic-to-iconic --strong 0.6
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(a:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND al.condition = $condition AND p.id <> a.id AND (p.id = $prompt OR toLower(p.heading) CONTAINS toLower($prompt) OR toLower(p.text) CONTAINS toLower($prompt))
MATCH (h)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)-[r:REALIZED_AS]->(m:Semiosis)
WHERE r.key = al.id AND r.fate IN ['kept', 'weakened', 'split', 'merged']
  AND n.symbolic >= $strong AND n.symbolic > n.iconic AND n.symbolic > n.indexical
  AND m.iconic >= $strong AND m.iconic > m.symbolic AND m.iconic > m.indexical
RETURN n.object AS meant, n.symbolic AS symbolic, m.object AS drawn_as, m.iconic AS iconic, r.p AS p,
       CASE WHEN p.heading = '' THEN p.id ELSE p.heading END AS prompt,
       CASE WHEN a.heading = '' THEN a.id ELSE a.heading END AS artifact,
       n.id AS source, m.id AS target, al.id AS alignment
ORDER BY symbolic DESC, iconic DESC, source, target, alignment
