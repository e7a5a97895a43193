"""The provenance of a study: models, prompt versions, settings, seeds and hashes of inputs."""

import hashlib
import importlib.metadata
import json
from collections.abc import Iterable, Mapping
from typing import Any

from semiosis.study import Study
from semiosis.values import ImageSign, TextSign, parts_of

STATISTICS = {"seed": 0, "resamples": 2000, "level": 0.95, "unit": "prompt", "rating": "bradley-terry"}
"""The settings of the statistics in the tables."""


def provenance(study: Study) -> dict[str, Any]:
    """Return the readers, aligners and evaluators with their settings, and the signs that were read."""
    readers = (
        {
            **hsg.reading.interpreter.model_dump(mode="json"),
            "detail": hsg.reading.detail,
            "language": hsg.reading.language,
            "blind": hsg.blind,
        }
        for hsg in study.hsgs.values()
    )
    aligners = (
        {
            "aligned_by": alignment.aligned_by,
            "procedure": alignment.procedure,
            "model_served": alignment.served,
            "weights": alignment.weights,
            "settings": dict(alignment.evaluator.parameters) if alignment.evaluator else {},
        }
        for alignment in study.alignments.values()
    )
    evaluators = (observed.evaluator.model_dump(mode="json") for observed in study.observations.values())
    return {
        "semiosis": importlib.metadata.version("semiosis"),
        "study": study.head.model_dump(mode="json"),
        "licence": study.head.licence or "not stated",
        "readers": _count_entries(readers),
        "aligners": _count_entries(aligners),
        "evaluators": _count_entries(evaluators),
        "statistics": STATISTICS,
        "inputs": [_input(part) for sign in study.signs.values() for part in parts_of(sign)],
    }


def _count_entries(entries: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return each entry once, in a fixed order, with the number of values that have it."""
    texts = [json.dumps(entry, sort_keys=True) for entry in entries]
    return [{**json.loads(text), "values": texts.count(text)} for text in sorted(set(texts))]


def _input(sign: TextSign | ImageSign) -> dict[str, Any]:
    digest = sign.sha256 if isinstance(sign, ImageSign) else hashlib.sha256(sign.text.encode()).hexdigest()
    return {"sign": sign.id, "kind": sign.kind, "title": sign.title, "sha256": digest}


def resolved_citations(study: Study) -> list[dict[str, Any]]:
    """Return every citation with its verdict and the cited node, and every dropped citation."""
    found: list[dict[str, Any]] = []
    for verdict in study.verdicts:
        about = {
            "verdict": verdict.id,
            "comparison": verdict.comparison,
            "evaluator": verdict.evaluator.name,
            "winner": verdict.winner if isinstance(verdict.winner, str) else verdict.winner.reason,
        }
        for citation in verdict.citations:
            hsg = study.hsg(citation.hsg)
            node = hsg.semioses[citation.node].model_dump(mode="json") if hsg else None
            sign = hsg.sign.id if hsg else None
            found.append({**about, **citation.model_dump(mode="json"), "sign": sign, "cited": node})
        found += [{**about, "dropped": dropped.model_dump(mode="json")} for dropped in verdict.dropped]
    return found


def count_places(study: Study) -> tuple[int, int]:
    """Return the number of spans and the number of boxes of the readings."""
    kinds = [p.kind for hsg in study.hsgs.values() for s in hsg.semioses.values() for p in s.places]
    return kinds.count("span"), kinds.count("box")
