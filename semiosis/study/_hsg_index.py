"""The HSGs of a study by id. An HSG in a file is built when it is needed; the last ones stay in memory."""

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from semiosis.files import from_folder, read_lines
from semiosis.values import HSG, AnySign, DataError, Reading, from_json, to_json

MAX_BUILT = 4096
"""The number of HSGs from files that stay in memory. An HSG of seven nodes takes about 35 kB."""
_SIGN: TypeAdapter[AnySign] = TypeAdapter(AnySign)


class StoredHSG(NamedTuple):
    """Where an HSG is in the record, and what is known about it without building it."""

    file: Path
    number: int
    """The number of its line."""
    start: int
    """Where its line starts, in bytes."""
    sign: str
    """The id of the sign that it reads."""
    reading: Reading
    """The interpreter and the conditions."""


class HSGIndex(MutableMapping[str, HSG]):
    """HSGs by id, each with the study's own description of its sign.

    An HSG in a file is checked when it is built. `semiosis study check` builds all of them.
    """

    def __init__(self, folder: Path, signs: Mapping[str, AnySign]) -> None:
        self._folder = folder
        self._signs = signs
        self._entries: dict[str, HSG | StoredHSG] = {}
        self._latest: OrderedDict[str, HSG] = OrderedDict()
        self._lock = Lock()

    def __getitem__(self, hsg_id: str) -> HSG:
        entry = self._entries[hsg_id]
        hsg = entry if isinstance(entry, HSG) else self._built(hsg_id, entry)
        return hsg.with_sign(self._signs.get(hsg.sign.id, hsg.sign))

    def __setitem__(self, hsg_id: str, hsg: HSG) -> None:
        self.store(hsg_id, hsg)

    def __delitem__(self, hsg_id: str) -> None:
        del self._entries[hsg_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, hsg_id: object) -> bool:
        return hsg_id in self._entries

    def entry(self, hsg_id: str) -> HSG | StoredHSG:
        """Return an HSG, or where it is in the record, without building it."""
        return self._entries[hsg_id]

    def store(self, hsg_id: str, entry: HSG | StoredHSG) -> None:
        """Add an HSG. It replaces an earlier one with the same id, unless they differ in level of detail.

        The level of detail is not part of the id. If readings at two levels have equal graphs, the standard
        one is used, whatever the order of the files. `semiosis study check` reports the other.
        """
        known = self._entries.get(hsg_id)
        if known is None or entry.reading.detail in (known.reading.detail, "standard"):
            self._entries[hsg_id] = entry

    def conditions(self) -> Iterator[tuple[str, str, Reading]]:
        """Yield id, sign and reading of every HSG, without building it."""
        for hsg_id, entry in self._entries.items():
            sign = entry.sign.id if isinstance(entry, HSG) else entry.sign
            yield hsg_id, sign, entry.reading

    def copy(self, signs: Mapping[str, AnySign]) -> "HSGIndex":
        """Return an index of the same HSGs, for a study with these signs."""
        index = HSGIndex(self._folder, signs)
        index._entries = dict(self._entries)
        return index

    def _built(self, hsg_id: str, entry: StoredHSG) -> HSG:
        with self._lock:
            if hsg_id in self._latest:
                self._latest.move_to_end(hsg_id)
                return self._latest[hsg_id]
        place = HSGPlace(hsg_id, str(entry.file), entry.number, entry.start)
        hsg = from_folder(hsg_at(place), self._folder)
        with self._lock:
            self._latest[hsg_id] = hsg
            if len(self._latest) > MAX_BUILT:
                self._latest.popitem(last=False)
        return hsg


class HSGPlace(NamedTuple):
    """Where a worker finds an HSG: a line of a file, or the line itself for an HSG that is not recorded."""

    id: str
    """The id of the HSG."""
    file: str = ""
    """The record file."""
    number: int = 0
    """The number of the line."""
    start: int = 0
    """Where the line starts, in bytes."""
    line: str = ""
    """The HSG as JSON, if no file has it."""


def place_of(hsgs: Mapping[str, HSG], hsg_id: str) -> HSGPlace:
    """Return the place of an HSG of a study."""
    entry = hsgs.entry(hsg_id) if isinstance(hsgs, HSGIndex) else hsgs[hsg_id]
    if isinstance(entry, HSG):
        return HSGPlace(hsg_id, line=to_json(entry))
    return HSGPlace(hsg_id, str(entry.file), entry.number, entry.start)


def hsg_at(place: HSGPlace) -> HSG:
    """Return the HSG at a place."""
    line: str | bytes = place.line
    if place.file:
        with open(place.file, "rb") as stream:  # noqa: PTH123  # a place is plain text, which is sent to workers
            stream.seek(place.start)
            line = stream.readline()
    where = f"{place.file}:{place.number}"
    value = from_json(line, where=where)
    if not isinstance(value, HSG) or value.id != place.id:
        raise DataError(
            f"the record has changed: HSG {place.id} is no longer on this line",
            where=where,
            fix="run the command again",
        )
    return value


def stored_hsgs(file: Path) -> Iterator[tuple[str, HSG | StoredHSG]]:
    """Yield the HSGs of a record file by id. A torn last line is left out.

    An HSG whose line this version writes differently, such as one without an id, is built at once.
    """
    start = 0
    readings: dict[str, Reading] = {}
    with file.open("rb") as stream:
        for number, line in enumerate(read_lines(stream, file), start=1):
            if not line.endswith(b"\n"):
                return
            if line.strip():
                found = _parse_conditions(line, readings)
                if found is None:
                    value = from_json(line, where=f"{file}:{number}")
                    assert isinstance(value, HSG)  # noqa: S101  # the folder holds nothing else
                    yield value.id, value
                else:
                    hsg_id, sign, reading = found
                    yield hsg_id, StoredHSG(file, number, start, sign, reading)
            start += len(line)


def _parse_conditions(line: bytes, readings: dict[str, Reading]) -> tuple[str, str, Reading] | None:
    """Return the id, sign and reading in a line; None if this version writes the line differently."""
    try:
        fields = json.loads(line)
        hsg_id, kind, version = fields["id"], fields["kind"], fields["version"]
        sign = _SIGN.validate_python(fields["sign"]).id
        reading_json = json.dumps(fields["reading"])
        reading = readings.get(reading_json) or Reading.model_validate(fields["reading"])
    except (ValueError, KeyError, TypeError, RecursionError, ValidationError):
        return None
    if kind != "hsg" or version != 1 or not isinstance(hsg_id, str):
        return None
    return hsg_id, sign, readings.setdefault(reading_json, reading)
