"""Hand-written HSGs: a scholar's YAML file becomes a checked HSG.

Quotes stand for spans, percent or pixels for boxes, nesting for the hierarchy; no ids are needed.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from semiosis.values._errors import DataError
from semiosis.values._handwritten_place import AnySign, placed
from semiosis.values._hsg import HSG
from semiosis.values._json import from_json
from semiosis.values._reading import DETAILS, Interpreter, Reading
from semiosis.values._semiosis import MODES, RELATION_WORDS, Ground, Grounds, Relation, Semiosis
from semiosis.values._sign import CompositeSign, TextSign, image
from semiosis.values._value import ID_PATTERN, told
from semiosis.values._yaml import Written, compose

_TOP = ("semiosis", "sign", "reader", "detail", "repeat", "given", "root", "relations")
_TRIAD = ("label", "sign", "object", "interpretant")
_NODE = (*_TRIAD, "dynamic object", "grounds", "place", "places", "parts")
_ABOUT = ("title", "tradition", "language")
_GROUND = re.compile(r"(?P<strength>[\d.]+%?)\s*(?:[,;:—–-]\s*(?:because\s+)?(?P<why>.*))?", re.DOTALL)


def read_yaml(path: str | Path) -> HSG:
    """The HSG a scholar wrote in a YAML file, checked; errors name the line and the fix."""
    file = Path(path)
    try:
        source = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"cannot read the file: {error}", where=str(path), fix="check the path; save it as UTF-8"
        ) from error
    return parse_yaml(source, file=str(path), folder=file.parent)


def parse_yaml(source: str, *, file: str = "reading.yaml", folder: Path = Path()) -> HSG:
    """The HSG written in a YAML text; images are looked for in the folder."""
    top = compose(source, file)
    fields = top.fields(_TOP, required=("semiosis", "sign", "reader", "root"))
    if fields["semiosis"].text() != "1":
        raise fields["semiosis"].wrong("this is not a version 1 reading", "write 'semiosis: 1'")
    sign = _sign(fields["sign"], folder)
    nodes = list(_nodes(fields["root"], sign))
    relations = [node.relation for node in nodes if node.relation] + _free(fields.get("relations"), nodes)
    try:
        return HSG(sign, {node.id: node.semiosis for node in nodes}, relations, _reading(fields, folder))
    except DataError as error:
        lines = {node.id: node.written.where for node in nodes}
        raise DataError(
            error.what, where=lines.get(error.node, file), node=error.node, fix=error.fix
        ) from error


def _reading(fields: dict[str, Written], folder: Path) -> Reading:
    detail = fields["detail"].text() if "detail" in fields else "standard"
    if detail not in DETAILS:
        raise fields["detail"].wrong(f"unknown detail {detail!r}", f"use one of: {', '.join(DETAILS)}")
    given = tuple(_given(item, folder) for item in fields["given"].items()) if "given" in fields else ()
    interpreter = Interpreter(kind="person", name=fields["reader"].text() or "unnamed")
    repeat = fields["repeat"].number() if "repeat" in fields else 0
    return Reading(interpreter=interpreter, given=given, detail=detail, repeat=repeat)


def _given(item: Written, folder: Path) -> str:
    """An HSG's id, or the id of the HSG in another reading file."""
    name = item.text()
    if re.fullmatch(ID_PATTERN, name):
        return name
    other = folder / name
    if not other.is_file():
        raise item.wrong(
            f"{name!r} is neither an HSG id nor a file beside this one",
            "give the path of a reading or its id",
        )
    return read_hsg(other).id


def read_hsg(path: str | Path) -> HSG:
    """The HSG in a file: hand-written YAML, or JSON."""
    file = Path(path)
    if file.suffix in {".yaml", ".yml"}:
        return read_yaml(file)
    try:
        source = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot read the file: {error}", where=str(path), fix="check the path") from error
    value = from_json(source, where=str(path))
    if not isinstance(value, HSG):
        raise DataError(f"this is a {value.kind}, not an HSG", where=str(path), fix="give a file with an HSG")
    return value


def _sign(written: Written, folder: Path) -> AnySign:
    fields = written.fields(("text", "image", "parts", *_ABOUT))
    kinds = [kind for kind in ("text", "image", "parts") if kind in fields]
    if len(kinds) != 1:
        raise written.wrong(
            "a sign is one of text, image or parts",
            "write 'text: …', 'image: file.png' or 'parts:' with a list",
        )
    about = {name: fields[name].text() for name in _ABOUT if name in fields}
    try:
        return _sign_of(kinds[0], fields[kinds[0]], folder).model_copy(update=about)
    except ValidationError as error:
        raise written.wrong(told(error), "see the example in the documentation") from error


def _sign_of(kind: str, written: Written, folder: Path) -> AnySign:
    if kind == "text":
        return TextSign(text=written.text())
    if kind == "image":
        try:
            return image(folder / written.text())
        except DataError as error:
            raise written.wrong(error.what, f"check {written.text()!r}: {error.fix}") from error
    parts = [_sign(item, folder) for item in written.items()]
    return CompositeSign.model_validate({"parts": [dict(part) for part in parts]})


class _Node:
    """A node as written: its id, its semiosis, and the relation to its whole."""

    def __init__(self, written: Written, number: int, whole: str, sign: AnySign) -> None:
        self.written = written
        self.id = f"n{number}" if whole else "root"
        words = RELATION_WORDS if whole else ()
        self.fields = written.fields((*_NODE, *words), required=_TRIAD)
        self.semiosis = _semiosis(written, self.fields, sign)
        self.relation = _relation(written, self.fields, whole, self.id) if whole else None


def _nodes(written: Written, sign: AnySign) -> Iterator[_Node]:
    """The root and all parts below it, whole before part, numbered in the order they are written."""
    number = 0
    todo = [(written, "")]
    while todo:
        at, whole = todo.pop()
        node = _Node(at, number, whole, sign)
        yield node
        number += 1
        parts = node.fields["parts"].items() if "parts" in node.fields else []
        todo.extend((part, node.id) for part in reversed(parts))


def _semiosis(written: Written, fields: dict[str, Written], sign: AnySign) -> Semiosis:
    try:
        return Semiosis(
            label=fields["label"].text(),
            sign=fields["sign"].text(),
            object=fields["object"].text(),
            interpretant=fields["interpretant"].text(),
            dynamic_object=fields["dynamic object"].text() if "dynamic object" in fields else "",
            grounds=_grounds(fields["grounds"]) if "grounds" in fields else Grounds(),
            **placed(written, fields, sign)._asdict(),
        )
    except ValidationError as error:
        raise written.wrong(told(error), "fill in the field") from error


def _grounds(written: Written) -> Grounds:
    fields = written.fields(MODES)
    return Grounds(**{mode: _ground(value) for mode, value in fields.items()})


def _ground(written: Written) -> Ground:
    spelled = _GROUND.fullmatch(written.text())
    word = spelled["strength"] if spelled else "not a number"
    try:
        strength = float(word[:-1]) / 100 if word.endswith("%") else float(word)
        return Ground(strength=strength, why=((spelled and spelled["why"]) or "").strip())
    except ValueError as error:
        example = "write a strength from 0 to 1 and a reason: '0.8, because …'"
        raise written.wrong(f"{written.text()!r} is not a ground", example) from error


def _relation(written: Written, fields: dict[str, Written], whole: str, part: str) -> Relation:
    words = [word for word in RELATION_WORDS if word in fields]
    if len(words) != 1:
        raise written.wrong(
            "a part says once how it bears on its whole",
            f"add one of: {', '.join(f'{w}: …' for w in RELATION_WORDS)}",
        )
    return Relation(whole=whole, part=part, relation=words[0], how=fields[words[0]].text())


def _free(written: Written | None, nodes: list[_Node]) -> list[Relation]:
    if written is None:
        return []
    by_label: dict[str, list[str]] = {}
    for node in nodes:
        by_label.setdefault(node.semiosis.label, []).append(node.id)
    return [_free_relation(item, by_label) for item in written.items()]


def _free_relation(written: Written, by_label: dict[str, list[str]]) -> Relation:
    fields = written.fields(("part", "how", *RELATION_WORDS), required=("part",))
    words = [word for word in RELATION_WORDS if word in fields]
    if len(words) != 1:
        raise written.wrong(
            "a free relation has one relation word", "write {part: lily, contrasts: skull, how: …}"
        )
    return Relation(
        whole=_labelled(fields[words[0]], by_label),
        part=_labelled(fields["part"], by_label),
        relation=words[0],
        how=fields["how"].text() if "how" in fields else "",
        hierarchy=False,
    )


def _labelled(written: Written, by_label: dict[str, list[str]]) -> str:
    label = written.text()
    ids = by_label.get(label, [])
    if len(ids) != 1:
        raise written.wrong(
            f"{'no node is' if not ids else 'more than one node is'} labelled {label!r}",
            f"labels here: {', '.join(by_label)}",
        )
    return ids[0]
