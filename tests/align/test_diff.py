"""Alignments as users see them."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import pytest

from semiosis.align import Aligner, UnmeasuredLanguageWarning, diff, diff_many
from semiosis.values import HSG, Alignment, Box, ImageSign, TextSign, UsageError, from_json, to_json
from tests.align.hsgs import DOVE, LILY, LUTE, SKULL, AngleEmbedder, HashEmbedder, at, hsg, weights_file


def picture(name: str) -> ImageSign:
    return ImageSign(sha256=name * 64, width=100, height=100, media_type="image/png")


def test_an_hsg_against_itself_keeps_everything() -> None:
    found = diff(hsg(LILY, DOVE), hsg(LILY, DOVE))
    assert [(m.source, m.target, m.p) for m in found.matches] == [
        ("root", "root", 1.0),
        ("n1", "n1", 1.0),
        ("n2", "n2", 1.0),
    ]
    assert (found.lost, found.emergent, found.distance) == ((), (), 0.0)


def test_missing_nodes_are_lost_and_new_nodes_emerge() -> None:
    source, target = hsg(LILY, DOVE, SKULL), hsg(DOVE, SKULL)
    found = diff(source, target)
    assert [(m.source, m.target) for m in found.matches] == [("root", "root"), ("n2", "n1"), ("n3", "n2")]
    assert (found.lost, found.emergent) == (("n1",), ())
    # Three of four nodes are there word for word; the fourth is a little like them.
    assert 1 / 8 < found.distance < 1 / 4
    back = diff(target, source)
    assert (back.lost, back.emergent) == ((), ("n1",))


def test_an_alignment_is_a_value_like_any_other() -> None:
    found = diff(hsg(LILY, DOVE), hsg(DOVE, SKULL, LUTE))
    assert from_json(to_json(found)) == found
    assert Alignment.model_validate(found.model_dump()) == found


def test_grounds_that_change_are_shown() -> None:
    found = diff(hsg(LILY), hsg(LILY, grounds=(0.9, 0.1, 0.2)))
    shift = found.matches[1].ground_shift
    assert (shift.iconic, shift.indexical, shift.symbolic) == (0.7, 0.0, -0.5)
    assert found.source.iconicity == pytest.approx(0.2)
    assert found.target.iconicity == pytest.approx(0.75)


def test_places_of_two_pictures_are_compared_in_words() -> None:
    corner = Box(x0=0.0, y0=0.0, x1=0.2, y1=0.2)
    a = hsg(LILY, sign=picture("a"), places={1: corner})
    b = hsg(LILY, sign=picture("b"), places={1: Box(x0=0.8, y0=0.8, x1=1.0, y1=1.0)})
    assert diff(a, b).matches[1].spatial == "upper left → lower right, overlap 0.00"
    assert diff(a, a).matches[1].spatial == "upper left, overlap 1.00"
    assert diff(hsg(LILY), b).matches[1].spatial == ""


def test_a_stream_yields_the_same_as_single_calls() -> None:
    pairs = [(hsg(LILY), hsg(DOVE, SKULL)), (hsg(LILY, DOVE), hsg(LILY, DOVE)), (hsg(LILY), hsg(SKULL))]
    assert list(diff_many(pairs)) == [diff(a, b) for a, b in pairs]
    assert list(diff_many([])) == []


def test_a_stream_yields_alignments_before_it_is_read_to_its_end() -> None:
    endless = repeat((hsg(LILY), hsg(DOVE)))
    assert next(diff_many(endless)).embedder == "wordllama"


@pytest.mark.slow
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_can_do_the_work(pool: type[ThreadPoolExecutor | ProcessPoolExecutor]) -> None:
    pairs = [(hsg(LILY, DOVE), hsg(SKULL, DOVE))] * 3000
    with pool(max_workers=2) as executor:
        found = list(diff_many(pairs, executor=executor))
    assert len(found) == 3000
    assert found[-1] == diff(*pairs[0])


CHINESE = hsg(
    ("白百合", "纯洁", "想起天真"),
    root=("整幅画", "圣母领报", "消息到来"),
    sign=TextSign(text="圣母领报", title="领报图"),
)


def test_two_scripts_are_refused_and_the_reading_to_repeat_is_named() -> None:
    with pytest.raises(UsageError, match="1 of 2 pairs mix languages or scripts") as refused:
        list(diff_many([(CHINESE, hsg(LILY)), (hsg(LILY), hsg(DOVE))]))
    assert f"'领报图' (Cjk letters; HSG {CHINESE.id})" in str(refused.value)
    assert "--embedder use-multilingual" in refused.value.fix
    assert hsg(LILY).id not in str(refused.value)


def test_a_language_that_was_never_measured_gives_a_warning() -> None:
    with pytest.warns(UnmeasuredLanguageWarning, match="measured in en only.*Cjk letters"):
        assert diff(CHINESE, CHINESE).distance == 0.0


def in_language(graph: HSG, language: str) -> HSG:
    reading = graph.reading.model_copy(update={"language": language})
    return HSG(graph.sign, graph.semioses, graph.relations, reading)


def test_two_languages_in_one_script_are_refused() -> None:
    english, french = (in_language(hsg(LILY), language) for language in ("en-GB", "fr"))
    with pytest.raises(UsageError, match="1 of 1 pairs mix languages") as refused:
        diff(english, french)
    assert f"('fr', Latin letters; HSG {french.id})" in str(refused.value)
    assert diff(english, in_language(hsg(DOVE), "en-US")).method  # regions of one language may be compared


def test_a_stated_language_that_was_never_measured_gives_a_warning() -> None:
    french = in_language(hsg(LILY), "fr")
    with pytest.warns(UnmeasuredLanguageWarning, match="measured in en only.*'fr'"):
        diff(french, french)


def test_a_multilingual_embedder_may_compare_scripts(tmp_path: Path) -> None:
    aligner = Aligner(
        AngleEmbedder(multilingual=True),
        weights=weights_file(tmp_path, languages=["en", "zh"]),
        cache=tmp_path,
    )
    root = ("整幅画", "圣母领报 0", "消息到来 0")
    chinese = hsg(("白百合", "纯洁 30", "想起天真 30"), root=root)
    assert len(aligner.diff((chinese, hsg(at(30), root=at(0)))).matches) == 2


def test_a_root_alone_can_be_aligned() -> None:
    assert diff(hsg(), hsg()).distance == 0.0
    assert diff(hsg(), hsg(LILY)).emergent == ("n1",)


def test_vectors_are_computed_once_and_kept(tmp_path: Path) -> None:
    first, second = HashEmbedder(), HashEmbedder()
    pairs = [(hsg(LILY, DOVE), hsg(DOVE, SKULL))]
    once = list(Aligner(first, cache=tmp_path).diff_all(pairs))
    again = list(Aligner(second, cache=tmp_path).diff_all(pairs))
    assert once == again
    assert len(first.seen) == len(set(first.seen)) == 8  # four texts and their objects
    assert second.seen == []


def test_vectors_are_computed_if_the_cache_folder_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    embedder = HashEmbedder()
    assert next(Aligner(embedder, cache=blocked).diff_all([(hsg(LILY), hsg(LILY))])).distance == 0.0
    assert embedder.seen
