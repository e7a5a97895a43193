"""The least certain nodes, put to someone who can read."""

from pathlib import Path

import pytest

from semiosis.align import Aligner, Doubt, diff
from semiosis.values import DataError, Unscored
from tests.align.made import DOVE, LILY, LUTE, SKULL, HashEmbedder, hsg


class Says:
    """Gives one answer to every doubt."""

    name = "Ada Example"

    def __init__(self, answer: str | Unscored | None) -> None:
        self.answer = answer
        self.asked: list[Doubt] = []

    def choose(self, doubt: Doubt) -> str | Unscored | None:
        self.asked.append(doubt)
        return self.answer


SOURCE, TARGET = hsg(LILY, DOVE), hsg(SKULL, LUTE)


@pytest.fixture
def aligner(tmp_path: Path) -> Aligner:
    return Aligner(HashEmbedder(), cache=tmp_path)


def test_a_chosen_match_is_made_and_says_who_chose_it(aligner: Aligner) -> None:
    judge = Says("n2")
    found = aligner.adjudicated((SOURCE, TARGET), judge)
    (doubt,) = judge.asked  # 15 % of three nodes, rounded up
    (chosen,) = [match for match in found.matches if match.adjudicated]
    assert (chosen.source, chosen.target, chosen.p) == (doubt.node, "n2", aligner.weights.adjudicated)
    assert set(doubt.choices) == {"n1", "n2"}
    assert found.method.endswith("adjudicated by Ada Example")
    assert found.id != next(aligner.diff_all([(SOURCE, TARGET)])).id


def test_answers_count_in_the_distance(aligner: Aligner) -> None:
    # Both parts were asked about; an answer is right with probability .95. The root is the same.
    kept, gone = (aligner.adjudicated((SOURCE, TARGET), Says(answer), share=1.0) for answer in ("n2", None))
    assert kept.distance == pytest.approx(1 - (1 + 0.95 + 0.95) / 3, abs=1e-6)
    assert gone.distance == pytest.approx(1 - (1 + 0.05 + 0.05) / 3, abs=1e-6)


def test_none_of_them_is_an_answer(aligner: Aligner) -> None:
    judge = Says(None)
    found = aligner.adjudicated((SOURCE, TARGET), judge, share=1.0)
    assert len(judge.asked) == 2
    assert found.lost == ("n1", "n2")
    assert [match.source for match in found.matches] == ["root"]


def test_a_doubt_without_an_answer_stays_as_it_was(aligner: Aligner) -> None:
    silent = aligner.adjudicated((SOURCE, TARGET), Says(Unscored(reason="refusal")), share=1.0)
    assert silent.matches == next(aligner.diff_all([(SOURCE, TARGET)])).matches


def test_an_answer_that_was_not_offered_is_refused(aligner: Aligner) -> None:
    with pytest.raises(DataError, match="'n9', which was not a choice"):
        aligner.adjudicated((SOURCE, TARGET), Says("n9"))


def test_diff_takes_an_adjudicator(tmp_path: Path) -> None:
    found = diff(SOURCE, TARGET, embedder=HashEmbedder(), cache=tmp_path, adjudicator=Says(None), share=1.0)
    assert found.lost == ("n1", "n2")
