// purpose: The nodes that contain a word in any of their fields, with the whole they belong to.
// parameter: word — the word, in upper or lower case
// parameter: top = 100 — the number of rows
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: sign, label, perceived, object, interpretant, dynamic_object, whole, node
// example: semiosis query mentions --word lily
MATCH (n:Semiosis)
WHERE coalesce(n.sources, 0) = 0 AND (toLower(n.label) CONTAINS toLower($word) OR toLower(n.sign) CONTAINS toLower($word)
   OR toLower(n.object) CONTAINS toLower($word) OR toLower(n.interpretant) CONTAINS toLower($word)
   OR toLower(n.dynamic_object) CONTAINS toLower($word))
MATCH (n)<-[:HAS_ROOT|HAS_NODE]-(:HSG)<-[:READ_AS]-(s:Sign)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
WITH CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, n.id AS node
ORDER BY sign, node
LIMIT toInteger($top)
MATCH (n:Semiosis {id: node})
OPTIONAL MATCH (n)<-[:HAS_PART]-(w:Semiosis)
RETURN sign AS sign, n.label AS label, n.sign AS perceived, n.object AS object, n.interpretant AS interpretant,
       n.dynamic_object AS dynamic_object, coalesce(w.label, '') AS whole, node AS node
ORDER BY sign, node
