"""Exports of studies and HSGs for other tools, and evidence bundles for reviewers."""

from semiosis.export._annotations import web_annotations
from semiosis.export._bundle import export_evidence
from semiosis.export._cite import citation_bibtex
from semiosis.export._export_study import EXPORT_FORMATS, ExportFormat, export_study
from semiosis.export._flat_tables import TABLES
from semiosis.export._select import EvidenceQuery
from semiosis.export._verify import verify_bundle

__all__ = [
    "EXPORT_FORMATS",
    "TABLES",
    "EvidenceQuery",
    "ExportFormat",
    "citation_bibtex",
    "export_evidence",
    "export_study",
    "verify_bundle",
    "web_annotations",
]
