"""Exports of studies and HSGs for other tools, and evidence bundles for reviewers."""

from semiosis.export._annotations import web_annotations
from semiosis.export._bundle import BundledFile, Manifest, export_evidence
from semiosis.export._cite import citation_bibtex
from semiosis.export._formats import EXPORT_FORMATS, Exported, ExportFormat, export_study
from semiosis.export._graphs import union_graph
from semiosis.export._select import EvidenceQuery
from semiosis.export._tables import TABLES, FlatTable
from semiosis.export._verify import Verification, verify_bundle

__all__ = [
    "EXPORT_FORMATS",
    "TABLES",
    "BundledFile",
    "EvidenceQuery",
    "ExportFormat",
    "Exported",
    "FlatTable",
    "Manifest",
    "Verification",
    "citation_bibtex",
    "export_evidence",
    "export_study",
    "union_graph",
    "verify_bundle",
    "web_annotations",
]
