"""A model as aligner: one question per pair, answered for every node, over real SDKs against a stand-in."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from semiosis.align import ModelAligner, diff
from semiosis.align._fate_form import fate_form
from semiosis.ask import Asker, Model, load_prompt
from semiosis.testing import AnswerStep, Call, StandIn, fates_by_label, refuses, says
from semiosis.values import FATES, HSG, Alignment, ModelError, Relation, TextSign, Unscored
from tests.align.hsgs import DOVE, LILY, LUTE, SKULL, hsg
from tests.read.conftest import make_asker
from tests.stand_in import FullStandIn

__all__ = ["make_asker"]

MakeAsker = Callable[..., Asker]
PROMPT = hsg(LILY, DOVE, SKULL)
ARTIFACT = hsg(DOVE, LILY, LUTE, sign=TextSign(text="an artifact"))

SHOWN = re.compile(r"^(\{\"id\": \"[PA]\d+\".*\})$", re.MULTILINE)


def shown(call: Call) -> dict[str, dict[str, str]]:
    """The nodes as the model saw them, by id."""
    nodes = [json.loads(line) for line in SHOWN.findall(call.text)]
    return {node["id"]: node for node in nodes}


def changed(answer: dict[str, Any], **change: Any) -> dict[str, Any]:
    """The answer with its last entry changed."""
    *rest, last = answer["fates"]
    return {"fates": [*rest, last | change]}


def aligner(provider: StandIn, asker: Asker, way: str = "anthropic") -> ModelAligner:
    url = provider.url if way == "anthropic" else provider.openai_url
    return ModelAligner(Model(f"{way}/stand-in", url), asker=asker)


def reordered(graph: HSG) -> HSG:
    """The same nodes under other names, in the opposite order."""
    names = {node: f"x{9 - number}" for number, node in enumerate(graph.semioses)} | {graph.root: graph.root}
    parts = [node for node in reversed(list(graph.semioses)) if node != graph.root]
    semioses = {names[node]: graph.semioses[node] for node in (graph.root, *parts)}
    relations = [
        Relation(whole=names[r.whole], part=names[r.part], relation=r.relation, how=r.how)
        for r in reversed(graph.relations)
    ]
    return HSG(graph.sign, semioses, relations, graph.reading)


def test_the_coroutine_aligns_in_any_event_loop(make_asker: MakeAsker) -> None:
    with StandIn(lambda call: says(fates_by_label(call))) as provider:
        asked = aligner(provider, make_asker())
        assert asyncio.run(asked.aalign(PROMPT, ARTIFACT)) == asked.align(PROMPT, ARTIFACT)
    with StandIn(lambda _: refuses()) as provider, pytest.raises(ModelError, match="refus"):
        asyncio.run(aligner(provider, make_asker()).aalign(PROMPT, ARTIFACT, repeat=1))


@pytest.mark.parametrize("way", ["anthropic", "openai"])
def test_every_node_gets_a_fate_and_the_reply_is_asked_for_once(way: str, make_asker: MakeAsker) -> None:
    with StandIn(lambda call: says(fates_by_label(call))) as provider:
        first = aligner(provider, make_asker(), way).align(PROMPT, ARTIFACT)
        second = aligner(provider, make_asker(), way).align(PROMPT, ARTIFACT)
    (call,) = provider.calls
    assert first == second
    assert {fate.node: (fate.fate, fate.targets) for fate in first.fates} == {
        "root": ("kept", ("root",)),
        "n1": ("kept", ("n2",)),
        "n2": ("kept", ("n1",)),
        "n3": ("lost", ()),
    }
    assert (first.aligner, first.emergent, first.distance) == ("model", ("n3",), 0.25)
    assert first.evaluator is not None
    assert first.evaluator.parameters["prompt_version"] == load_prompt("align").title
    assert first.served == call.body["model"]
    assert all(fate.why for fate in first.fates)


def test_the_question_depends_only_on_the_content_of_the_graphs() -> None:
    asked = ModelAligner("anthropic/claude").request
    here = asked(PROMPT, ARTIFACT)
    for pair in ((reordered(PROMPT), ARTIFACT), (PROMPT, reordered(ARTIFACT))):
        assert asked(*pair).key == here.key
    assert not re.search(r"\b(?:root|n[123])\b", "".join(getattr(part, "text", "") for part in here.parts))


def test_the_answer_is_mapped_back_to_the_nodes_it_is_about(make_asker: MakeAsker) -> None:
    with StandIn(lambda call: says(fates_by_label(call))) as provider:
        asked = aligner(provider, make_asker())
        plain, other = asked.align(PROMPT, ARTIFACT), asked.align(reordered(PROMPT), reordered(ARTIFACT))
    assert len(provider.calls) == 1  # the same question
    assert _fates_by_label(plain) == _fates_by_label(other)


def _fates_by_label(alignment: Alignment) -> set[tuple[str, str, tuple[str, ...]]]:
    source, target = alignment.source.nodes, alignment.target.nodes
    return {
        (source[fate.node].label, fate.fate, tuple(target[node].label for node in fate.targets))
        for fate in alignment.fates
    }


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"fate": "vanished"}, "fate"),
    ({"targets": ["A9"], "fate": "kept"}, "A9"),
    ({"node": "P9"}, "P9"),
    ({"node": "P1"}, "has no entry"),
    ({"fate": "lost", "targets": ["A2"]}, "names no target node"),
    ({"fate": "split", "targets": ["A2"]}, "at least two target nodes"),
    ({"fate": "diffused", "targets": ["A2"]}, "which is A1"),
    ({"fate": "kept", "targets": ["A1"]}, "both name A1"),
    ({"fate": "merged", "targets": ["FREE"]}, "no other node of P names as kept"),
    ({"probability": 101}, "100"),
]


@pytest.mark.parametrize(("change", "complaint"), WRONG)
def test_an_invalid_answer_is_sent_back(
    change: dict[str, Any], complaint: str, make_asker: MakeAsker
) -> None:
    def answer(call: Call) -> AnswerStep:
        good = fates_by_label(call)
        good["fates"].sort(key=lambda entry: entry["fate"] == "lost")  # the lost node is the one changed
        named = {target for entry in good["fates"] for target in entry["targets"]}
        free = next(name for name in ("A2", "A3", "A4") if name not in named)
        targets = [free if target == "FREE" else target for target in change.get("targets", [])]
        return says(good if call.re_ask else changed(good, **(change | {"targets": targets})))

    with StandIn(answer) as provider:
        found = aligner(provider, make_asker(re_asks=1)).align(PROMPT, ARTIFACT)
    assert len(provider.calls) == 2
    assert complaint in provider.calls[1].text
    assert found.lost == ("n3",)


@pytest.mark.parametrize("change", [{"node": "P9"}, {"targets": ["A9"], "fate": "kept"}])
def test_an_id_that_stays_unknown_is_unscored(change: dict[str, Any], make_asker: MakeAsker) -> None:
    with StandIn(lambda call: says(changed(fates_by_label(call), **change))) as provider:
        asker = make_asker(re_asks=1)
        (outcome,) = aligner(provider, asker).align_many([(PROMPT, ARTIFACT)])
    assert isinstance(outcome, Unscored)
    assert outcome.reason == "malformed"
    assert asker.budget.unscored == 1
    assert len(provider.calls) == 2


def test_a_target_that_is_still_shared_after_the_re_asks_is_accepted(make_asker: MakeAsker) -> None:
    def shares(call: Call) -> AnswerStep:
        answer = fates_by_label(call)
        root = next(entry for entry in answer["fates"] if entry["targets"])
        answer["fates"][-1] |= {"fate": "weakened", "targets": root["targets"]}
        return says(answer)

    with StandIn(shares) as provider:
        found = aligner(provider, make_asker(re_asks=1)).align(PROMPT, ARTIFACT)
    assert len(provider.calls) == 2
    assert len(found.matches) == len(found.matched)


def test_a_refusal_raises_or_is_unscored(make_asker: MakeAsker) -> None:
    with StandIn(lambda _: refuses()) as provider:
        asked = aligner(provider, make_asker())
        with pytest.raises(ModelError, match="refusal"):
            asked.align(PROMPT, ARTIFACT)
        (outcome,) = asked.align_many([(PROMPT, ARTIFACT)])
    assert isinstance(outcome, Unscored)


def test_a_dry_run_counts_the_question_and_asks_nothing(make_asker: MakeAsker) -> None:
    with StandIn([]) as provider:
        asker = make_asker(dry_run=True)
        found = list(aligner(provider, asker).align_many([(PROMPT, ARTIFACT), (PROMPT, PROMPT)]))
    assert provider.calls == []
    assert all(isinstance(outcome, Unscored) for outcome in found)
    assert asker.budget.spent.calls == 2


def test_questions_go_into_a_batch(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda call: says(fates_by_label(call)), polls=0) as provider:
        asker = make_asker(batch=True, batch_quiet=0.01, batch_poll=0.01)
        pairs = [(PROMPT, ARTIFACT), (ARTIFACT, PROMPT)]
        found = list(aligner(provider, asker).align_many(pairs))
    assert all(isinstance(outcome, Alignment) for outcome in found)
    assert sum(len(batch) for batch in provider.batches.values()) == 2


def test_diff_takes_a_model(make_asker: MakeAsker) -> None:
    with StandIn(lambda call: says(fates_by_label(call))) as provider:
        found = diff(PROMPT, ARTIFACT, aligner=aligner(provider, make_asker()))
    assert found.aligner == "model"


def test_the_form_is_flat_and_its_vocabularies_are_closed() -> None:
    schema = fate_form(("P1", "P2"), ("A1", "A2", "A3"), strict=True).model_json_schema()
    entry = schema["$defs"]["FateEntry"]["properties"]
    assert list(entry) == ["node", "why", "fate", "targets", "probability"]  # the reason before the fate
    assert entry["node"]["enum"] == ["P1", "P2"]
    assert entry["fate"]["enum"] == list(FATES)
    assert entry["targets"]["items"]["enum"] == ["A1", "A2", "A3"]
    assert "$ref" not in json.dumps(entry)
    assert list(schema["$defs"]) == ["FateEntry"]


def test_the_wording_defines_every_fate_and_every_field() -> None:
    body = load_prompt("align").body
    assert all(f"- {fate}:" in body for fate in FATES)
    assert all(f"- {field}:" in body for field in ("node", "why", "fate", "targets", "probability"))


def answering(fates: dict[str, tuple[str, list[str]]]) -> Callable[[Call], AnswerStep]:
    """Answer with fates by label: the fate of each node of P, and the labels of its targets in A."""

    def answer(call: Call) -> AnswerStep:
        nodes = shown(call)
        seen = {node["label"]: name for name, node in nodes.items() if name.startswith("A")}
        entries = [
            {
                "node": name,
                "why": "said so",
                "fate": fates[node["label"]][0],
                "targets": [seen[label] for label in fates[node["label"]][1]],
                "probability": 80,
            }
            for name, node in nodes.items()
            if name.startswith("P")
        ]
        return says({"fates": entries})

    return answer


def test_unrelated_graphs_are_lost_throughout(make_asker: MakeAsker) -> None:
    unrelated = hsg(LUTE, root=("a market", "the price of fish", "one hears haggling"))
    nothing: dict[str, tuple[str, list[str]]] = {
        label: ("lost", []) for label in ("picture", "lily", "descending", "table")
    }
    with StandIn(answering(nothing)) as provider:
        found = aligner(provider, make_asker()).align(PROMPT, unrelated)
    assert (found.matches, found.distance, len(found.emergent)) == ((), 1.0, 2)
    assert (found.matched_share, found.kept_share, found.recoverable_share) == (0, 0, 0)
    assert len(provider.calls) == 1


def test_split_and_merged_nodes_may_share_targets(make_asker: MakeAsker) -> None:
    """The lily is split over lily and dove, the dove is kept, the skull is merged into the dove."""
    stated: dict[str, tuple[str, list[str]]] = {
        "picture": ("weakened", ["picture"]),
        "lily": ("split", ["lily", "descending"]),
        "descending": ("kept", ["descending"]),
        "table": ("merged", ["descending"]),
    }
    with StandIn(answering(stated)) as provider:
        found = aligner(provider, make_asker()).align(PROMPT, ARTIFACT)
    assert len(provider.calls) == 1
    assert found.fate_of("n1").targets == ("n2", "n1")
    assert [found.fate_of(node).fate for node in ("root", "n1", "n2", "n3")] == [
        "weakened",
        "split",
        "kept",
        "merged",
    ]
    assert (found.matched_share, found.kept_share) == (1.0, 0.75)
    assert found.distance == 0.125  # one of four nodes has half a credit
    assert found.emergent == ("n3",)


def test_a_root_matched_with_a_part_is_sent_back(make_asker: MakeAsker) -> None:
    wrong: dict[str, tuple[str, list[str]]] = {
        "picture": ("kept", ["lily"]),
        "lily": ("lost", []),
        "descending": ("lost", []),
        "table": ("lost", []),
    }
    with StandIn(answering(wrong)) as provider:
        aligner(provider, make_asker(re_asks=1)).align(PROMPT, ARTIFACT)
    assert "P1 is the root of P; if it is kept, its target is A1" in provider.calls[1].text


def test_the_answer_to_a_large_graph_may_be_long() -> None:
    asked = ModelAligner("anthropic/claude").request
    large = hsg(*((f"a thing {n}", f"idea {n}", f"thought {n}") for n in range(60)))
    assert asked(PROMPT, ARTIFACT).settings["max_tokens"] == 4096
    assert asked(large, ARTIFACT).settings["max_tokens"] == 200 * 61
    limited = ModelAligner(Model("anthropic/claude", parameters={"max_tokens": 1000}))
    assert limited.request(large, ARTIFACT).settings["max_tokens"] == 1000
