"""Starts and stops a local Neo4j: downloads its pinned jars, configures and launches it, stops it."""

from semiosis.server._jars import RELEASES, Jar, fetch_jars, jar_folder, read_release
from semiosis.server._launch import start_server
from semiosis.server._local import LocalServer, find_server, stop_server

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
