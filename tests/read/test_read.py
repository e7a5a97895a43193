"""Readings of signs through a real SDK and a stand-in provider."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from semiosis.ask import Asker, Model
from semiosis.read import Reader
from semiosis.testing import StandIn, cut_off, refuses, says, wire
from semiosis.values import (
    HSG,
    Box,
    CompositeSign,
    DataError,
    ModelError,
    ProviderError,
    Span,
    Unscored,
    UsageError,
    text,
)
from tests.read.conftest import Garden, MakeReader


def meaning(hsg: HSG) -> dict[str, Any]:
    """Return the content of an HSG without its reader."""
    return {"nodes": {node: s.model_dump() for node, s in hsg.semioses.items()}, "relations": hsg.relations}


def test_a_prompt_is_read_blind_and_its_quotes_become_spans(
    garden: Garden, provider: StandIn, make_reader: MakeReader
) -> None:
    hsg = make_reader(provider).read(garden.prompt)
    assert meaning(hsg) == meaning(garden.hsgs[0])
    assert hsg.blind
    lily = hsg.semioses["n1"].places[0]
    assert isinstance(lily, Span)
    assert garden.prompt.text[lily.start : lily.end] == "white lily"
    who = hsg.reading.interpreter
    assert (who.kind, who.model, who.served) == ("model", "anthropic/claude-sonnet-5", "claude-sonnet-5")
    assert who.prompt_version == "hsg/3"


def test_a_picture_is_read_blind_or_given_the_prompts_hsg(
    garden: Garden, provider: StandIn, make_reader: MakeReader
) -> None:
    reader = make_reader(provider)
    prompt = reader.read(garden.prompt)
    blind, given = reader.read(garden.a), reader.read(garden.a, given=prompt)
    assert meaning(blind) == meaning(given) == meaning(garden.hsgs[1])
    assert blind.semioses["n1"].places == (Box(x0=0.1, y0=0.1, x1=0.4, y1=0.6),)
    assert blind.blind
    assert given.reading.given == (prompt.id,)
    assert blind.reading.interpreter == given.reading.interpreter == prompt.reading.interpreter
    shown_blind, shown_given = provider.calls[1:]
    assert garden.prompt.text not in shown_blind.text
    assert garden.prompt.text in shown_given.text
    assert '"P.n1"' in shown_given.text


def test_a_composite_prompt_is_read_whole(garden: Garden, make_reader: MakeReader) -> None:
    sign = CompositeSign(parts=(garden.prompt, garden.a))
    graph = wire(garden.hsgs[0])
    for node in graph["nodes"]:
        node["boxes"] = []
    graph["nodes"][1]["boxes"] = [{"item": 2, "box": [100, 100, 400, 600]}]
    with StandIn([says(graph)]) as provider:
        hsg = make_reader(provider).read(sign)
    span, box = hsg.semioses["n1"].places
    assert (span.part, box.part) == (0, 1)
    assert provider.calls[0].images == (garden.a.sha256,)
    assert "item 2" in provider.calls[0].text


def test_what_does_not_resolve_is_kept_as_unlocated(garden: Garden, make_reader: MakeReader) -> None:
    graph = wire(garden.hsgs[0])
    graph["nodes"][1]["quotes"] = [{"item": 1, "quote": "a black tulip", "occurrence": 1}]
    graph["nodes"][2]["quotes"] = [{"item": 1, "quote": "the", "occurrence": 9}]
    picture = wire(garden.hsgs[1])
    graph["nodes"][2]["nowhere"] = ""
    boxes = [[400, 100, 100, 600], [0, 0, 1011, 10], [-11, 0, 9, 9], [0, 0, 9, 9, 9], [5, 5, 5, 9]]
    picture["nodes"][1]["boxes"] = [{"item": 1, "box": box} for box in boxes]
    with StandIn([says(graph), says(picture)]) as provider:
        reader = make_reader(provider)
        prompt, artifact = reader.read(garden.prompt), reader.read(garden.a)
    assert prompt.unlocated == ("n1", "n2")
    assert prompt.semioses["n1"].unresolved[0].claim == "a black tulip"
    assert artifact.unlocated == ("n1",)
    assert [claim.reason for claim in artifact.semioses["n1"].unresolved] == [
        "the edges of the box are out of order",
        "the box extends beyond the image",
        "the box extends beyond the image",
        "a box needs four whole numbers",
        "the box has no area",
    ]


def test_geminis_boxes_have_another_order(garden: Garden, make_asker: Callable[..., Asker]) -> None:
    graph = wire(garden.hsgs[1])
    graph["nodes"][1]["boxes"] = [{"item": 1, "box": [100, 200, 300, 900]}]
    with StandIn([says(graph)]) as provider:
        model = Model("openai/gemini-3-flash", provider.openai_url)
        assert (
            model.profile.boxes == "xyxy"
        )  # the first pattern that fits wins: this is an OpenAI-like server
        google = Model("openrouter/google/gemini-3-flash", provider.openai_url)
        hsg = Reader(google, asker=make_asker()).read(garden.a)
    assert hsg.semioses["n1"].places == (Box(x0=0.2, y0=0.1, x1=0.9, y1=0.3),)
    assert "y0 x0 y1 x1" in provider.calls[0].text


def test_what_is_missing_is_an_absence_and_no_node(garden: Garden, make_reader: MakeReader) -> None:
    absences = [
        {"node": "P.n1", "state": "replaced", "instead": "a rose"},
        {"node": "P.n2", "state": "missing", "instead": ""},
    ]
    wrong = [{"node": "P.n9", "state": "missing", "instead": "a rose"}, absences[1], absences[1]]
    graph = wire(garden.hsgs[1])
    with StandIn([says({**graph, "absences": wrong}), says({**graph, "absences": absences})]) as provider:
        hsg = make_reader(provider).read(garden.a, given=garden.hsgs[0])
    assert [(absence.node, absence.status, absence.by) for absence in hsg.absences] == [
        ("n1", "replaced", "a rose"),
        ("n2", "missing", ""),
    ]
    assert {absence.hsg for absence in hsg.absences} == {garden.hsgs[0].id}
    assert "P.n9, which is not a node of the prompt" in provider.calls[1].text
    assert "'instead' is filled exactly if" in provider.calls[1].text
    assert "absences name P.n2 twice" in provider.calls[1].text
    assert meaning(hsg) == meaning(garden.hsgs[1])


def test_the_language_is_asked_for_and_recorded(
    garden: Garden, provider: StandIn, make_reader: MakeReader
) -> None:
    german, english = make_reader(provider, language="de"), make_reader(provider)
    assert german.read(garden.prompt).reading.language == "de"
    assert "Quotes, ids and fixed words" in provider.calls[0].text
    assert "Write everything else in German." in provider.calls[0].text
    assert english.read(garden.prompt).reading.language == "en"


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda g: g["nodes"][1].update(parent="n9"), "'n9' is not an earlier node"),
        (lambda g: g["nodes"][1].update(parent="n1"), "'n1' is not an earlier node"),
        (lambda g: g["nodes"].append(g["nodes"][1]), "two nodes have the id n1"),
        (lambda g: g["nodes"].pop(0), "the first node must be the root"),
        (lambda g: g["nodes"].reverse(), "the first node must be the root"),
        (lambda g: g["nodes"][0].update(parent="n1"), "the first node must be the root"),
        (lambda g: g["nodes"][1].update(relation="root"), "only the root has the relation"),
        (lambda g: g["nodes"][1].update(object="  "), "object must not be blank"),
        (lambda g: g["nodes"][1].update(label=g["nodes"][2]["label"].upper()), "two nodes have the label"),
        (lambda g: g["nodes"][1].update(quotes=[]), "node n1: give either a place or a reason"),
        (lambda g: g["nodes"][1].update(nowhere="everywhere"), "node n1: give either a place or a reason"),
        (lambda g: g["nodes"][0].update(quotes=g["nodes"][1]["quotes"]), "the root has no place"),
        (lambda g: g["nodes"][0].update(nowhere=" "), "its 'nowhere' says that it is the whole"),
        (lambda g: g["nodes"][1].update(how=""), "node n1: 'how' is empty for the root"),
        (lambda g: g["nodes"][0].update(how="wholly"), "node root: 'how' is empty for the root"),
        (lambda g: g["nodes"][1].update(indexical_why=""), "node n1: give a reason for indexical"),
        (lambda g: g["nodes"][1].update(sign="s" * 401), "at most 400 characters"),
        (
            lambda g: g["relations"].append(
                {"source": "n2", "target": "n1", "relation": "contrasts", "how": " "}
            ),
            "n2 to n1 needs a 'how'",
        ),
        (lambda g: g["nodes"][2].update(id="n5"), "the ids must be root, n1, n2"),
        (
            lambda g: g["nodes"][1].update(dynamic_object=g["nodes"][1]["object"].upper()),
            "sign, object, interpretant and dynamic_object must not repeat",
        ),
        (
            lambda g: g["relations"].append(
                {"source": "n1", "target": "n2", "relation": "contrasts", "how": "old and new"}
            ),
            "for 'contrasts' the source is the later node, here n2",
        ),
        (
            lambda g: g["relations"].extend(
                {"source": s, "target": t, "relation": "supports", "how": "each other"}
                for s, t in (("n1", "n2"), ("n2", "n1"))
            ),
            "give at most one between n1 and n2",
        ),
        (lambda g: g["nodes"][1].update(iconic=101), "less than or equal to 100"),
        (lambda g: g["nodes"][1].update(iconic="high"), "valid integer"),
        (lambda g: g["nodes"][1].update(colour="red"), "Extra inputs"),
        (
            lambda g: g["relations"].append(
                {"source": "n1", "target": "n7", "relation": "supports", "how": ""}
            ),
            "names n7",
        ),
        (
            lambda g: g["relations"].append(
                {"source": "n1", "target": "root", "relation": "supports", "how": ""}
            ),
            "n1 and root are parent and child",
        ),
    ],
)
def test_an_invalid_graph_is_sent_back_with_the_reason(
    spoil: Callable[[dict[str, Any]], object], complaint: str, garden: Garden, make_reader: MakeReader
) -> None:
    good, bad = wire(garden.hsgs[0]), wire(garden.hsgs[0])
    spoil(bad)
    with StandIn([says(bad), says(good)]) as provider:
        hsg = make_reader(provider).read(garden.prompt)
    assert meaning(hsg) == meaning(garden.hsgs[0])
    assert complaint in provider.calls[1].text


def test_more_sub_semioses_than_asked_for_are_sent_back_then_kept(
    garden: Garden, make_asker: Callable[..., Asker]
) -> None:
    graph = wire(garden.hsgs[0])
    graph["nodes"] += [{**graph["nodes"][1], "id": f"n{n}", "label": f"another lily {n}"} for n in (3, 4)]
    with StandIn(lambda _: says(graph)) as provider:
        reader = Reader(Model("anthropic/claude-sonnet-5", provider.url), asker=make_asker(re_asks=1))
        standard = reader.read(garden.prompt)
        complex_ = reader.read(garden.prompt, detail="complex")
    assert len(standard) == len(complex_) == 5
    assert "at most 4 items" in provider.calls[1].text
    assert len(provider.calls) == 3
    assert "at most 5 further nodes" in provider.calls[2].text
    assert complex_.reading.detail == "complex"


def test_root_only_asks_for_one_semiosis(garden: Garden, make_reader: MakeReader) -> None:
    graph = wire(garden.hsgs[1])
    graph["nodes"] = graph["nodes"][:1]
    with StandIn([says(graph)]) as provider:
        hsg = make_reader(provider, root_only=True).read(garden.a)
    assert list(hsg.semioses) == ["root"]
    assert hsg.reading.interpreter.parameters["root_only"] is True
    assert "one single semiosis" in provider.calls[0].text


def test_repeats_are_other_hsgs_and_reading_again_costs_nothing(
    garden: Garden, provider: StandIn, make_reader: MakeReader
) -> None:
    reader = make_reader(provider)
    first, again, second = (
        reader.read(garden.prompt),
        reader.read(garden.prompt),
        reader.read(garden.prompt, repeat=1),
    )
    assert first == again
    assert second.id != first.id
    assert second.reading.repeat == 1
    assert len(provider.calls) == 2


@pytest.mark.parametrize(
    ("step", "error", "said"),
    [
        (refuses("I may not."), ModelError, "refusal"),
        (cut_off(), ModelError, "cut-off"),
        (says("?"), ModelError, "malformed"),
    ],
)
def test_read_raises_what_the_model_did_with_its_raw_reply(
    step: Any, error: type[ModelError], said: str, garden: Garden, make_reader: MakeReader
) -> None:
    with StandIn(lambda _: step) as provider, pytest.raises(error, match=said) as raised:
        make_reader(provider).read(garden.prompt)
    assert raised.value.raw == step.text


def test_a_lost_budget_and_a_lost_file_have_different_reasons(
    garden: Garden, make_asker: Callable[..., Asker], make_reader: MakeReader, provider: StandIn
) -> None:
    with pytest.raises(ProviderError, match="budget"):
        make_reader(provider, asker=make_asker(max_cost=0.0001)).read(garden.prompt)
    with pytest.raises(DataError, match="missing"):
        make_reader(provider).read(garden.a.model_copy(update={"path": "/nowhere.png"}))
    assert provider.calls == []


def test_read_many_streams_in_order_and_a_failure_keeps_its_place(
    garden: Garden, provider: StandIn, make_reader: MakeReader
) -> None:
    unknown = text("Nobody has read this")
    gone = garden.b.model_copy(update={"path": "/nowhere.png"})
    read = list(make_reader(provider).read_many([garden.prompt, unknown, garden.a, gone, garden.b]))
    reasons = [hsg.reason if isinstance(hsg, Unscored) else meaning(hsg) for hsg in read]
    assert reasons == [
        meaning(garden.hsgs[0]),
        "refusal",
        meaning(garden.hsgs[1]),
        "missing",
        meaning(garden.hsgs[2]),
    ]


def test_read_many_stops_asking_when_it_is_closed(
    garden: Garden, make_asker: Callable[..., Asker], make_reader: MakeReader
) -> None:
    graph = wire(garden.hsgs[0])
    for node in graph["nodes"]:
        node |= {"quotes": [], "nowhere": "everywhere"}
    with StandIn(lambda _: says(graph)) as provider:
        asker = make_asker(in_flight=2)
        stream = make_reader(provider, asker=asker).read_many(
            text(f"prompt {number}") for number in range(1000)
        )
        assert isinstance(next(stream), HSG)
        stream.close()  # type: ignore[attr-defined]  # it is a generator
        assert len(provider.calls) < 20


def test_aread_works_on_any_loop(garden: Garden, provider: StandIn, make_reader: MakeReader) -> None:
    async def everything() -> list[HSG]:
        reader = make_reader(provider)
        return list(
            await asyncio.gather(*(reader.aread(sign) for sign in (garden.prompt, garden.a, garden.b)))
        )

    assert [meaning(hsg) for hsg in asyncio.run(everything())] == [meaning(hsg) for hsg in garden.hsgs]


def test_a_model_brings_its_own_settings(provider: StandIn) -> None:
    with pytest.raises(UsageError, match="cannot be combined with a Model"):
        Reader(Model("anthropic/x", provider.url), temperature=0.5)


def test_settings_reach_the_provider_and_the_interpreter(
    garden: Garden, provider: StandIn, make_asker: Callable[..., Asker]
) -> None:
    reader = Reader(
        "anthropic/claude-sonnet-5",
        asker=make_asker(),
        base_url=provider.url,
        temperature=0.5,
        max_tokens=999,
    )
    hsg = reader.read(garden.prompt)
    assert (provider.calls[0].body["temperature"], provider.calls[0].body["max_tokens"]) == (0.5, 999)
    assert hsg.reading.interpreter.parameters["temperature"] == 0.5


def test_chinese_and_emoji_are_quoted_by_code_points(make_reader: MakeReader, garden: Garden) -> None:
    sign = text("一朵白百合🌸，像安全一样白百合")
    graph = wire(garden.hsgs[0])
    for node in graph["nodes"]:
        node |= {"quotes": [], "nowhere": "everywhere"}
    graph["nodes"][1] |= {"quotes": [{"item": 1, "quote": "白百合", "occurrence": 2}], "nowhere": ""}
    with StandIn([says(graph)]) as provider:
        hsg = make_reader(provider).read(sign)
    place = hsg.semioses["n1"].places[0]
    assert isinstance(place, Span)
    assert (place.start, place.end) == (12, 15)


@pytest.mark.parametrize(
    "quote",
    [
        {"quote": ""},
        {"quote": "t", "occurrence": None},
        {"quote": "x" * 5000},
        {"quote": "a golden crown"},
    ],
)
def test_a_wrong_quote_is_counted_and_not_paid_for_again(
    quote: dict[str, Any], garden: Garden, make_reader: MakeReader
) -> None:
    graph = wire(garden.hsgs[0])
    graph["nodes"][1] |= {"quotes": [{"item": 1, "occurrence": 1, **quote}], "nowhere": ""}
    with StandIn(lambda _: says(graph)) as provider:
        hsg = make_reader(provider).read(garden.prompt)
    assert len(provider.calls) == 1
    assert hsg.unlocated == ("n1",)


@pytest.mark.parametrize(
    ("box", "location"),
    [
        ([100, 100, 400, 600, 7], "unlocated"),
        ([100, 100, 400], "unlocated"),
        (["left", 100, 400, 600], "unlocated"),
        ([None, 100, 400, 600], "unlocated"),
        ([100.0, 100.2, "400", "600.0"], "located"),
    ],
)
def test_a_wrong_box_is_counted_and_not_paid_for_again(
    box: list[Any], location: str, garden: Garden, make_reader: MakeReader
) -> None:
    graph = wire(garden.hsgs[1])
    graph["nodes"][1] |= {"boxes": [{"item": "1", "box": box}], "iconic": 20.0, "symbolic": "80"}
    with StandIn(lambda _: says(graph)) as provider:
        hsg = make_reader(provider).read(garden.a)
    assert len(provider.calls) == 1
    assert hsg.semioses["n1"].location == location
    assert hsg.semioses["n1"].grounds.strengths == (0.2, 0.0, 0.8)
