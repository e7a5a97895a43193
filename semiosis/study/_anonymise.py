"""Replaces the names of people in a study, so that it can be published."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from semiosis.study._study import Study
from semiosis.values import (
    HSG,
    Alignment,
    Answer,
    Evaluator,
    Interpreter,
    Rating,
    Recorded,
    Score,
    Semiosis,
    Verdict,
)

Agent = TypeVar("Agent", Evaluator, Interpreter)
NewId = Callable[[str], str]


def anonymise(study: Study) -> Study:
    """Return the study with `person 1`, `person 2`, … in place of people's names.

    Names are numbered in alphabetical order. Ids that depend on a name change, and every reference with them.
    Superseded values are renamed too. Models and programs keep their names.
    """
    sections: tuple[Mapping[str, Any], ...] = (
        study.history,
        study.hsgs,
        study.alignments,
        study.observations,
    )
    values: dict[str, Recorded] = {id_: value for section in sections for id_, value in section.items()}
    names = {
        name: f"person {number}" for number, name in enumerate(sorted(_people(values.values())), start=1)
    }
    renamed: dict[str, Recorded] = {}

    def new_id(id_: str) -> str:
        """Return the new id of a value, after renaming the values it refers to, whose ids are part of it."""
        if id_ in values and id_ not in renamed:
            renamed[id_] = _renamed_value(values[id_], names, new_id, renamed)
        return renamed[id_].id if id_ in renamed else id_

    history, hsgs, alignments, observations = (
        {new_id(id_): renamed[id_] for id_ in section} for section in sections
    )
    changed: dict[str, Any] = {"hsgs": hsgs, "alignments": alignments, "observations": observations}
    return replace(study, history=history, replaced=frozenset(map(new_id, study.replaced)), **changed)


def _people(values: Iterable[Recorded]) -> set[str]:
    agents = [value.reading.interpreter if isinstance(value, HSG) else _evaluator(value) for value in values]
    return {agent.name for agent in agents if agent and agent.kind == "person"}


def _evaluator(value: Recorded) -> Evaluator | None:
    return getattr(value, "evaluator", None)


def _renamed(agent: Agent, names: dict[str, str]) -> Agent:
    if agent.kind != "person":
        return agent
    return agent.model_copy(update={"name": names[agent.name], "parameters": {}})


def _renamed_value(
    value: Recorded, names: dict[str, str], new_id: NewId, renamed: dict[str, Recorded]
) -> Recorded:
    if isinstance(value, HSG):
        return _renamed_hsg(value, names, new_id)
    changes: dict[str, object] = {}
    if evaluator := _evaluator(value):
        changes["evaluator"] = _renamed(evaluator, names)
    if replaced := getattr(value, "supersedes", None):
        changes["supersedes"] = new_id(replaced)
    if isinstance(value, Alignment):
        changes |= _renamed_sides(value, new_id, renamed)
    if isinstance(value, Verdict | Answer | Score):
        changes["used"] = tuple(map(new_id, value.used))
    if isinstance(value, Verdict):
        changes["citations"] = tuple(
            citation.model_copy(update={"hsg": new_id(citation.hsg)}) for citation in value.citations
        )
    if isinstance(value, Rating):
        about, slash, node = value.about.partition("/")
        changes["about"] = new_id(about) + slash + node
    return value.model_copy(update=changes)


def _renamed_hsg(hsg: HSG, names: dict[str, str], new_id: NewId) -> HSG:
    old = hsg.reading
    changes = {
        "interpreter": _renamed(old.interpreter, names),
        "given": tuple(map(new_id, old.given)),
        "supersedes": new_id(old.supersedes) if old.supersedes else None,
    }
    absences = tuple(absence.model_copy(update={"hsg": new_id(absence.hsg)}) for absence in hsg.absences)
    semioses = {node: _renamed_sources(semiosis, new_id) for node, semiosis in hsg.semioses.items()}
    return HSG(hsg.sign, semioses, hsg.relations, old.model_copy(update=changes), absences)


def _renamed_sources(semiosis: Semiosis, new_id: NewId) -> Semiosis:
    if not semiosis.sources:
        return semiosis
    parts = (source.partition("/") for source in semiosis.sources)
    return semiosis.model_copy(
        update={"sources": tuple(new_id(hsg) + slash + node for hsg, slash, node in parts)}
    )


def _renamed_sides(alignment: Alignment, new_id: NewId, renamed: dict[str, Recorded]) -> dict[str, object]:
    changes: dict[str, object] = {}
    for name, side in (("source", alignment.source), ("target", alignment.target)):
        changed: dict[str, object] = {"hsg": new_id(side.hsg)}
        hsg = renamed.get(side.hsg)
        if isinstance(hsg, HSG):
            changed["interpreter"] = hsg.reading.interpreter.id
        changes[name] = side.model_copy(update=changed)
    return changes
