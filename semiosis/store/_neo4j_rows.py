"""Converts Neo4j's records to plain Python values."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neo4j import ResultSummary


def python_value(value: Any) -> Any:
    """Return a value without the driver's classes: nodes, edges and paths as dicts, times as Python types."""
    from neo4j.graph import Node, Path, Relationship

    if isinstance(value, Node):
        return {"labels": sorted(value.labels), "properties": python_value(dict(value))}
    if isinstance(value, Relationship):
        return {"type": value.type, "properties": python_value(dict(value))}
    if isinstance(value, Path):
        return {
            "nodes": python_value(list(value.nodes)),
            "relationships": python_value(list(value.relationships)),
        }
    if isinstance(value, list):
        return [python_value(item) for item in value]
    if isinstance(value, dict):
        return {name: python_value(item) for name, item in value.items()}
    return value.to_native() if hasattr(value, "to_native") else value


def hints(summary: "ResultSummary") -> Iterator[str]:
    """Yield the server's notifications, such as an unknown label or a deprecated keyword."""
    for status in summary.gql_status_objects:
        if status.is_notification:
            yield status.status_description
