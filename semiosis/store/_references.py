"""References between values: the order in which values are written, and what may be removed."""

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from semiosis.values import KINDS, Recorded, StoreError, references

T = TypeVar("T")


def needs(value: Recorded) -> set[str]:
    """Return the ids of the values that this one refers to and does not include."""
    return {reference.value_id for reference in references(value) if not reference.included}


def in_order(values: Iterable[Recorded]) -> Iterator[Recorded]:
    """Yield the values, each after those to which it refers. A value that comes too early is deferred."""
    seen: set[str] = set()
    early: list[Recorded] = []
    for value in values:
        if needs(value) <= seen:
            seen.add(value.id)
            yield value
        else:
            early.append(value)
    yield from _layers(early)


def by_kind(values: Iterable[Recorded]) -> list[Recorded]:
    """Return the values grouped by kind, because a transaction needs fewer statements for fewer kinds."""
    rank = {kind: rank for rank, kind in enumerate(KINDS)}
    return sorted(values, key=lambda value: rank[value.kind])


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of at most `size`."""
    stream = iter(items)
    while chunk := list(islice(stream, size)):
        yield chunk


def _layers(values: list[Recorded]) -> Iterator[Recorded]:
    while values:
        waiting = {value.id for value in values}
        ready = [value for value in values if waiting.isdisjoint(needs(value))]
        yield from ready or values  # if references form a cycle, the store reports what is missing
        done = {value.id for value in ready or values}
        values = [value for value in values if value.id not in done]


def values_to_remove(
    values: Iterable[Recorded], ids: Collection[str], *, dependents: bool, where: str
) -> list[Recorded]:
    """Return the values with these ids; with `dependents`, also all values that refer to them.

    An unknown id is refused. A value to which another one refers is refused unless both are removed.
    """
    known = {value.id: value for value in values}
    if unknown := sorted(set(ids) - known.keys()):
        raise StoreError(f"no value has the id {unknown[0]!r}", where=where, fix="ids are 20 hex digits")
    users: dict[str, set[str]] = {}
    for value in known.values():
        for reference in references(value):
            users.setdefault(reference.value_id, set()).add(value.id)
    chosen, queue = set(ids), list(ids)
    while queue:
        new = users.get(queue.pop(), set()) - chosen
        if new and not dependents:
            raise _reference_error(new, known, where)
        chosen |= new
        queue += new
    return list(in_order(known[value_id] for value_id in known if value_id in chosen))


def _reference_error(users: Collection[str], known: dict[str, Recorded], where: str) -> StoreError:
    shown = ", ".join(f"{known[user].kind} {user}" for user in sorted(users)[:5])
    more = f" and {len(users) - 5} more" if len(users) > 5 else ""
    return StoreError(
        f"other values refer to the values to remove: {shown}{more}",
        where=where,
        fix="remove them too, with --dependents; nothing was removed",
    )
