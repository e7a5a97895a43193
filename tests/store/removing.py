"""Checks of removing and superseding, for both stores."""

import pytest

from semiosis.store import Store, library
from semiosis.values import HSG, Alignment, Recorded, StoreError
from tests.strategies import a_reading, a_text, an_alignment, an_hsg, an_image


def readings(store: Store) -> set[str]:
    """The ids of the HSGs that the library lists."""
    return {row["hsg"] for row in library()["readings"].run(store)}


def found(store: Store) -> set[str]:
    """The ids of the HSGs whose lilies a search finds."""
    return {row["id"].split("/")[0] for row in store.search("lily")}


def distances(store: Store) -> int:
    """The number of alignments between current readings in the graph."""
    cypher = "MATCH (:HSG)<-[:FROM]-(al:Alignment)-[:TO]->(:HSG) RETURN count(al) AS n"
    return int(store.query(cypher)[0]["n"])


def corrected() -> tuple[HSG, HSG, HSG, Alignment]:
    """A reading, its correction, a reading of an artifact, and the alignment of the first with it."""
    prompt = a_text("a prompt")
    first, artifact = an_hsg(prompt), an_hsg(an_image(prompt=prompt.id))
    second = an_hsg(prompt, reading=a_reading(supersedes=first.id))
    return first, second, artifact, an_alignment(first, artifact)


def superseding(store: Store) -> None:
    """Queries do not find a superseded reading until its successor is removed; it stays in the store."""
    first, second, artifact, alignment = corrected()
    store.save(first, artifact, alignment)
    assert readings(store) == {first.id, artifact.id}
    assert distances(store) == 1
    store.save(second)
    assert readings(store) == {second.id, artifact.id}
    assert found(store) == {second.id, artifact.id}
    assert distances(store) == 0
    assert store.load(first.id) == first
    assert {value.id for value in store.values()} >= {first.id, second.id, alignment.id}
    before = store.counts()
    store.save(second)
    assert store.counts() == before
    assert [value.id for value in store.remove(second.id)] == [second.id]
    assert readings(store) == found(store) == {first.id, artifact.id}
    assert distances(store) == 1


def removing(store: Store, values: list[Recorded]) -> None:
    """Removing added values restores the graph; a value that others need is kept."""
    store.save(*values)
    before = store.counts()
    first, _, artifact, alignment = corrected()
    store.save(first, artifact, alignment)
    with pytest.raises(StoreError, match=f"other values refer to .* alignment {alignment.id}"):
        store.remove(first.id)
    with pytest.raises(StoreError, match="no value has the id 'f00'"):
        store.remove(alignment.id, "f00")
    assert {value.id for value in store.remove(first.sign.id, dependents=True, dry_run=True)} == {
        *(first.sign.id, first.id, artifact.sign.id, artifact.id, alignment.id)
    }
    assert store.load(alignment.id) == alignment
    store.remove(first.sign.id, dependents=True)
    assert store.counts() == before
    assert {value.id for value in store.values()} == {value.id for value in values}
