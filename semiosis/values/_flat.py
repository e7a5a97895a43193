"""Converts a semiosis to flat attributes of a graph's node, and back."""

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json as parse_json

from semiosis.values._errors import DataError
from semiosis.values._place import Place, UnresolvedPlace
from semiosis.values._semiosis import MODES, Ground, Mode, Relation, Semiosis
from semiosis.values._value import NODE_PATTERN, ReadOnlyDict, format_error

_PLACES: TypeAdapter[tuple[Place, ...]] = TypeAdapter(tuple[Place, ...])
_UNRESOLVED: TypeAdapter[tuple[UnresolvedPlace, ...]] = TypeAdapter(tuple[UnresolvedPlace, ...])
TEXT_FIELDS = ("label", "sign", "object", "interpretant", "dynamic_object", "nowhere")
OPTIONAL_FIELDS = ("absent", "takes_up", "importance")
"""Fields that ids, JSON and attributes contain only if they are set."""
_CONSENSUS = {"share", "sources"}
_ATTRIBUTES = {
    *(*TEXT_FIELDS, *OPTIONAL_FIELDS, *MODES, *(f"{mode}_why" for mode in MODES)),
    *("location", "places", "unresolved", *_CONSENSUS),
}
_NODE_ID = re.compile(NODE_PATTERN)


class Attributes(ReadOnlyDict[str, Any]):
    """The attributes of a node, an edge or the graph."""

    # NetworkX treats a pair (node, attributes) as the node itself if the pair is hashable.
    __hash__ = None  # type: ignore[assignment]  # marks the class as unhashable

    def pop(self, key: str, *default: Any) -> Any:  # type: ignore[override]  # the base never returns
        """Return the default for a missing key, as GraphML writers expect; refuse to remove a key."""
        return default[0] if default and key not in self else self._refuse()

    def __deepcopy__(self, memo: dict[int, object]) -> dict[str, Any]:  # type: ignore[override]  # a free copy
        return dict(self)


def check_node_id(node: object) -> None:
    if not isinstance(node, str) or not _NODE_ID.fullmatch(node):
        raise DataError(
            f"{node!r} is not a valid node id",
            fix="start with a letter; use letters, digits, '_' and '-': n1",
        )


def grounds_by_mode(semiosis: Semiosis) -> tuple[tuple[Mode, Ground], ...]:
    grounds = semiosis.grounds
    return ("iconic", grounds.iconic), ("indexical", grounds.indexical), ("symbolic", grounds.symbolic)


def is_set(semiosis: Semiosis, name: str) -> bool:
    """Return whether an optional field has a value. An importance of 0 is a value."""
    field = getattr(semiosis, name)
    return field is not None and field is not False


def flat_semiosis(semiosis: Semiosis) -> dict[str, str | float]:
    """Return the node's attributes as flat primitives, which GraphML and all other exporters accept."""
    flat: dict[str, str | float] = {name: getattr(semiosis, name) for name in TEXT_FIELDS}
    for mode, ground in grounds_by_mode(semiosis):
        flat[mode] = ground.strength
        flat[f"{mode}_why"] = ground.why
    flat["location"] = semiosis.location
    flat["places"] = _PLACES.dump_json(semiosis.places).decode() if semiosis.places else "[]"
    flat["unresolved"] = _UNRESOLVED.dump_json(semiosis.unresolved).decode() if semiosis.unresolved else "[]"
    flat |= {name: getattr(semiosis, name) for name in OPTIONAL_FIELDS if is_set(semiosis, name)}
    if semiosis.share is not None:
        flat |= {"share": semiosis.share, "sources": json.dumps(semiosis.sources)}
    return flat


def semiosis_of(node: str, attributes: Mapping[str, Any]) -> Semiosis:
    """Return the semiosis that flat attributes describe."""
    check_node_id(node)
    unknown = set(attributes) - _ATTRIBUTES
    if unknown:
        raise DataError(
            f"a semiosis has no attribute {min(unknown)!r}", node=node, fix="remove it from the graph"
        )
    try:
        grounds = {
            mode: {"strength": attributes.get(mode, 0.0), "why": attributes.get(f"{mode}_why", "")}
            for mode in MODES
        }
        return Semiosis.model_validate(
            {
                **{name: attributes.get(name, "") for name in TEXT_FIELDS},
                "grounds": grounds,
                "places": _parsed(attributes.get("places", "[]")),
                "unresolved": _parsed(attributes.get("unresolved", "[]")),
                **{name: _parsed(attributes[name]) for name in _CONSENSUS & attributes.keys()},
                **{name: attributes[name] for name in OPTIONAL_FIELDS if name in attributes},
            }
        )
    except ValidationError as error:
        raise DataError(
            f"its attributes are not a valid semiosis: {format_error(error)}",
            node=node,
            fix="correct the attribute",
        ) from error


def _parsed(attribute: object) -> object:
    """Return the list in a JSON text. Anything else is returned unchanged, and validation refuses it."""
    try:
        return parse_json(attribute) if isinstance(attribute, str) else attribute
    except ValueError:
        return attribute


def relation_of(whole: str, part: str, attributes: Mapping[str, Any]) -> Relation:
    try:
        return Relation(whole=whole, part=part, **attributes)
    except ValidationError as error:
        raise DataError(
            f"the edge {whole!r} → {part!r} is not a relation: {format_error(error)}",
            node=part,
            fix="an edge has the attributes relation, how and hierarchy",
        ) from error
