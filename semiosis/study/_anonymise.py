"""Replaces the names of people in a study, so that it can be published."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from semiosis.study._study import Study
from semiosis.values import HSG, Alignment, Evaluator, Interpreter, Observation, Rating, Verdict

Agent = TypeVar("Agent", Evaluator, Interpreter)


def anonymise(study: Study) -> Study:
    """Return the study with `person 1`, `person 2`, … in place of people's names.

    Names are numbered in alphabetical order. Ids that depend on a name change, and every reference with them.
    Models and programs keep their names.
    """
    names = {name: f"person {number}" for number, name in enumerate(sorted(_people(study)), start=1)}
    hsgs = _renamed_hsgs(study.hsgs, names)
    ids = {id_: hsg.id for id_, hsg in hsgs.items()}
    alignments = [_renamed_alignment(alignment, ids, hsgs, names) for alignment in study.alignments.values()]
    observations = _renamed_observations(study.observations.values(), ids, names)
    return replace(
        study,
        hsgs={hsg.id: hsg for hsg in hsgs.values()},
        alignments={alignment.id: alignment for alignment in alignments},
        observations={said.id: said for said in observations},
    )


def _people(study: Study) -> set[str]:
    agents: list[Evaluator | Interpreter] = [said.evaluator for said in study.observations.values()]
    agents += [hsg.reading.interpreter for hsg in study.hsgs.values()]
    agents += [alignment.evaluator for alignment in study.alignments.values() if alignment.evaluator]
    return {agent.name for agent in agents if agent.kind == "person"}


def _renamed(agent: Agent, names: dict[str, str]) -> Agent:
    if agent.kind != "person":
        return agent
    return agent.model_copy(update={"name": names[agent.name], "parameters": {}})


def _renamed_hsgs(hsgs: Mapping[str, HSG], names: dict[str, str]) -> dict[str, HSG]:
    """Return the renamed HSGs by their old ids."""
    renamed: dict[str, HSG] = {}

    def new_id(id_: str) -> str:
        """Return the new id of an HSG. The HSGs it was given come first, because its id depends on theirs."""
        if id_ in hsgs and id_ not in renamed:
            old = hsgs[id_]
            changes = {
                "interpreter": _renamed(old.reading.interpreter, names),
                "given": tuple(map(new_id, old.reading.given)),
            }
            reading = old.reading.model_copy(update=changes)
            renamed[id_] = HSG(old.sign, old.semioses, old.relations, reading)
        return renamed[id_].id if id_ in renamed else id_

    for id_ in hsgs:
        new_id(id_)
    return renamed


def _renamed_alignment(
    alignment: Alignment, ids: dict[str, str], hsgs: dict[str, HSG], names: dict[str, str]
) -> Alignment:
    changes: dict[str, object] = {}
    for side in ("source", "target"):
        old = getattr(alignment, side)
        if old.hsg in hsgs:
            interpreter = hsgs[old.hsg].reading.interpreter.id
            changes[side] = old.model_copy(update={"hsg": ids[old.hsg], "interpreter": interpreter})
    if alignment.evaluator:
        changes["evaluator"] = _renamed(alignment.evaluator, names)
    return alignment.model_copy(update=changes)


def _renamed_observations(
    observations: Collection[Observation], ids: dict[str, str], names: dict[str, str]
) -> list[Observation]:
    said = [_renamed_observation(observation, ids, names) for observation in observations]
    verdicts = {
        old.id: new.id for old, new in zip(observations, said, strict=True) if isinstance(new, Verdict)
    }
    return [_about_renamed(new, {**ids, **verdicts}) if isinstance(new, Rating) else new for new in said]


def _renamed_observation(observation: Observation, ids: dict[str, str], names: dict[str, str]) -> Observation:
    changes: dict[str, object] = {"evaluator": _renamed(observation.evaluator, names)}
    if not isinstance(observation, Rating):
        changes["used"] = tuple(ids.get(used, used) for used in observation.used)
    if isinstance(observation, Verdict):
        changes["citations"] = tuple(
            citation.model_copy(update={"hsg": ids.get(citation.hsg, citation.hsg)})
            for citation in observation.citations
        )
    return observation.model_copy(update=changes)


def _about_renamed(rating: Rating, ids: dict[str, str]) -> Rating:
    about, slash, node = rating.about.partition("/")
    return rating.model_copy(update={"about": ids.get(about, about) + slash + node})
