"""The graph of an evidence bundle, recreated in a real Neo4j."""

from pathlib import Path

from neo4j import GraphDatabase

from semiosis.export import EvidenceQuery, export_evidence
from semiosis.export._bundle import rows_csv
from semiosis.files import data
from semiosis.store import Neo4jStore
from semiosis.study import read_study
from tests.neo4j.conftest import Server


def test_the_query_of_a_bundle_finds_its_evidence(server: Server, store: Neo4jStore, tmp_path: Path) -> None:
    asked = EvidenceQuery("lost-intent", {"prompt": "annunciation"})
    export_evidence(read_study(data("graphs/sample")), tmp_path / "bundle", query=asked)
    statements = (tmp_path / "bundle" / "graph.cypher").read_text("utf-8").split(";\n")
    with GraphDatabase.driver(server.url, auth=server.auth) as driver, driver.session() as session:
        for statement in filter(str.strip, statements):
            session.run(statement).consume()
    query = (tmp_path / "bundle" / "query.cypher").read_text("utf-8").rstrip(";\n")
    evidence = (tmp_path / "bundle" / "evidence.csv").read_text("utf-8")
    assert evidence.count("\n") > 2
    assert rows_csv(store.query(query)) == evidence
