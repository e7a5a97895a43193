// purpose: The evidence for one verdict: every citation with the cited node and its places.
// parameter: verdict — the verdict's id
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: citation, stance, rationale, label, object, interpretant, sign, quote, position, x0, y0, x1, y1, node
// example: semiosis query verdict-evidence --verdict 2bfe5d560c6bea153408
MATCH (v:Verdict)-[c:CITES]->(n:Semiosis)<-[:HAS_ROOT|HAS_NODE]-(:HSG)<-[:READ_AS]-(s:Sign)
WHERE ($study = '' OR EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) })
  AND v.id = $verdict
OPTIONAL MATCH (n)-[g:LOCATED_IN]->(:Sign)
RETURN toInteger(c.key) AS citation, c.stance AS stance, c.rationale AS rationale, n.label AS label,
       n.object AS object, n.interpretant AS interpretant,
       CASE WHEN s.heading = '' THEN s.id ELSE s.heading END AS sign,
       coalesce(g.quote, '') AS quote, coalesce(g.position, n.location) AS position,
       g.x0 AS x0, g.y0 AS y0, g.x1 AS x1, g.y1 AS y1, n.id AS node
ORDER BY citation, toInteger(coalesce(g.key, '0'))
