"""SemJudge in three stages, through a real SDK and a stand-in provider."""

import asyncio
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from semiosis.ask import Asker, Model, Reply, Token, load_prompt
from semiosis.files import image
from semiosis.judge import PRESETS, Examinee, Judge, SemJudge, _form
from semiosis.judge._judgment_request import JudgmentSettings, direct_template, judgment_template
from semiosis.read import Reader
from semiosis.testing import Call, StandIn, Step, answers_from, refuses, says, wire
from semiosis.values import (
    HSG,
    ComparisonCase,
    ImageSign,
    Outcome,
    Question,
    Unscored,
    Usage,
    UsageError,
    text,
)
from tests.read.conftest import Garden

MakeAsker = Callable[..., Asker]


def semjudge(provider: StandIn, make_asker: MakeAsker, **settings: Any) -> SemJudge:
    return SemJudge(Model("anthropic/claude-sonnet-5", provider.url), asker=make_asker(), **settings)


def judgment(winner: str, *cited: tuple[str, str]) -> dict[str, Any]:
    citations = [{"node": node, "stance": stance, "rationale": f"{node} shows it"} for node, stance in cited]
    return {
        "chain_a": "the first",
        "chain_b": "the second",
        "citations": citations,
        "rationale": "so",
        "closeness": 2,
        "winner": winner,
    }


def answering(garden: Garden, judge: Callable[[Call], Step]) -> Callable[[Call], Step]:
    """Return a script that reads as the HSGs of the garden say and judges as `judge` does."""
    reads = answers_from(garden.hsgs)
    return lambda call: judge(call) if "winner" in call.schema.get("properties", {}) else reads(call)


def test_three_stages_both_orders_and_a_winner_whichever_is_shown_first(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    judge = semjudge(provider, make_asker)
    outcome = judge.compare(garden.prompt, garden.a, garden.b)
    assert outcome.winner == ("a" if garden.a.sha256 < garden.b.sha256 else "b")
    ab, ba = outcome.verdicts
    assert (ab.shown, ba.shown) == ("ab", "ba")
    assert ab.used == ba.used
    readings = {hsg.id: hsg for hsg in outcome.readings}
    assert set(ab.used) == set(readings)
    assert len(provider.calls) == 1 + 2 + 2
    prompt, a, b = (readings[used] for used in ab.used)
    assert (prompt.sign, a.sign, b.sign) == (garden.prompt, garden.a, garden.b)
    assert prompt.blind
    assert a.reading.given == b.reading.given == (prompt.id,)
    assert a.reading.beside == ()


def test_every_citation_names_an_existing_node_of_its_artifact(garden: Garden, make_asker: MakeAsker) -> None:
    script = answering(
        garden, lambda _: says(judgment("A", ("A.n1", "A"), ("B.root", "B"), ("P.n2", "neutral")))
    )
    with StandIn(script) as provider:
        outcome = semjudge(provider, make_asker).compare(garden.prompt, garden.a, garden.b)
    ab, ba = outcome.verdicts
    prompt, a, b = ab.used
    assert [(c.hsg, c.node, c.stance) for c in ab.citations] == [
        (a, "n1", "a"),
        (b, "root", "b"),
        (prompt, "n2", "neutral"),
    ]
    # In the order ba, the model's A is the comparison's b.
    assert [(c.hsg, c.node, c.stance) for c in ba.citations] == [
        (b, "n1", "b"),
        (a, "root", "a"),
        (prompt, "n2", "neutral"),
    ]
    assert (ab.winner, ba.winner) == ("a", "b")
    assert ab.rationale == "a: the first\nb: the second\nso"
    assert ba.rationale == "a: the second\nb: the first\nso"


def test_a_judge_that_follows_the_order_flips_and_a_flip_is_a_tie(
    garden: Garden, make_asker: MakeAsker
) -> None:
    script = answering(garden, lambda _: says(judgment("A", ("A.root", "A"))))
    with StandIn(script) as provider:
        outcome = semjudge(provider, make_asker).compare(garden.prompt, garden.a, garden.b)
    assert outcome.winner == "flip"
    assert outcome.winner_or_tie == "tie"


def test_a_citation_of_a_missing_node_is_sent_back_then_dropped_and_counted(
    garden: Garden, make_asker: MakeAsker
) -> None:
    bad = judgment("A", ("A.n1", "A"), ("A.n9", "A"), ("Z.root", "neutral"), ("B.root", "A"))
    with StandIn(answering(garden, lambda _: says(bad))) as provider:
        judge = semjudge(provider, make_asker, orders=("ab",))
        (verdict,) = judge.compare(garden.prompt, garden.a, garden.b).verdicts
    judgments = [call for call in provider.calls if "winner" in call.schema["properties"]]
    assert len(judgments) == 3  # the first request and two re-asks
    assert "no such node: A.n9, Z.root" in judgments[1].text
    assert [citation.node for citation in verdict.citations] == ["n1", "root"]
    assert [(d.claim, d.stance, d.reason) for d in verdict.dropped] == [
        ("A.n9", "a", "no such node"),
        ("Z.root", "neutral", "no such graph"),
    ]
    assert verdict.usage is not None
    assert verdict.usage.calls == 3


def test_a_citation_corrected_in_the_re_ask_is_not_dropped(garden: Garden, make_asker: MakeAsker) -> None:
    bad = judgment("A", ("A.n9", "A"), ("B.root", "A"))
    good = judgment("A", ("A.n1", "A"), ("B.root", "A"))
    with StandIn(answering(garden, lambda call: says(good if call.re_ask else bad))) as provider:
        outcome = semjudge(provider, make_asker).compare(garden.prompt, garden.a, garden.b)
    assert all(verdict.dropped == () for verdict in outcome.verdicts)


def test_readings_are_reused_in_every_comparison_of_an_artifact(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    judge = semjudge(provider, make_asker)
    judge.compare(garden.prompt, garden.a, garden.b)
    judge.compare(garden.prompt, garden.b, garden.a)
    readings = [call for call in provider.calls if "nodes" in call.schema["properties"]]
    assert len(readings) == 3


def test_joint_reading_shows_both_pictures_and_runs_again_when_they_are_swapped(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    judge = semjudge(provider, make_asker, stage2="joint")
    outcome = judge.compare(garden.prompt, garden.a, garden.b)
    joint = [call for call in provider.calls if {"a", "b"} <= call.schema["properties"].keys()]
    assert {call.images for call in joint} == {
        (garden.a.sha256, garden.b.sha256),
        (garden.b.sha256, garden.a.sha256),
    }
    readings = {hsg.id: hsg for hsg in outcome.readings}
    _, a, b = (readings[used] for used in outcome.verdicts[0].used)
    assert (a.sign, b.sign) == (garden.a, garden.b)
    assert (a.reading.beside, b.reading.beside) == ((garden.b.id,), (garden.a.id,))
    assert not a.blind
    _, swapped_a, _ = (readings[used] for used in outcome.verdicts[1].used)
    assert swapped_a.sign == garden.a


def test_hsgs_of_a_strong_reader_are_judged_as_they_are(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    judge = semjudge(provider, make_asker)
    outcome = judge.compare(*garden.hsgs)
    assert len(provider.calls) == 2
    assert outcome.verdicts[0].used == tuple(hsg.id for hsg in garden.hsgs)
    assert outcome.readings == ()


def test_builder_and_judge_may_differ(garden: Garden, provider: StandIn, make_asker: MakeAsker) -> None:
    builder = Reader(Model("anthropic/claude-opus-5", provider.url), asker=make_asker())
    judge = SemJudge(Model("anthropic/claude-haiku-5-5", provider.url), builder=builder)
    judge.compare(garden.prompt, garden.a, garden.b)
    asked = [(call.body["model"], "nodes" in call.schema["properties"]) for call in provider.calls]
    assert set(asked) == {("claude-opus-5", True), ("claude-haiku-5-5", False)}
    assert judge.asker is builder.asker
    assert judge.evaluator.parameters["builder"] == "anthropic/claude-opus-5"


def test_stage_three_sees_the_pictures_by_default(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    for images, seen in ((True, 2), (False, 0)):
        semjudge(provider, make_asker, images=images).compare(*garden.hsgs)
        assert len(provider.calls[-1].images) == seen
        assert '"A.n1"' in provider.calls[-1].text


def test_repeats_read_everything_again_unless_readings_are_reused(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    outcome = semjudge(provider, make_asker, repeats=2).compare(garden.prompt, garden.a, garden.b)
    assert len(provider.calls) == 2 * (1 + 2 + 2)
    assert outcome.repeat is None
    assert sorted((v.repeat, v.shown) for v in outcome.verdicts) == [
        (0, "ab"),
        (0, "ba"),
        (1, "ab"),
        (1, "ba"),
    ]
    provider.calls.clear()
    again = semjudge(provider, make_asker, repeats=3, reuse_readings=True)
    again.compare(garden.prompt, garden.a, garden.b)
    assert len(provider.calls) == 2  # the judgments of the third repeat; all other replies are in the journal


def test_the_direct_judge_sees_prompt_and_pictures_and_no_graph(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    judge = semjudge(provider, make_asker, preset="direct")
    outcome = judge.compare(garden.prompt, garden.a, garden.b)
    assert outcome.winner == ("a" if garden.a.sha256 < garden.b.sha256 else "b")
    assert len(provider.calls) == 2
    assert all(len(call.images) == 2 and "P.root" not in call.text for call in provider.calls)
    assert all(garden.prompt.text in call.text for call in provider.calls)


def test_root_only_reads_artifacts_as_one_semiosis_and_the_prompt_whole(
    garden: Garden, make_asker: MakeAsker
) -> None:
    roots = [wire(hsg) for hsg in garden.hsgs]
    for graph in roots[1:]:
        graph["nodes"] = graph["nodes"][:1]
    script = answering(garden, lambda _: says(judgment("A", ("A.root", "A"), ("B.root", "B"))))

    def answer(call: Call) -> Step:
        return says({**roots[1], "absences": []}) if "one single semiosis" in call.text else script(call)

    with StandIn(answer) as provider:
        judge = semjudge(provider, make_asker, preset="root-only", orders=("ab",))
        outcome = judge.compare(garden.prompt, garden.a, garden.b)
    readings = {hsg.id: hsg for hsg in outcome.readings}
    prompt, a, b = (readings[used] for used in outcome.verdicts[0].used)
    assert (len(prompt), len(a), len(b)) == (3, 1, 1)


def test_the_published_preset_is_joint_one_order_three_repeats(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    outcome = semjudge(provider, make_asker, preset="semjudge:published").compare(
        garden.prompt, garden.a, garden.b
    )
    assert {verdict.shown for verdict in outcome.verdicts} == {"ab"}
    assert len(outcome.verdicts) == 3
    assert len(provider.calls) == 3 * (1 + 1 + 1)


def test_a_failed_reading_leaves_the_comparison_unscored(garden: Garden, make_asker: MakeAsker) -> None:
    with StandIn(answers_from(garden.hsgs[:2])) as provider:  # it has no reading of b
        outcome = semjudge(provider, make_asker).compare(garden.prompt, garden.a, garden.b)
    assert isinstance(outcome.winner, Unscored)
    assert outcome.winner.reason == "refusal"
    assert all(verdict.citations == () for verdict in outcome.verdicts)


def test_a_refusal_in_one_order_is_not_a_winner(garden: Garden, make_asker: MakeAsker) -> None:
    def judge(call: Call) -> Step:
        return (
            refuses()
            if call.images[-1] == garden.a.sha256
            else says(judgment("A", ("A.root", "A"), ("B.root", "A")))
        )

    with StandIn(answering(garden, judge)) as provider:
        outcome = semjudge(provider, make_asker).compare(garden.prompt, garden.a, garden.b)
    assert isinstance(outcome.winner, Unscored)
    assert [isinstance(verdict.winner, Unscored) for verdict in outcome.verdicts] == [False, True]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_lost_picture_is_missing_and_not_a_vote(
    preset: str, garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    without_file = garden.b.model_copy(update={"path": "/nowhere.png"})
    outcome = semjudge(provider, make_asker, preset=preset).compare(garden.prompt, garden.a, without_file)
    assert isinstance(outcome.winner, Unscored)
    assert outcome.winner.reason == "missing"


def test_a_lost_picture_in_stage_three_too(garden: Garden, provider: StandIn, make_asker: MakeAsker) -> None:
    no_file = garden.b.model_copy(update={"path": "/nowhere.png"})
    prompt, a, b = garden.hsgs
    outcome = semjudge(provider, make_asker).compare(
        prompt, a, HSG(no_file, b.semioses, b.relations, b.reading)
    )
    assert isinstance(outcome.winner, Unscored)


def test_settings_that_change_verdicts_make_another_evaluator(
    provider: StandIn, make_asker: MakeAsker
) -> None:
    variants: list[dict[str, Any]] = [
        {},
        {"images": False},
        {"stage2": "joint"},
        {"detail": "complex"},
        {"orders": ("ab",)},
    ]
    variants += [{"preset": "direct"}, {"preset": "root-only"}]
    ids = {semjudge(provider, make_asker, **variant).evaluator.id for variant in variants}
    assert len(ids) == len(variants)


BUILDERS: list[dict[str, Any]] = [
    {},
    {"limits": {"standard": 2}},
    {"root_only": True},
    {"prompts": 1},
]


@pytest.mark.parametrize("changes", BUILDERS[1:])
def test_the_settings_of_the_builders_requests_are_part_of_the_judge(
    changes: dict[str, Any], provider: StandIn, make_asker: MakeAsker
) -> None:
    plain, other = (
        SemJudge("anthropic/x", builder=Reader("anthropic/y", asker=make_asker(), **settings)).evaluator.id
        for settings in ({}, changes)
    )
    assert plain != other


@pytest.mark.parametrize(
    "model",
    [
        Model("anthropic/y", parameters={"temperature": 0.2}),
        Model("anthropic/y", parameters={"max_tokens": 9000}),
        Model("anthropic/y", structured="native"),
    ],
)
def test_the_settings_of_a_model_are_part_of_its_evaluators(model: Model, make_asker: MakeAsker) -> None:
    asker, plain = make_asker(), Model("anthropic/y")
    for preset in PRESETS:
        judges = [
            SemJudge(judge, builder="anthropic/z", preset=preset, asker=asker) for judge in (plain, model)
        ]
        assert judges[0].evaluator.id != judges[1].evaluator.id
    readers = [SemJudge("anthropic/z", builder=builder, asker=asker) for builder in (plain, model)]
    assert readers[0].evaluator.id != readers[1].evaluator.id
    direct = [
        SemJudge("anthropic/z", builder=builder, preset="direct", asker=asker) for builder in (plain, model)
    ]
    assert direct[0].evaluator.id == direct[1].evaluator.id  # a direct judge does not read


def test_the_server_is_not_part_of_the_judge(make_asker: MakeAsker) -> None:
    asker = make_asker()
    here, there = (SemJudge(Model("openai/m", url), asker=asker) for url in ("http://a/v1", "http://b/v1"))
    assert here.evaluator.id == there.evaluator.id


def test_an_unknown_preset_names_the_known_ones(provider: StandIn, make_asker: MakeAsker) -> None:
    with pytest.raises(UsageError, match="no judge 'oracle'") as raised:
        semjudge(provider, make_asker, preset="oracle")
    assert "semjudge:published" in raised.value.fix


def test_semjudge_is_a_judge_and_acompare_its_coroutine(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    judge = semjudge(provider, make_asker)
    as_any_judge: Judge = judge

    async def elsewhere() -> Outcome:
        return await judge.acompare(*garden.hsgs)

    assert asyncio.run(elsewhere()) == as_any_judge.compare(*garden.hsgs)


@pytest.mark.slow
def test_a_dry_run_counts_every_call(tmp_path: Path, provider: StandIn, make_asker: MakeAsker) -> None:
    # 187 prompts, 5 images each, 1,870 pairs in both orders: 187 + 935 + 3,740 = 4,862 calls per repeat.
    # Here 11 prompts: 11 + 55 + 220 = 286 = 4,862 / 17.
    asker = make_asker(dry_run=True)
    judge = SemJudge(Model("anthropic/claude-sonnet-5", provider.url), asker=asker)
    for prompt_number in range(11):
        prompt = text(f"Prompt {prompt_number}")
        pictures = [_dot(tmp_path, prompt_number, number) for number in range(5)]
        for a, b in combinations(pictures, 2):
            judge.compare(prompt, a, b)
    assert asker.budget.spent.calls == 286
    assert asker.budget.spent.cost is not None
    assert provider.calls == []


def _dot(folder: Path, red: int, green: int) -> ImageSign:
    file = folder / f"{red}-{green}.png"
    Image.new("RGB", (2, 2), (red, green, 0)).save(file)
    return image(file)


def test_the_closeness_gives_a_probability_and_its_source(garden: Garden, make_asker: MakeAsker) -> None:
    # Closeness 2 stands for .85 for the winner. In the order ba the model's A is b.
    answer = says(judgment("A", ("A.root", "A"), ("B.root", "A")))
    with StandIn(answering(garden, lambda _: answer)) as provider:
        verdicts = semjudge(provider, make_asker).compare(garden.prompt, garden.a, garden.b).verdicts
    assert [(v.shown, v.p_a, v.p_a_source, v.closeness) for v in verdicts] == [
        ("ab", 0.85, "closeness", 2),
        ("ba", 0.15, "closeness", 2),
    ]


def test_token_probabilities_of_the_winner_come_before_the_closeness(
    garden: Garden, make_asker: MakeAsker
) -> None:
    # A server with OpenAI's API lists log probabilities: e^-0.2231 = .8 for A and e^-1.6094 = .2 for B.
    # In the order ba the model's A is b, so that p_a is .2.
    answer = judgment("A", ("A.root", "A"), ("B.root", "A"))
    before, _, rest = json.dumps(answer).partition('"winner": "')
    likeliest = [{"token": "A", "logprob": -0.22314355}, {"token": "B", "logprob": -1.60943791}]
    tokens = [
        {"token": before + '"winner": "', "logprob": 0.0, "top_logprobs": []},
        {**likeliest[0], "top_logprobs": likeliest},
        {"token": rest[1:], "logprob": 0.0, "top_logprobs": []},
    ]
    message = {"role": "assistant", "content": json.dumps(answer)}
    choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": {"content": tokens}}
    settings = {"logprobs": True, "top_logprobs": 5}
    with StandIn(answering(garden, lambda _: says(answer, choices=[choice]))) as provider:
        model = Model("openai/my-vllm", provider.openai_url, settings, "schema")
        for _ in range(2):  # asked, then served from the journal
            verdicts = SemJudge(model, asker=make_asker()).compare(garden.prompt, garden.a, garden.b).verdicts
            assert [(v.shown, v.p_a, v.p_a_source, v.closeness) for v in verdicts] == [
                ("ab", 0.8, "tokens", 2),
                ("ba", 0.2, "tokens", 2),
            ]
    assert all(call.body["top_logprobs"] == 5 for call in provider.calls)
    assert len(provider.calls) == 5


def test_the_criteria_are_the_same_with_and_without_graphs_and_stated_once() -> None:
    criteria = load_prompt("judge-criteria").body
    for name in ("judge", "judge-direct"):
        assert load_prompt(name).body.count(criteria) == 1
    assert criteria.count("counts twice as much") == 1


CRITERIA = (
    "a viewer who knows the conventions of the prompt's tradition and does not know the prompt",
    "Weigh each meaning by how much the prompt as a whole would lose without it",
    "A meaning that is omitted counts against a picture",
    "a mother who turns away from the child contradicts it",
    "What counts is whether the meaning arrives, not how",
    "A style or manner that the prompt names is part of its meaning",
    "A meaning that is contradicted, so that the viewer would understand the opposite, counts twice as much",
    "An addition that fits what the prompt means, as the same theme, period or mood, counts neither for nor",
    "If reference pictures come with the prompt, they are part of the prompt",
    "They are not candidates",
    "Damage, glitches, finish and format (such as space for a text) do not count by themselves",
    "A flaw of B speaks for A, and a flaw of A for B",
    "1 not close at all",
    "5 nearly equal",
    "The prompt is shown first, then picture A, then picture B",
    f"at most {_form.MAX_RATIONALE_CHARACTERS} characters",
)
WITH_GRAPHS = (
    "Where a graph and its picture disagree, the picture is right",
    "Where the graph of the prompt and the prompt disagree, the prompt is right",
    "you may also cite nodes of P",
    "two to ten entries",
    "Cite at least one node of A and one of B",
    "Cite only nodes that exist",
    "A node of P speaks for the picture that carries it better",
    "The stance is neutral if it speaks for both or for neither",
    "wordings, strengths of grounds, and how long or elegant a graph is do not count",
)


def test_every_criterion_is_stated_once() -> None:
    settings = JudgmentSettings(Model("anthropic/claude-sonnet-5"), language="fr")
    with_graphs, direct = judgment_template(settings).system, direct_template(settings).system
    for phrase in (*CRITERIA[:-1], "in French."):
        assert with_graphs.count(phrase) == direct.count(phrase) == 1, phrase
    assert CRITERIA[-1] in direct
    for phrase in WITH_GRAPHS:
        assert with_graphs.count(phrase) == 1, phrase
        assert phrase not in direct
    blind_to_pictures = judgment_template(replace(settings, images=False)).system
    assert "the picture is right" not in blind_to_pictures
    assert "You see the prompt and the graphs, not the pictures." in blind_to_pictures
    for template in (judgment_template(settings), direct_template(settings)):
        for field in template.answer.model_fields:
            assert re.search(rf"^- {field}: ", template.system, re.MULTILINE), field


def limits(schema: object) -> set[int]:
    """Return every limit on lengths and numbers that a schema states."""
    if isinstance(schema, list):
        return set().union(*map(limits, schema))
    if not isinstance(schema, dict):
        return set()
    own = {value for key, value in schema.items() if key in ("maxLength", "maximum", "minimum")}
    return own.union(*map(limits, schema.values()))


def test_the_prompts_state_every_limit_of_the_forms_and_demand_nothing_else(garden: Garden) -> None:
    settings = JudgmentSettings(Model("anthropic/claude-sonnet-5"))
    question = Question(sign=garden.a.id, text="Which?", choices=("one", "two"), correct=0)
    asked = Examinee(settings.model).task(question, garden.a).request()
    judged = judgment_template(settings)
    forms = [
        (judged.system, judged.answer.model_json_schema()),
        (direct_template(settings).system, direct_template(settings).answer.model_json_schema()),
        (asked.system, asked.schema),
    ]
    for system, schema in forms:
        for limit in limits(schema) - {60}:  # the longest node id: ids are copied, not chosen
            assert re.search(rf"\b{limit}\b", system), limit
        # No form counts sentences or words, so a prompt states them as a guide and never as a limit.
        counted = re.findall(r"(\S+) (?:one|two|three|four|five|\d+) (?:sentence|word)s?\b", system)
        assert set(counted) <= {"about"}
    assert "two to ten entries" in judged.system
    assert (_form.MIN_CITATIONS, _form.MAX_CITATIONS) == (2, 10)


def test_the_closeness_is_asked_for_as_the_probability_it_becomes() -> None:
    # Of twenty judges, nineteen agree with a winner of probability .95, seventeen with one of .85, and so on.
    stated = {1: "nineteen", 2: "seventeen", 3: "fifteen", 4: "thirteen", 5: "eleven"}
    numbers = {"nineteen": 19, "seventeen": 17, "fifteen": 15, "thirteen": 13, "eleven": 11}
    for name in ("judge", "judge-direct"):
        scale = load_prompt(name).body.split("- closeness: ")[1].split("\n")[0].split(". ", 1)[1]
        for step, part in enumerate(scale.split(" · "), start=1):
            assert part.startswith(str(step))
            assert stated[step] in part
            assert numbers[stated[step]] / 20 == _form.P_WINNER[step]


def test_token_probabilities_are_used_and_the_closeness_is_kept(garden: Garden) -> None:
    # Tokens give A .6 of .6 + .2, that is .75; closeness 2 alone would give .85.
    case = ComparisonCase(garden.prompt, garden.a, garden.b)
    tokens = (
        Token('{"rationale": "So.", "closeness": 2, "winner": "', 0.0, {}),
        Token("A", math.log(0.6), {"B": math.log(0.2)}),
        Token('"}', 0.0, {}),
    )
    answer = _form.DirectJudgment(rationale="So.", closeness=2, winner="A")
    judge = SemJudge("anthropic/claude-sonnet-5", preset="direct")
    for order, p_a in (("ab", 0.75), ("ba", 0.25)):
        task = judge.tasks(case)[order == "ba"]
        reply = Reply(answer, "served", Usage(), tokens=tokens)
        verdict = task.finish(reply)
        assert (verdict.p_a, verdict.p_a_source, verdict.closeness) == (p_a, "tokens", 2)


@pytest.mark.parametrize(
    ("cited", "complaint"),
    [
        ([("A.root", "A"), ("A.n1", "A")], "cite at least one node of B"),
        ([("P.root", "A"), ("P.n1", "A")], "cite at least one node of A"),
        ([("A.root", "A")], "give at least 2 citations"),
    ],
)
def test_both_pictures_are_cited(
    cited: list[tuple[str, str]], complaint: str, garden: Garden, make_asker: MakeAsker
) -> None:
    good = says(judgment("A", ("A.root", "A"), ("B.root", "A")))
    bad = says(judgment("A", *cited))
    with StandIn(answering(garden, lambda call: good if call.re_ask else bad)) as provider:
        outcome = semjudge(provider, make_asker, orders=("ab",)).compare(garden.prompt, garden.a, garden.b)
    assert complaint in provider.calls[-1].text
    assert outcome.winner == "a"


def test_a_judge_writes_in_one_language_and_reads_in_the_same(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    german = semjudge(provider, make_asker, language="de")
    german.compare(garden.prompt, garden.a, garden.b)
    assert all("in German." in call.text for call in provider.calls)
    assert german.evaluator.id != semjudge(provider, make_asker).evaluator.id


def test_builder_and_judge_share_a_language(provider: StandIn, make_asker: MakeAsker) -> None:
    german = Reader(Model("anthropic/claude-sonnet-5", provider.url), asker=make_asker(), language="de")
    with pytest.raises(UsageError, match="the builder reads in 'de', but the judge writes in 'en'"):
        SemJudge(german.model, builder=german)
    assert SemJudge(german.model, builder=german, language="de").builder is german


def test_blind_readings_are_judged_without_absences(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    outcome = semjudge(provider, make_asker, preset="semjudge:blind").compare(
        garden.prompt, garden.a, garden.b
    )
    assert all(hsg.blind and not hsg.absences for hsg in outcome.readings)
