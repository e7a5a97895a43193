"""Reads YAML safely and keeps line numbers for messages. Scalars are not converted."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import yaml

from semiosis.values import DataError, printable

MAX_YAML_BYTES = 1_000_000
"""The maximum size of a file. A hand-written reading is a few kilobytes."""

MAX_DEPTH = 50
"""The maximum depth of nesting. A reading is a few levels deep."""
MAX_EVENTS = 50_000
"""The maximum number of keys, values and brackets in a file."""

_DIGITS = 9
"""The maximum number of digits in a number. No part, occurrence or repeat needs more."""


@dataclass(frozen=True)
class YamlNode:
    """A node of a YAML file, with its position."""

    node: yaml.Node
    """The composed node."""
    file: str
    """The file's name, for messages."""

    @property
    def where(self) -> str:
        """File and line."""
        return f"{self.file}:{self.node.start_mark.line + 1}"

    def error(self, what: str, fix: str) -> DataError:
        """Return an error about this node, with a fix."""
        return DataError(what, where=self.where, fix=fix)

    def text(self) -> str:
        """Return the scalar as text; raise if this is a list or a mapping."""
        if not isinstance(self.node, yaml.ScalarNode):
            raise self.error("expected text", "write one line, in quotes if it contains ':' or '#'")
        if printable(text := str(self.node.value)) != text:  # an escape may write any character
            raise self.error("a control character is not allowed in text", "remove it")
        return text.strip()

    def nonempty_text(self) -> str:
        """Return the scalar as text; raise if it is empty."""
        if not self.text():
            raise self.error("this value is empty", "write a few words")
        return self.text()

    def number(self) -> int:
        """Return the scalar as a whole number; raise if it is none."""
        if not self.text().isdecimal() or len(self.text()) > _DIGITS:
            raise self.error(f"{self.text()[:20]!r} is not a whole number", "write a number such as 1")
        return int(self.text())

    def items(self) -> list["YamlNode"]:
        """Return the items of a list; raise if this is no list."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.error("expected a list", "start each item with '- '")
        return [YamlNode(item, self.file) for item in self.node.value]

    def fields(
        self,
        allowed: tuple[str, ...],
        required: tuple[str, ...] = (),
        fixes: Mapping[str, str] | None = None,
    ) -> dict[str, "YamlNode"]:
        """Return the fields of a mapping. Unknown, repeated and missing fields are refused.

        `fixes` has what to do about unknown fields that users are likely to write.
        """
        fields: dict[str, YamlNode] = {}
        for key, value in self._pairs():
            name = key.text()
            if name in fields:
                raise key.error(f"{name!r} occurs twice", "keep one")
            if name not in allowed:
                close = get_close_matches(name, allowed, n=1)
                fix = f"did you mean {close[0]!r}?" if close else f"use one of: {', '.join(allowed)}"
                raise key.error(f"unknown field {name!r}", (fixes or {}).get(name, fix))
            fields[name] = value
        for name in required:
            if name not in fields:
                raise self.error(f"{name!r} is missing", f"add a line '{name}: …'")
        return fields

    def field_names(self) -> list[str]:
        """Return the names of the fields of a mapping, as they are written."""
        return [key.text() for key, _ in self._pairs() if key.is_text]

    @property
    def is_text(self) -> bool:
        """Whether this is a scalar."""
        return isinstance(self.node, yaml.ScalarNode)

    def _pairs(self) -> Iterator[tuple["YamlNode", "YamlNode"]]:
        if not isinstance(self.node, yaml.MappingNode):
            raise self.error("expected fields", "write 'name: value' lines")
        for key, value in self.node.value:
            yield YamlNode(key, self.file), YamlNode(value, self.file)


def _check_events(source: str, file: str) -> None:
    """Refuse aliases, tags, deep nesting and very many entries before a tree is built from them."""
    depth = 0
    for count, event in enumerate(yaml.parse(source, Loader=yaml.SafeLoader)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        problems = {
            "YAML aliases and tags are not supported": isinstance(event, yaml.AliasEvent) or _has_tag(event),
            f"the file is nested more than {MAX_DEPTH} levels deep": depth > MAX_DEPTH,
            f"the file has more than {MAX_EVENTS:,} entries": count > MAX_EVENTS,
        }
        for what in (what for what, occurs in problems.items() if occurs):
            where = f"{file}:{event.start_mark.line + 1}"
            raise DataError(what, where=where, fix="write one reading per file, in full and without tags")


def _has_tag(event: yaml.Event) -> bool:
    return getattr(event, "tag", None) is not None


def compose_yaml(source: str, file: str) -> YamlNode:
    """Return the root of a YAML text. Aliases and tags are refused, so nothing is expanded or constructed."""
    if len(source.encode(errors="replace")) > MAX_YAML_BYTES:
        raise DataError(
            f"the file has more than {MAX_YAML_BYTES:,} bytes", where=file, fix="write one reading per file"
        )
    try:
        _check_events(source, file)
        node = yaml.compose(source, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        line = source.count("\n", 0, error.position) + 1
        raise DataError(
            f"the character U+{error.character:04X} is not allowed in YAML",
            where=f"{file}:{line}",
            fix="remove it",
        ) from error
    except yaml.MarkedYAMLError as error:
        where = f"{file}:{error.problem_mark.line + 1}" if error.problem_mark else file
        raise DataError(
            f"not YAML: {error.problem}",
            where=where,
            fix="check the indentation, and quote texts that contain ':' or '#'",
        ) from error
    except (ValueError, OverflowError) as error:  # from PyYAML, for an escape such as \UFFFFFFFF
        raise DataError(
            "an escape does not name a character", where=file, fix="write the character itself"
        ) from error
    except RecursionError as error:
        raise DataError("the file is nested too deeply", where=file, fix="use fewer levels") from error
    if node is None:
        raise DataError("the file is empty", where=file, fix="write a reading; see docs: handwritten")
    return YamlNode(node, file)
