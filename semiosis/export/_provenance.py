"""How the values of a study were made: models, prompt versions, settings, seeds, hashes of inputs."""

import hashlib
import importlib.metadata
import json
from collections.abc import Iterable, Mapping
from typing import Any

from semiosis.study import Study
from semiosis.values import ImageSign, TextSign, parts_of

STATISTICS = {"seed": 0, "resamples": 2000, "level": 0.95, "unit": "prompt", "rating": "bradley-terry"}
"""The settings of the tables."""


def provenance(study: Study) -> dict[str, Any]:
    """Return who read, aligned and judged, with which settings, and what they read."""
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
            "aligned_by": one.aligned_by,
            "procedure": one.procedure,
            "model_served": one.served,
            "weights": one.weights,
            "settings": dict(one.evaluator.parameters) if one.evaluator else {},
        }
        for one in study.alignments.values()
    )
    evaluators = (said.evaluator.model_dump(mode="json") for said in study.observations.values())
    return {
        "semiosis": importlib.metadata.version("semiosis"),
        "study": study.head.model_dump(mode="json"),
        "licence": study.head.licence or "the study states none",
        "readers": _counted(readers),
        "aligners": _counted(aligners),
        "evaluators": _counted(evaluators),
        "statistics": STATISTICS,
        "inputs": [_input(part) for sign in study.signs.values() for part in parts_of(sign)],
    }


def _counted(entries: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return each entry once, with the number of values it stands for, in a fixed order."""
    texts = [json.dumps(entry, sort_keys=True) for entry in entries]
    return [{**json.loads(text), "values": texts.count(text)} for text in sorted(set(texts))]


def _input(sign: TextSign | ImageSign) -> dict[str, Any]:
    digest = sign.sha256 if isinstance(sign, ImageSign) else hashlib.sha256(sign.text.encode()).hexdigest()
    return {"sign": sign.id, "kind": sign.kind, "title": sign.title, "sha256": digest}


def resolved_citations(study: Study) -> list[dict[str, Any]]:
    """Return every citation with its verdict and the node it points at, and those that were dropped."""
    found: list[dict[str, Any]] = []
    for verdict in study.verdicts:
        said = {
            "verdict": verdict.id,
            "comparison": verdict.comparison,
            "evaluator": verdict.evaluator.name,
            "winner": verdict.winner if isinstance(verdict.winner, str) else verdict.winner.reason,
        }
        for citation in verdict.citations:
            hsg = study.hsg(citation.hsg)
            node = hsg.semioses[citation.node].model_dump(mode="json") if hsg else None
            sign = hsg.sign.id if hsg else None
            found.append({**said, **citation.model_dump(mode="json"), "sign": sign, "cited": node})
        found += [{**said, "dropped": one.model_dump(mode="json")} for one in verdict.dropped]
    return found


def texts_and_boxes(study: Study) -> tuple[int, int]:
    """Return how many spans and boxes the readings have."""
    kinds = [p.kind for hsg in study.hsgs.values() for s in hsg.semioses.values() for p in s.places]
    return kinds.count("span"), kinds.count("box")
