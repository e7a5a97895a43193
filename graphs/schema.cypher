// Indexes of the property graph. Both stores create them on first use, and this constraint for each label:
//   CREATE CONSTRAINT sign_id IF NOT EXISTS FOR (n:Sign) REQUIRE n.id IS UNIQUE
CREATE INDEX sign_tradition IF NOT EXISTS FOR (n:Sign) ON (n.tradition);
CREATE FULLTEXT INDEX meanings IF NOT EXISTS FOR (n:Semiosis) ON EACH [n.words];
