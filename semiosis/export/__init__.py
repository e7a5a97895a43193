"""Exports studies and HSGs for other tools, and evidence bundles for reviewers."""

from semiosis.export._annotations import web_annotations
from semiosis.export._cite import citation_bibtex
from semiosis.export._formats import EXPORT_FORMATS, Exported, ExportFormat, export_study
from semiosis.export._graphs import union_graph
from semiosis.export._tables import TABLES, FlatTable

__all__ = [
    "EXPORT_FORMATS",
    "TABLES",
    "ExportFormat",
    "Exported",
    "FlatTable",
    "citation_bibtex",
    "export_study",
    "union_graph",
    "web_annotations",
]
