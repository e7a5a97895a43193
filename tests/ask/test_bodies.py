"""Bodies of HTTP responses: cut off, compressed, endless. None ends a run or fills the memory."""

import gzip
import tracemalloc
from pathlib import Path

import pytest

from semiosis.ask import Reply, UnansweredRequest, wait_for
from semiosis.testing import RawResponseStep, StandIn, says
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, question
from tests.ask.test_odd_replies import message, tool

MEGABYTE = 2**20
GZIP = {"content-encoding": "gzip"}


@pytest.mark.parametrize(
    "broken",
    [
        RawResponseStep(b'{"id": "m", "con', headers={"content-length": "500"}, closes=True),
        RawResponseStep(b"", headers={"content-length": "-5"}, closes=True),
        RawResponseStep(b"zz", headers={"transfer-encoding": "chunked"}, closes=True),
        RawResponseStep(b"{}", headers={"x-long": "x" * MEGABYTE}, closes=True),
    ],
    ids=["reset in the body", "negative length", "bad chunk", "a header of 1 MB"],
)
@pytest.mark.parametrize("way", ["anthropic-tools", "openai-schema"])
def test_a_broken_response_is_tried_again_and_may_be_billed(
    way: str, broken: RawResponseStep, make_asker: MakeAsker
) -> None:
    with StandIn([broken, says(LILY)]) as provider:
        asker = make_asker()
        reply = wait_for(asker.ask(question(provider, way)))
    assert isinstance(reply, Reply)
    assert (reply.retries, asker.budget.unanswered) == (1, 1)


@pytest.mark.parametrize("way", ["anthropic-tools", "openai-tools"])
@pytest.mark.parametrize("kind", ["gzip", "deflate", "br"])
def test_an_error_with_broken_compression_is_an_error_like_any_other(
    kind: str, way: str, make_asker: MakeAsker
) -> None:
    broken = RawResponseStep(b"\x1f\x8bnothing", status=500, headers={"content-encoding": kind})
    with StandIn([broken, says(LILY)]) as provider:
        reply = wait_for(make_asker().ask(question(provider, way)))
    assert isinstance(reply, Reply)
    assert reply.retries == 1


@pytest.mark.parametrize("kind", ["gzip", "GZIP", "x-gzip"])
def test_a_compressed_reply_is_read_whatever_its_headers_say(
    kind: str, make_asker: MakeAsker, tmp_path: Path
) -> None:
    body = gzip.compress(message(tool(LILY)))
    with StandIn([RawResponseStep(body, headers={"content-encoding": kind})]) as provider:
        assert isinstance(wait_for(make_asker().ask(question(provider))), Reply)


@pytest.mark.parametrize("status", [200, 500])
def test_a_small_body_that_decompresses_to_a_large_one_does_not_fill_the_memory(
    status: int, make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("semiosis.ask._connection.MAX_REPLY_BYTES", MEGABYTE)
    bomb = RawResponseStep(gzip.compress(b" " * (100 * MEGABYTE), 1), status=status, headers=GZIP)
    with StandIn(lambda _: bomb) as provider:
        asker = make_asker(tries=1)
        wait_for(asker.ask(question(provider, words="warm")))  # what is loaded on first use is not counted
        tracemalloc.start()
        outcome = wait_for(asker.ask(question(provider)))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "provider"
    assert peak < 20 * MEGABYTE


def test_a_long_error_is_shown_in_short(make_asker: MakeAsker) -> None:
    with StandIn([RawResponseStep(b"{" + b" " * (8 * MEGABYTE), status=400)]) as provider:
        outcome = wait_for(make_asker().ask(question(provider)))
    assert isinstance(outcome, UnansweredRequest)
    assert len(outcome.detail) <= 500
