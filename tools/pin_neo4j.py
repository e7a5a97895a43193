"""Pin the jars of a Neo4j Community release: python tools/pin_neo4j.py 5.26.22 > graphs/neo4j/5.26.22.toml

The tool resolves each part, which takes two minutes, downloads its jars, and writes the coordinates, SHA-256
and size of each jar.
"""

import hashlib
import sys
from pathlib import Path

import jgo

PARTS = {
    "5.26.22": {
        "server": "org.neo4j:neo4j:5.26.22+org.neo4j.app:neo4j-server:5.26.22",
        "browser": "org.neo4j.client:neo4j-browser:5.21.0",
        "shell": "org.neo4j:cypher-shell:5.26.0",
    },
    "2026.05.0": {
        "server": "org.neo4j:neo4j:2026.05.0+org.neo4j.app:neo4j-server:2026.05.0",
    },
}
MAIN = {"5.26.22": "org.neo4j.server.CommunityEntryPoint", "2026.05.0": "org.neo4j.server.Neo4jCommunity"}


def pinned(endpoint: str) -> list[str]:
    """Return one line per jar: group:artifact:version[:classifier] sha256 bytes."""
    lines = []
    for artifact in jgo.resolve(endpoint):
        if artifact.packaging != "jar":
            continue
        path: Path = artifact.resolve()
        names = (artifact.groupId, artifact.artifactId, artifact.version, artifact.classifier)
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        lines.append(f"{':'.join(name for name in names if name)} {sha256} {path.stat().st_size}")
    return sorted(set(lines))


def main(release: str) -> None:
    """Write the pinned jars of a release to standard output as TOML."""
    print("# Made by tools/pin_neo4j.py: group:artifact:version[:classifier] sha256 bytes")
    print(f'release = "{release}"\nmain = "{MAIN[release]}"\n\n[jars]')
    for part, endpoint in PARTS[release].items():
        print(f"{part} = [")
        for line in pinned(endpoint):
            print(f'  "{line}",')
        print("]")


if __name__ == "__main__":
    main(sys.argv[1])
