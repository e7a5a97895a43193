"""Search finds meaning in English, Chinese and Arabic."""

import pytest

from semiosis.store import EmbeddedStore
from semiosis.values import HSG, separate_cjk
from tests.strategies import a_reading, a_semiosis, a_text, an_hsg

MEANINGS = {
    "lily": ("a white lily", "purity", "grace abounds"),
    "雨": ("雨打芭蕉", "听雨", "孤独与乡愁"),
    "موت": ("جمجمة على الطاولة", "الموت", "زوال الدنيا"),
    "café": ("a café at night", "loneliness", "the city never sleeps"),
}


@pytest.fixture
def multilingual(store: EmbeddedStore) -> EmbeddedStore:
    for label, (sign, object_, interpretant) in MEANINGS.items():
        semiosis = a_semiosis(label, sign=sign, object=object_, interpretant=interpretant)
        store.save(HSG(a_text(f"about {label}"), {"root": semiosis}, [], a_reading()))
    return store


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("lily", "lily"),
        ("purity", "lily"),
        ("听雨", "雨"),  # a word in the middle of a sentence without spaces
        ("乡愁", "雨"),
        ("芭蕉", "雨"),
        ("الموت", "موت"),
        ("زوال", "موت"),
        ("café", "café"),
    ],
)
def test_a_word_is_found_first(multilingual: EmbeddedStore, text: str, label: str) -> None:
    assert multilingual.search(text)[0]["label"] == label


def test_an_absent_word_is_not_found(multilingual: EmbeddedStore) -> None:
    assert not list(multilingual.search("unicorn"))


def test_the_limit_applies(multilingual: EmbeddedStore) -> None:
    assert len(multilingual.search("lily 雨 الموت loneliness", limit=2)) == 2


@pytest.mark.slow
def test_words_are_found_in_a_large_study_and_after_it_grew(store: EmbeddedStore) -> None:
    labels = [f"thing{number}" for number in range(700)]
    for first in (0, 2):  # 1,400 nodes each time, more than the engine indexes automatically
        store.save(*(an_hsg(a_text(f"{first + extra}"), labels) for extra in (0, 1)))
        assert len(store.search("thing699")) == first + 2
        assert not store.search("thing699").hints


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("听雨", "听 雨"),
        ("the 雨 falls", "the 雨 falls"),
        ("ひらがな", "ひ ら が な"),
        ("한국", "한 국"),
        ("الموت", "الموت"),
        ("  two  words ", "two words"),
    ],
)
def test_letters_of_scripts_without_spaces_are_separated(text: str, expected: str) -> None:
    assert separate_cjk(text) == expected
