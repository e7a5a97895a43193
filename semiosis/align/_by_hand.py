"""Fates that a person writes in a YAML file: the form to fill, and the alignment that it states."""

from collections.abc import Mapping
from pathlib import Path

import yaml

from semiosis.align._stated import StatedFate, alignment_of_fates
from semiosis.files import YamlNode, compose_yaml, read_hsg, read_text
from semiosis.values import FATES, HSG, Alignment, Evaluator, Fate, wrong_targets

HAND_METHOD = "fates written by hand"
"""The method of alignments that people state."""
MAX_FATES_BYTES = 1_000_000
"""The maximum size of a file of fates."""

_TOP_FIELDS = ("semiosis", "aligner", "source", "target", "repeat", "fates")
_REQUIRED = ("semiosis", "aligner", "source", "target", "fates")
_FATE_FIELDS = ("node", "fate", "target", "targets", "why", "probability")
_FIXES = {"reason": "write the reason as 'why: …'", "because": "write the reason as 'why: …'"}
_HEADER = """\
# What became of each node of the source in the target. Fill in `aligner`, and a fate for every node.
#   kept         a target node carries the meaning with all its main parts
#   weakened     a target node carries the main idea, but a main part is missing
#   split        several target nodes carry the meaning together
#   merged       a target node carries the meaning, but fits another source node better
#   diffused     only the root of the target implies the meaning
#   resignified  the node's sign recurs but stands for something else
#   reversed     the node's sign recurs and makes the opposite point
#   lost         none of these
# `target` names nodes of the target by label or id: none for lost, at least two for split ([a, b]), else one.
# `probability` is optional: how sure you are, from 0 to 1.
"""


def fates_form(source: HSG, target: HSG, aligner: str = "") -> str:
    """Return the form in which a person states the fate of each node of the source in the target."""
    lines = [_HEADER + "semiosis: 1", f"aligner: {_scalar(aligner)}", "", f"source: {source.id}"]
    lines += [f"# {line}" for line in _described(source)]
    lines += ["", f"target: {target.id}", *(f"# {line}" for line in _described(target)), "", "fates:"]
    for node, semiosis in source.semioses.items():
        lines += [f"  # {_line(semiosis.label)}: {_line(semiosis.object)}"]
        lines += [f"  - node: {node}", "    fate:", "    target:", "    why:"]
    return "\n".join(lines) + "\n"


def read_fates(path: str | Path, hsgs: Mapping[str, HSG]) -> Alignment:
    """Return the alignment in a YAML file. `hsgs` has the HSGs that the file may name by id."""
    file = Path(path)
    return parse_fates(read_text(file, MAX_FATES_BYTES), hsgs, file=str(file), folder=file.parent)


def parse_fates(
    source: str, hsgs: Mapping[str, HSG], *, file: str = "fates.yaml", folder: Path = Path()
) -> Alignment:
    """Return the alignment in a YAML text. Paths of readings are relative to the folder."""
    top = compose_yaml(source, file)
    fields = top.fields(_TOP_FIELDS, required=_REQUIRED)
    if fields["semiosis"].text() != "1":
        raise fields["semiosis"].error("this is not version 1 of the form", "write 'semiosis: 1'")
    before, after = (_hsg(fields[side], hsgs, folder) for side in ("source", "target"))
    return alignment_of_fates(
        before,
        after,
        _fates(fields["fates"], before, after),
        evaluator=Evaluator(kind="person", name=fields["aligner"].nonempty_text()),
        method=HAND_METHOD,
        repeat=fields["repeat"].number() if "repeat" in fields else 0,
    )


def is_fates_file(path: str | Path) -> bool:
    """Return whether a YAML file states fates, and not a reading."""
    file = Path(path)
    if file.suffix not in {".yaml", ".yml"}:
        return False
    return "fates" in compose_yaml(read_text(file, MAX_FATES_BYTES), str(file)).field_names()


def _scalar(text: str) -> str:
    return yaml.safe_dump(text, allow_unicode=True).removesuffix("...\n").strip() if text else ""


def _line(text: str) -> str:
    return " ".join(text.split())


def _described(hsg: HSG) -> list[str]:
    heading = _line(hsg.sign.title or hsg.sign.kind)
    nodes = [f"  {node}  {_line(s.label)}: {_line(s.object)}" for node, s in hsg.semioses.items()]
    return [f"{heading}, read by {_line(hsg.reading.interpreter.name)}", *nodes]


def _hsg(entry: YamlNode, hsgs: Mapping[str, HSG], folder: Path) -> HSG:
    name = entry.nonempty_text()
    if name in hsgs:
        return hsgs[name]
    if (folder / name).is_file():
        return read_hsg(folder / name)
    raise entry.error(
        f"{name!r} is neither the id of an HSG of the study nor a file",
        "give the id of a reading, or its path relative to this file",
    )


def _fates(entry: YamlNode, source: HSG, target: HSG) -> list[StatedFate]:
    fates: dict[str, StatedFate] = {}
    for item in entry.items():
        fate = _fate(item, source, target)
        if fate.node in fates:
            raise item.error(f"a second fate for {_named(source, fate.node)}", "keep one")
        fates[fate.node] = fate
    if missing := [node for node in source.semioses if node not in fates]:
        nodes = ", ".join(_named(source, node) for node in missing)
        raise entry.error(f"no fate for {nodes}", "state one for every node of the source; 'lost' is one")
    return list(fates.values())


def _fate(item: YamlNode, source: HSG, target: HSG) -> StatedFate:
    fields = item.fields(_FATE_FIELDS, required=("node", "fate"), fixes=_FIXES)
    if {"target", "targets"} <= fields.keys():
        raise item.error("the fate has both 'target' and 'targets'", "keep one of them")
    word = _word(fields["fate"])
    listed = fields.get("targets", fields.get("target"))
    targets = () if listed is None else _targets(listed, target)
    if problem := wrong_targets(word, targets):
        raise item.error(f"{_named(source, _node(fields['node'], source))}: {problem}", "correct 'target'")
    return StatedFate(
        node=_node(fields["node"], source),
        fate=word,
        targets=targets,
        why=fields["why"].text() if "why" in fields else "",
        p=_probability(fields["probability"]) if "probability" in fields else 1.0,
    )


def _word(entry: YamlNode) -> Fate:
    fate: Fate | None = next((fate for fate in FATES if fate == entry.text().strip()), None)
    if fate is None:
        what = f"{entry.text()!r} is not a fate" if entry.text().strip() else "this fate is empty"
        raise entry.error(what, f"use one of: {', '.join(FATES)}")
    return fate


def _targets(entry: YamlNode, target: HSG) -> tuple[str, ...]:
    if not entry.is_text:
        return tuple(_node(item, target) for item in entry.items())
    return (_node(entry, target),) if entry.text().strip() else ()


def _node(entry: YamlNode, hsg: HSG) -> str:
    """Return the id of the node that an entry names by its id or its label."""
    name = entry.nonempty_text()
    if name in hsg.semioses:
        return name
    labelled = [node for node, semiosis in hsg.semioses.items() if semiosis.label == name]
    if len(labelled) == 1:
        return labelled[0]
    nodes = ", ".join(_named(hsg, node) for node in hsg.semioses)
    what = f"more than one node is labelled {name!r}" if labelled else f"there is no node {name!r}"
    raise entry.error(what, f"use one of: {nodes}")


def _named(hsg: HSG, node: str) -> str:
    return f"{node} ({hsg.semioses[node].label})"


def _probability(entry: YamlNode) -> float:
    try:
        p = float(entry.text())
    except ValueError:
        p = -1.0
    if not 0 <= p <= 1:
        raise entry.error(f"{entry.text()!r} is not a probability", "write a number from 0 to 1")
    return p
