"""Starts and stops a local Neo4j: downloads its pinned jars, configures and launches it, stops it."""

from semiosis.local_neo4j._jars import RELEASES, Jar, fetch_jars, jar_folder, read_release
from semiosis.local_neo4j._launch import start_server
from semiosis.local_neo4j._local_server import LocalServer, find_server, stop_server

__all__ = [
    "RELEASES",
    "Jar",
    "LocalServer",
    "fetch_jars",
    "find_server",
    "jar_folder",
    "read_release",
    "start_server",
    "stop_server",
]
