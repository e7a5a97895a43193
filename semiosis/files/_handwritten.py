"""Reads hand-written HSGs from YAML files.

In the file, quotes represent spans, percentages or pixels represent boxes, and nesting represents the
hierarchy. No ids are needed.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from semiosis.files._handwritten_place import read_places
from semiosis.files._image import image
from semiosis.files._read import is_file, read_text, resolve_path
from semiosis.files._yaml import MAX_YAML_BYTES, YamlNode, compose_yaml
from semiosis.values import (
    DETAILS,
    HSG,
    ID_PATTERN,
    MODES,
    RELATION_WORDS,
    AnySign,
    CompositeSign,
    DataError,
    Ground,
    Grounds,
    ImageSign,
    Interpreter,
    Reading,
    Relation,
    Semiosis,
    TextSign,
    format_error,
    from_json,
)

MAX_JSON_BYTES = 10_000_000
"""The largest JSON file of one HSG that is read."""

_TOP_FIELDS = (
    "semiosis",
    "sign",
    "reader",
    "language",
    "detail",
    "repeat",
    "given",
    "supersedes",
    "root",
    "relations",
)
_TRIAD = ("label", "sign", "object", "interpretant")
_NODE_FIELDS = (
    *_TRIAD,
    "dynamic_object",
    "takes_up",
    "importance",
    "grounds",
    "place",
    "places",
    "parts",
)
_NODE_FIXES = {
    "immediate object": "the immediate object is the field 'object'",
    "immediate_object": "the immediate object is the field 'object'",
    "referent": "the referent is the field 'object'",
    "meaning": "write what the sign stands for as 'object', and what it brings to mind as 'interpretant'",
}
"""What to do about names of fields that scholars may expect."""
_SIGN_FIELDS = ("title", "tradition", "language")
_GROUND = re.compile(r"(?P<strength>[\d.]+%?)\s*(?:[,;:，；：—–-]\s*(?:because\s+)?(?P<why>.*))?", re.DOTALL)
_DECIMAL_COMMA = re.compile(r"\d+,\d")


def parse_yaml(source: str, *, file: str = "reading.yaml", folder: Path = Path()) -> HSG:
    """Return the HSG in a YAML text. Paths of images are relative to the folder."""
    return _parse(source, file, folder, ())


def read_hsg(path: str | Path) -> HSG:
    """Return the HSG in a file: hand-written YAML, or JSON."""
    return _read_hsg(Path(path), ())


def _read_yaml(file: Path, referring_files: tuple[Path, ...]) -> HSG:
    return _parse(
        read_text(file, MAX_YAML_BYTES), str(file), file.parent, (*referring_files, resolve_path(file))
    )


def _read_hsg(file: Path, referring_files: tuple[Path, ...]) -> HSG:
    if file.suffix in {".yaml", ".yml"}:
        return _read_yaml(file, referring_files)
    value = from_json(read_text(file, MAX_JSON_BYTES), where=str(file))
    if not isinstance(value, HSG):
        raise DataError(
            f"the file contains a {value.kind}, not an HSG", where=str(file), fix="give a file with an HSG"
        )
    return value


def _parse(source: str, file: str, folder: Path, referring_files: tuple[Path, ...]) -> HSG:
    """Return the HSG in a text. `referring_files` are those whose `given` leads here; none may recur."""
    top = compose_yaml(source, file)
    fields = top.fields(_TOP_FIELDS, required=("semiosis", "sign", "reader", "root"))
    if fields["semiosis"].text() != "1":
        raise fields["semiosis"].error("this is not a version 1 reading", "write 'semiosis: 1'")
    sign = _sign(fields["sign"], folder)
    reading = _reading(fields, folder, referring_files)
    nodes = list(_nodes(fields["root"], sign))
    tree = [node.relation for node in nodes if node.relation]
    free = _free_relations(fields["relations"], nodes, tree) if "relations" in fields else []
    return HSG(sign, _take_up(nodes), tree + free, reading)


def _reading(fields: dict[str, YamlNode], folder: Path, referring_files: tuple[Path, ...]) -> Reading:
    detail = fields["detail"].text() if "detail" in fields else "standard"
    if detail not in DETAILS:
        raise fields["detail"].error(f"unknown detail {detail!r}", f"use one of: {', '.join(DETAILS)}")
    shown = fields["given"].items() if "given" in fields else []
    given = tuple(_given_id(item, folder, referring_files) for item in shown)
    interpreter = Interpreter(kind="person", name=fields["reader"].nonempty_text())
    return Reading(
        interpreter=interpreter,
        given=given,
        detail=detail,
        repeat=fields["repeat"].number() if "repeat" in fields else 0,
        language=fields["language"].text() if "language" in fields else "",
        supersedes=_hsg_id(fields["supersedes"]) if "supersedes" in fields else None,
    )


def _hsg_id(entry: YamlNode) -> str:
    if not re.fullmatch(ID_PATTERN, entry.text()):
        raise entry.error(f"{entry.text()!r} is not the id of an HSG", "run semiosis read FILE to see the id")
    return entry.text()


def _given_id(item: YamlNode, folder: Path, referring_files: tuple[Path, ...]) -> str:
    """Return the id of an HSG, which the file gives as an id or as the path of another reading."""
    name = item.text()
    if re.fullmatch(ID_PATTERN, name):
        return name
    other = folder / name
    if not is_file(other):
        raise item.error(
            f"{name!r} is neither the id of an HSG nor a file",
            "give the id of a reading, or its path relative to this file",
        )
    if resolve_path(other) in referring_files:
        raise item.error(
            "this reading is given to itself, directly or through other files", "remove it from the list"
        )
    return _read_hsg(other, referring_files).id


def _sign(entry: YamlNode, folder: Path) -> AnySign:
    fields = entry.fields(("text", "image", "parts", *_SIGN_FIELDS))
    kinds = [kind for kind in ("text", "image", "parts") if kind in fields]
    if len(kinds) != 1:
        raise entry.error(
            "a sign has exactly one of text, image and parts",
            "write 'text: …', 'image: file.png' or 'parts:' with a list",
        )
    try:
        sign = _sign_of(kinds[0], fields[kinds[0]], folder)
        if "language" in fields and not isinstance(sign, TextSign):
            raise fields["language"].error(
                "only a text has a language", "remove this line, or add it to the text among the parts"
            )
        return sign.model_copy(update={name: fields[name].text() for name in _SIGN_FIELDS if name in fields})
    except ValidationError as error:
        raise fields[kinds[0]].error(
            format_error(error), "give a text, an image, or a list of them"
        ) from error


def _sign_of(kind: str, entry: YamlNode, folder: Path) -> AnySign:
    if kind == "text":
        return TextSign(text=entry.text())
    if kind == "image":
        try:
            return image(folder / entry.text())
        except DataError as error:
            raise entry.error(f"{error.what}: {entry.text()!r}", error.fix) from error
    return CompositeSign(parts=tuple(_part_sign(item, folder) for item in entry.items()))


def _part_sign(entry: YamlNode, folder: Path) -> TextSign | ImageSign:
    sign = _sign(entry, folder)
    if not isinstance(sign, TextSign | ImageSign):
        raise entry.error("a part cannot have parts", "list all texts and images in one list")
    return sign


class _FileNode:
    """A node of the file: its id, its semiosis, and the relation to its whole."""

    def __init__(self, entry: YamlNode, number: int, whole: str, sign: AnySign) -> None:
        self.id = f"n{number}" if whole else "root"
        self.entry = entry
        self.fields = entry.fields((*_NODE_FIELDS, *RELATION_WORDS), required=_TRIAD, fixes=_NODE_FIXES)
        self.semiosis = _semiosis(entry, self.fields, sign)
        self.relation = _relation(entry, self.fields, whole, self.id)


def _nodes(entry: YamlNode, sign: AnySign) -> Iterator[_FileNode]:
    """Yield the root and all parts below it, whole before part, numbered in the order of the file."""
    number = 0
    todo = [(entry, "")]
    while todo:
        part_entry, whole = todo.pop()
        node = _FileNode(part_entry, number, whole, sign)
        yield node
        number += 1
        parts = node.fields["parts"].items() if "parts" in node.fields else []
        todo.extend((part, node.id) for part in reversed(parts))


def _semiosis(entry: YamlNode, fields: dict[str, YamlNode], sign: AnySign) -> Semiosis:
    try:
        return Semiosis(
            **{name: fields[name].nonempty_text() for name in _TRIAD},
            dynamic_object=fields["dynamic_object"].text() if "dynamic_object" in fields else "",
            importance=_importance(fields["importance"]) if "importance" in fields else None,
            grounds=_grounds(fields["grounds"]) if "grounds" in fields else Grounds(),
            **read_places(entry, fields, sign)._asdict(),
        )
    except ValidationError as error:
        raise entry.error(format_error(error), "fix this field") from error


def _grounds(entry: YamlNode) -> Grounds:
    fields = entry.fields(MODES, fixes=_reasons_cut_off(entry))
    return Grounds(**{mode: _ground(value) for mode, value in fields.items()})


def _reasons_cut_off(entry: YamlNode) -> dict[str, str]:
    """Return the fix for each part of a reason that a comma within braces made a field of its own."""
    fix = "quote the ground within braces, because a comma ends it: {indexical: '0.8, because …'}"
    return {name: fix for name in entry.field_names() if name not in MODES and " " in name.strip()}


def _importance(entry: YamlNode) -> float:
    """Return a strength from 0 to 1, which may be written in percent."""
    word = entry.text().strip()
    try:
        importance = float(word[:-1]) / 100 if word.endswith("%") else float(word)
    except ValueError:
        importance = -1.0
    if not 0 <= importance <= 1:
        raise entry.error(f"{word!r} is not an importance", "write a number from 0 to 1, or 0% to 100%")
    return importance


def _ground(entry: YamlNode) -> Ground:
    if _DECIMAL_COMMA.match(entry.text()):  # otherwise "0,8" is read as 0 with the reason "8"
        raise entry.error(f"{entry.text()!r} has a decimal comma", "write a point: '0.8, because …'")
    match = _GROUND.fullmatch(entry.text())
    word = match["strength"] if match else "not a number"
    try:
        strength = float(word[:-1]) / 100 if word.endswith("%") else float(word)
        return Ground(strength=strength, why=((match and match["why"]) or "").strip())
    except ValueError as error:
        example = "write a strength from 0 to 1 and a reason: '0.8, because …'"
        raise entry.error(f"{entry.text()!r} is not a ground", example) from error


def _relation(entry: YamlNode, fields: dict[str, YamlNode], whole: str, part: str) -> Relation | None:
    words = [word for word in RELATION_WORDS if word in fields]
    if not whole and words:
        raise fields[words[0]].error("the root is not part of a whole", "remove this line")
    if whole and len(words) != 1:
        raise entry.error(
            "a part needs exactly one relation to its whole",
            f"keep one of: {', '.join(f'{word}: …' for word in words or RELATION_WORDS)}",
        )
    return Relation(whole=whole, part=part, relation=words[0], how=fields[words[0]].text()) if whole else None


def _take_up(nodes: list[_FileNode]) -> dict[str, Semiosis]:
    """Return the semioses by node id, after resolving the labels of the nodes that they take up."""
    by_label = _ids_by_label(nodes)
    taken = {
        node.id: _node_labelled(node.fields["takes_up"], by_label)
        for node in nodes
        if "takes_up" in node.fields
    }
    for node in nodes:
        chain = [node.id]
        while chain[-1] in taken:
            if taken[chain[-1]] in chain:
                raise node.fields["takes_up"].error(
                    "the node takes up its own interpretant, through a cycle",
                    "remove 'takes_up' from one node of the cycle",
                )
            chain.append(taken[chain[-1]])
    return {
        node.id: node.semiosis.model_copy(update={"takes_up": taken[node.id]})
        if node.id in taken
        else node.semiosis
        for node in nodes
    }


def _ids_by_label(nodes: list[_FileNode]) -> dict[str, list[str]]:
    by_label: dict[str, list[str]] = {}
    for node in nodes:
        by_label.setdefault(node.semiosis.label, []).append(node.id)
    return by_label


def _free_relations(entry: YamlNode, nodes: list[_FileNode], tree: list[Relation]) -> list[Relation]:
    by_label = _ids_by_label(nodes)
    taken = {(relation.whole, relation.part) for relation in tree}
    free = []
    for item in entry.items():
        relation = _free_relation(item, by_label)
        if (relation.whole, relation.part) in taken:
            raise item.error(
                "these two nodes already have a relation", "keep one relation for each part and whole"
            )
        taken.add((relation.whole, relation.part))
        free.append(relation)
    return free


def _free_relation(entry: YamlNode, by_label: dict[str, list[str]]) -> Relation:
    fields = entry.fields(("part", "how", *RELATION_WORDS), required=("part",))
    words = [word for word in RELATION_WORDS if word in fields]
    if len(words) != 1:
        raise entry.error(
            "a free relation needs exactly one relation word", "write {part: lily, contrasts: skull, how: …}"
        )
    whole, part = _node_labelled(fields[words[0]], by_label), _node_labelled(fields["part"], by_label)
    if whole == part:
        raise entry.error("a semiosis cannot relate to itself", "name two different labels")
    how = fields["how"].text() if "how" in fields else ""
    return Relation(whole=whole, part=part, relation=words[0], how=how, hierarchy=False)


def _node_labelled(entry: YamlNode, by_label: dict[str, list[str]]) -> str:
    label = entry.text()
    ids = by_label.get(label, [])
    if len(ids) != 1:
        raise entry.error(
            f"{'more than one node is' if ids else 'no node is'} labelled {label!r}",
            "give each node its own label" if ids else f"use one of: {', '.join(by_label)}",
        )
    return ids[0]
