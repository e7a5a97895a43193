"""Chooses the values to remove from a store, so that no reference to a removed value is left."""

from collections.abc import Collection, Iterable

from semiosis.store._order import in_order
from semiosis.values import Recorded, StoreError, references


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
