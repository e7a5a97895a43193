"""Places in odd forms: put right where their meaning is certain, else unlocated, and never a lost reading."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.read._form_nodes import Frame, ImageNode, Quote
from semiosis.read._places import box_edges
from semiosis.testing import StandIn, says, wire
from semiosis.values import Box, Span
from tests.read.conftest import Garden, MakeReader

BOX = [100, 200, 400, 600]
PLACE = Box(x0=0.1, y0=0.2, x1=0.4, y1=0.6)

CERTAIN: dict[str, Any] = {
    "as asked for": [{"item": 1, "box": BOX}],
    "one box where a list is expected": {"item": 1, "box": BOX},
    "bare edges": [BOX],
    "bare edges where a list is expected": BOX,
    "bare edges as text": ["100", "200", "400", "600"],
    "edges in one text": [{"item": 1, "box": "[100, 200, 400, 600]"}],
    "Qwen": [{"bbox_2d": BOX, "label": "lily"}],
    "Gemini": [{"box_2d": [200, 100, 600, 400], "label": "lily"}],  # y first, whatever the provider's order
    "an extra label": [{"item": 1, "box": BOX, "label": "lily", "confidence": 0.9}],
    "named edges": [{"item": 1, "box": {"x0": 100, "y0": 200, "x1": 400, "y1": 600}}],
    "named edges without a box": [{"x1": 100, "y1": 200, "x2": 400, "y2": 600}],
    "named edges in words": [{"left": 100, "top": 200, "right": 400, "bottom": 600, "label": "lily"}],
    "named edges out of order": [{"xmin": 400, "ymin": 600, "xmax": 100, "ymax": 200}],
    "a corner and a size": [{"x": 100, "y": 200, "width": 300, "height": 400}],
    "numbers as text": [{"item": "1", "box": ["100", "200.0", 400.2, "600"]}],
    "fractions": [{"item": 1, "box": [0.1, 0.2, 0.4, 0.6]}],
    "a null beside it": [None, {"item": 1, "box": BOX}],
    "no item": [{"box": BOX}],
}
UNCERTAIN: dict[str, tuple[Any, str]] = {
    "edges, or a corner and a size": ([{"item": 1, "box": [400, 100, 100, 600]}], "out of order"),
    "pixels": ([{"bbox_2d": [100, 200, 1400, 1600]}], "extends beyond the image"),
    "three edges": ([[100, 200, 400]], "four whole numbers"),
    "words": ([{"item": 1, "box": "upper left"}], "four whole numbers"),
    "words where a list is expected": ("upper left", "four whole numbers"),
    "unknown names": ([{"cx": 100, "cy": 200, "size": 3}], "four whole numbers"),
    "nested": ([{"item": 1, "box": [[100, 200], [400, 600]]}], "four whole numbers"),
    "a null edge": ([{"item": 1, "box": [None, 200, 400, 600]}], "four whole numbers"),
    "a null box": ([{"item": 1, "box": None}], "four whole numbers"),
    "true": ([{"item": 1, "box": [True, 200, 400, 600]}], "four whole numbers"),
    "a number": (7, "four whole numbers"),
}


def _read_box(boxes: Any, garden: Garden, make_reader: MakeReader, **fields: Any) -> Any:
    graph = wire(garden.hsgs[1])
    graph["nodes"][1] |= {"boxes": boxes, "nowhere": "", **fields}
    with StandIn(lambda _: says(graph)) as provider:
        hsg = make_reader(provider).read(garden.a)
    assert len(provider.calls) == 1  # no odd place is paid for again
    return hsg.semioses["n1"]


@pytest.mark.parametrize("kind", CERTAIN)
def test_a_box_whose_meaning_is_certain_is_put_right(
    kind: str, garden: Garden, make_reader: MakeReader
) -> None:
    semiosis = _read_box(CERTAIN[kind], garden, make_reader)
    assert semiosis.places == (PLACE,)
    assert semiosis.unresolved == ()


@pytest.mark.parametrize("kind", UNCERTAIN)
def test_a_box_whose_meaning_is_not_certain_is_kept_with_the_reason(
    kind: str, garden: Garden, make_reader: MakeReader
) -> None:
    boxes, reason = UNCERTAIN[kind]
    semiosis = _read_box(boxes, garden, make_reader)
    assert semiosis.places == ()
    (claim,) = semiosis.unresolved
    assert reason in claim.reason


@pytest.mark.parametrize("boxes", [None, [], [None], {}, ""])
def test_no_box_is_no_place(boxes: Any, garden: Garden, make_reader: MakeReader) -> None:
    semiosis = _read_box(boxes, garden, make_reader, nowhere="an even light")
    assert (semiosis.places, semiosis.unresolved, semiosis.nowhere) == ((), (), "an even light")


def test_a_box_beside_the_list_of_boxes_is_its_box(garden: Garden, make_reader: MakeReader) -> None:
    graph = wire(garden.hsgs[1])
    del graph["nodes"][1]["boxes"]
    graph["nodes"][1] |= {"bbox_2d": BOX, "nowhere": ""}
    with StandIn([says(graph)]) as provider:
        hsg = make_reader(provider).read(garden.a)
    assert hsg.semioses["n1"].places == (PLACE,)


@pytest.mark.parametrize(
    "quotes",
    [
        "white lily",
        ["white lily"],
        [{"quote": "white lily"}],
        {"item": 1, "quote": "white lily", "occurrence": None},
        [{"item": 1, "quote": "white lily", "occurrence": "first", "label": "lily"}],
    ],
)
def test_words_that_occur_once_need_no_occurrence(
    quotes: Any, garden: Garden, make_reader: MakeReader
) -> None:
    graph = wire(garden.hsgs[0])
    graph["nodes"][1] |= {"quotes": quotes, "nowhere": ""}
    with StandIn([says(graph)]) as provider:
        (place,) = make_reader(provider).read(garden.prompt).semioses["n1"].places
    assert isinstance(place, Span)
    assert place.quote == "white lily"


@given(
    edges=st.lists(st.integers(-20, 1020), min_size=4, max_size=4), order=st.sampled_from(["xyxy", "yxyx"])
)
def test_a_box_lies_in_its_image_or_has_a_reason(edges: list[int], order: str) -> None:
    box = box_edges(edges, order)
    if not isinstance(box, str):
        x0, y0, x1, y1 = box
        assert 0 <= x0 < x1 <= 1000
        assert 0 <= y0 < y1 <= 1000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["item", "box", "bbox_2d", "x0", "y0", "x1", "y1", "quote"]), inner)
    ),
    max_leaves=8,
)


@given(value=JSON)
def test_no_place_whatever_its_form_is_refused(value: Any) -> None:
    Frame.model_validate(value)
    Quote.model_validate(value)


@given(value=JSON)
def test_no_list_of_places_whatever_its_form_is_refused(value: Any) -> None:
    # Only the places may be odd: a node with all other fields as asked for is a node.
    texts = ["label", "sign", "object", "interpretant", "iconic_why", "indexical_why", "symbolic_why"]
    node = dict.fromkeys(texts, "a lily") | {"iconic": 1, "indexical": 1, "symbolic": 1}
    node |= {"id": "n1", "parent": "root", "relation": "supports", "how": "", "dynamic_object": ""}
    ImageNode.model_validate({**node, "nowhere": "", "boxes": value})
