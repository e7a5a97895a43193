// purpose: Nodes that name a word, in any of their fields, with the whole they belong to.
// parameter: word — the word, in any case
// parameter: top = 100 — how many rows
// columns: sign, label, perceived, object, interpretant, whole, node
// example: semiosis query mentions --word lily
MATCH (s:Sign)-[:READ_AS]->(:HSG)-[:HAS_ROOT|HAS_NODE]->(n:Semiosis)
WHERE toLower(n.label) CONTAINS toLower($word) OR toLower(n.sign) CONTAINS toLower($word)
   OR toLower(n.object) CONTAINS toLower($word) OR toLower(n.interpretant) CONTAINS toLower($word)
OPTIONAL MATCH (w:Semiosis)-[:HAS_PART]->(n)
RETURN CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign, n.label AS label, n.sign AS perceived,
       n.object AS object, n.interpretant AS interpretant, coalesce(w.label, '') AS whole, n.id AS node
ORDER BY sign, node
LIMIT toInteger($top)
