// purpose: Generators ranked by the share of the prompts' meaning that they realise. Each prompt counts once.
// parameter: tradition = "" — only prompts of this tradition
// parameter: condition = blind — blind or given readings, which are never pooled
// parameter: study = "" — only signs of this study, for a Neo4j with several studies
// columns: generator, share, weighted_share, prompts, alignments, mixed_interpreters, method
// example: semiosis query generators --tradition christian
MATCH (p:Sign)-[:READ_AS]->(h:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(g:HSG)<-[:READ_AS]-(a:Sign)
WHERE ($study = '' OR EXISTS { MATCH (a)<-[:INCLUDES]-(:Study {id: $study}) })
  AND al.condition = $condition AND p.id <> a.id AND a.generator <> '' AND toLower(p.tradition) CONTAINS toLower($tradition)
MATCH (h)-[:READ_BY]->(i:Interpreter)
MATCH (g)-[:READ_BY]->(j:Interpreter)
WITH p.id AS prompt, a.generator AS generator, al.procedure AS method,
     CASE WHEN i.id = j.id THEN 0 ELSE 1 END AS mixed,
     COUNT { MATCH (h)-[:HAS_ROOT|HAS_NODE]->(:Semiosis) } AS nodes,
     [(h)-[:HAS_ROOT|HAS_NODE]->(:Semiosis)-[r:REALIZED_AS]->(:Semiosis)
      WHERE r.key = al.id AND r.fate IN ['kept', 'weakened', 'split', 'merged'] | r.part] AS matched,
     [(h)-[:HAS_ROOT|HAS_NODE]->(:Semiosis)-[r:REALIZED_AS]->(:Semiosis)
      WHERE r.key = al.id AND r.fate IN ['kept', 'weakened', 'split', 'merged'] | r.p * r.part] AS realised
WITH generator, prompt, method, avg(reduce(total = 0.0, part IN matched | total + part) / nodes) AS share, count(nodes) AS alignments,
     avg(reduce(total = 0.0, p IN realised | total + p) / nodes) AS weighted, sum(mixed) AS mixed
// Adding 1e-9 makes every store round a tie up, whatever the order in which it adds numbers.
RETURN generator AS generator, round(avg(share) + 1e-9, 4) AS share, round(avg(weighted) + 1e-9, 4) AS weighted_share,
       count(prompt) AS prompts, sum(alignments) AS alignments, sum(mixed) AS mixed_interpreters, method AS method
ORDER BY method, share DESC, weighted_share DESC, generator
