"""Two readers who see the same place of a sign and say something else."""

import pytest

from semiosis.align import same_place_pairs
from semiosis.values import HSG, Alignment, Relation, Semiosis, Span, UsageError
from tests.strategies import a_reading, a_semiosis, a_text, an_alignment

TEXT = "A white lily beside a skull"


def span(quote: str) -> Span:
    start = TEXT.index(quote)
    return Span(start=start, end=start + len(quote), quote=quote)


def read(name: str, *nodes: Semiosis, text: str = TEXT) -> HSG:
    semioses = {"root": a_semiosis("scene")} | {f"n{n}": node for n, node in enumerate(nodes, start=1)}
    relations = [
        Relation(part=node, relation="supports", whole="root") for node in semioses if node != "root"
    ]
    return HSG(a_text(text), semioses, relations, a_reading(name))


def align(first: HSG, second: HSG, matches: list[tuple[str, str]]) -> Alignment:
    return an_alignment(first, second, [("root", "root"), *matches])


def lily(object_: str, quote: str = "white lily") -> Semiosis:
    return a_semiosis("lily", object=object_, places=(span(quote),))


def test_the_lily_of_two_readers_is_one_pair() -> None:
    first, second = read("Ada", lily("Mary's purity")), read("Bo", lily("a bridal flower"))
    assert same_place_pairs(align(first, second, []), first, second) == (("n1", "n1"),)
    assert same_place_pairs(align(first, second, [("n1", "n1")]), first, second) == ()


def test_a_node_with_the_same_object_is_no_pair() -> None:
    first, second = read("Ada", lily("Mary's purity")), read("Bo", lily("mary's purity"))
    assert same_place_pairs(align(first, second, []), first, second) == ()


@pytest.mark.parametrize(
    ("quote", "is_pair"),
    [
        ("lily", False),  # 4 of the 10 characters of "white lily"
        ("white", True),  # 5 of 10
        ("a skull", False),
    ],
)
def test_half_of_the_characters_must_be_shared(quote: str, is_pair: bool) -> None:
    first, second = read("Ada", lily("Mary's purity")), read("Bo", lily("a bridal flower", quote))
    assert bool(same_place_pairs(align(first, second, []), first, second)) is is_pair


def test_each_node_is_in_the_pair_that_overlaps_most() -> None:
    first = read("Ada", lily("Mary's purity"))
    second = read("Bo", lily("a pale thing", "white"), lily("a bridal flower"))
    assert same_place_pairs(align(first, second, []), first, second) == (("n1", "n2"),)


def test_places_of_two_signs_are_not_compared() -> None:
    first, second = read("Ada", lily("Mary's purity")), read("Bo", lily("a flower"), text=f"{TEXT}.")
    assert same_place_pairs(align(first, second, []), first, second) == ()


def test_an_alignment_of_other_readings_is_refused() -> None:
    first, second = read("Ada", lily("Mary's purity")), read("Bo", lily("a flower"))
    with pytest.raises(UsageError, match="does not align"):
        same_place_pairs(align(first, second, []), second, first)
