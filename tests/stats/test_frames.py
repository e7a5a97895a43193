"""Tables of pandas, polars, pyarrow and DuckDB as votes, and results as DataFrames."""

import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis import probe, stats
from semiosis.stats._arrow import column_values, table_columns
from semiosis.values import DataError, UsageError
from tests.stats.simulated import simulated_votes

pytestmark = pytest.mark.slow  # loading pandas, polars, pyarrow and DuckDB takes more than a second

LONG: dict[str, list[Any]] = {
    "prompt": ["p", "p", "q", "q", "p", "p", "q", "q"],
    "a": ["a generator with a long name", "x"] * 4,
    "b": ["y", "z"] * 4,
    "evaluator": ["human"] * 4 + ["judge"] * 4,
    "winner": ["a", "b", "a", "b", "a", None, "tie", "a"],
}
WIDE: dict[str, list[Any]] = {
    **{name: LONG[name][:4] for name in ("prompt", "a", "b")},
    "human": LONG["winner"][:4],
    "judge": LONG["winner"][4:],
}


class OnlyArrow:
    """A table of an unknown package, which only exports the Arrow stream."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._table = pa.table(columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def categories(columns: dict[str, list[Any]]) -> Any:
    return pd.DataFrame(columns).astype("category")


def enumerated(columns: dict[str, list[Any]]) -> Any:
    return pl.DataFrame(columns).with_columns(pl.all().cast(pl.Categorical))


def in_chunks(columns: dict[str, list[Any]]) -> Any:
    table = pa.table(columns)
    return pa.concat_tables([table.slice(0, 3), table.slice(3)])


def from_duckdb(columns: dict[str, list[Any]]) -> Any:
    frame = pa.table(columns)
    return duckdb.from_arrow(frame)


TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]

MAKERS = [
    pd.DataFrame,
    pl.DataFrame,
    pa.table,
    OnlyArrow,
    categories,
    enumerated,
    in_chunks,
    from_duckdb,
]


def same_votes(one: stats.Votes, other: stats.Votes) -> bool:
    """Return whether two tables have the same votes, in any order."""
    return sorted(each_vote(one)) == sorted(each_vote(other))


def each_vote(votes: stats.Votes) -> Iterator[tuple[str, ...]]:
    columns = (votes.comparison, votes.evaluator, votes.repeat, votes.shown, votes.winner)
    for comparison, evaluator, *rest in zip(*columns, strict=True):
        pair = votes.prompt[comparison], votes.a[comparison], votes.b[comparison]
        yield (*pair, votes.evaluators[evaluator], *map(str, rest))


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("columns", [LONG, WIDE], ids=["long", "wide"])
def test_a_table_gives_the_votes_of_its_columns(
    make: Callable[[dict[str, list[Any]]], Any], columns: dict[str, list[Any]]
) -> None:
    expected = stats.votes_of(*LONG.values())
    assert same_votes(stats.votes_of(make(columns)), expected)
    table = stats.compare(make(columns), reference="human")
    assert str(table) == str(stats.compare(expected, reference="human"))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_single_columns_of_a_table_are_columns(make: Callable[[dict[str, list[Any]]], Any]) -> None:
    table = make(LONG)
    columns = [table[name] for name in LONG]
    assert same_votes(stats.votes_of(*columns), stats.votes_of(*LONG.values()))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_optional_columns_and_other_names(make: Callable[[dict[str, list[Any]]], Any]) -> None:
    extra: dict[str, Any] = {"repeat": [0, 1] * 4, "shown": ["ab", "ba"] * 4, "p_a": [0.5, None] * 4}
    expected = stats.votes_of(*LONG.values(), **extra)
    renamed = {"left" if name == "a" else name: column for name, column in {**LONG, **extra}.items()}
    votes = stats.votes_of(make(renamed), columns={"a": "left"})
    assert same_votes(votes, expected)
    assert votes.p_a is not None
    assert expected.p_a is not None
    assert [str(p) for p in votes.p_a] == [str(p) for p in expected.p_a]


def test_the_index_of_pandas_and_columns_of_dates_are_not_evaluators() -> None:
    frame = pd.DataFrame(WIDE, index=list("wxyz"))
    frame["day"] = pd.Timestamp("2026-01-01")
    assert stats.votes_of(frame).evaluators == ("human", "judge")


def test_a_foreign_column_of_numbers_gives_one_message_that_names_the_judges() -> None:
    """0 and 1 are also codes of winners, so a column of counts is foreign if one of its numbers is not."""
    frame = pd.DataFrame({**WIDE, "votes_a": [0, 1, 4, 3]})
    with pytest.raises(DataError, match=r"column without votes: 'votes_a', such as 4 in row 2") as caught:
        stats.compare(frame, reference="human")
    assert "judges=['human', 'judge']" in str(caught.value)
    table = stats.compare(frame, reference="human", judges=["judge"])
    assert [row.judge for row in table.rows] == ["judge"]


def test_a_dict_of_columns_is_a_table() -> None:
    assert same_votes(stats.votes_of(WIDE), stats.votes_of(pl.DataFrame(WIDE)))
    assert [row.judge for row in stats.compare(WIDE, reference="human").rows] == ["judge"]


def test_the_error_names_the_problem_of_a_table() -> None:
    with pytest.raises(DataError, match=r"no column 'prompt'; columns: 'a', 'b'"):
        stats.votes_of(pl.DataFrame({"a": ["x"], "b": ["y"]}))
    with pytest.raises(DataError, match="row 1: the winner 'odd' of 'remark' is not a, b, tie"):
        stats.votes_of(pl.DataFrame({**WIDE, "remark": [None, "odd", "", ""]}))
    with pytest.raises(UsageError, match="there is no column 'left'"):
        stats.votes_of(pl.DataFrame(LONG), columns={"a": "left"})
    with pytest.raises(UsageError, match="unknown column 'judge'"):
        stats.votes_of(pl.DataFrame(LONG), columns={"judge": "left"})
    with pytest.raises(DataError, match="no column holds an evaluator's winners"):
        stats.votes_of(pl.DataFrame({"prompt": ["p"], "a": ["x"], "b": ["y"]}))
    with pytest.raises(DataError, match="row 1: 'prompt' is empty"):
        stats.votes_of(pl.DataFrame({**LONG, "prompt": ["p", None, *LONG["prompt"][2:]]}))
    with pytest.raises(DataError, match=r"repeat '0\.5' is not a whole number"):
        stats.votes_of(pl.DataFrame({**LONG, "repeat": [0.5] * 8}))
    with pytest.raises(UsageError, match="one column, not a table"):
        stats.votes_of(pl.Series(["a"]))
    with pytest.raises(UsageError, match="columns= and judges= need a table"):
        stats.votes_of(*LONG.values(), columns={"a": "left"})  # type: ignore[call-overload]
    with pytest.raises(DataError, match="must have the same length: prompt has 8, a has 7"):
        stats.votes_of(LONG["prompt"], LONG["a"][1:], LONG["b"], LONG["evaluator"], LONG["winner"])
    with pytest.raises(DataError, match="two columns have the same name"):
        stats.votes_of(pa.table([["p"], ["x"]], names=["prompt", "prompt"]))


def test_a_table_that_fails_while_it_is_read_gives_the_reason() -> None:
    def batches() -> Iterator[Any]:
        yield pa.record_batch({"prompt": ["p"]})
        raise ValueError("the disk is gone")

    failing = pa.RecordBatchReader.from_batches(pa.schema([("prompt", pa.string())]), batches())
    with pytest.raises(DataError, match=r"the table cannot be read: .*the disk is gone"):
        stats.votes_of(failing)


@given(
    st.lists(st.none() | st.text(max_size=20), max_size=40),
    st.integers(0, 10),
    st.sampled_from(
        [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
    ),
)
def test_texts_of_every_arrow_type_are_read_from_any_slice(
    values: list[str | None], start: int, kind: Any
) -> None:
    encodable = [None if v is None else v.encode("utf-8", "replace").decode() for v in values]
    column = pa.chunked_array([pa.array(encodable, pa.string()).cast(kind)])
    assert column_values(column.slice(start)) == encodable[start:]


@given(st.lists(st.none() | st.integers(-100, 100), min_size=1, max_size=40), st.integers(0, 30))
def test_numbers_and_booleans_are_read_from_any_slice(values: list[int | None], start: int) -> None:
    flags = [None if value is None else value > 0 for value in values]
    for kind in (pa.int8(), pa.int32(), pa.int64(), pa.float32(), pa.float64()):
        table = pa.table({"n": pa.array(values, kind), "flag": flags}).slice(start)
        if len(table):
            assert table_columns(table) == {"n": values[start:], "flag": flags[start:]}


def test_without_pandas_polars_and_pyarrow_nothing_imports_them() -> None:
    code = (
        "import sys\n"
        "from semiosis import stats\n"
        "votes = stats.votes_of(['p'], ['x'], ['y'], ['j'], ['a'])\n"
        "assert not {'pandas', 'polars', 'pyarrow'} & set(sys.modules)\n"
        "sys.modules['pandas'] = None\n"
        "try:\n"
        "    stats.krcc('ab', 'ab', 'pp', resamples=0).to_pandas()\n"
        "except stats._frames.UsageError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "to_pandas() needs pandas" in done.stdout
    assert "pip install pandas" in done.stdout


def test_polars_needs_neither_pandas_nor_pyarrow_and_pandas_names_its_missing_package() -> None:
    code = (
        "import sys\n"
        "sys.modules['pyarrow'] = None\n"
        "import pandas, polars\n"
        "from semiosis import stats\n"
        "columns = {'prompt': ['p'], 'a': ['x'], 'b': ['y'], 'judge': ['a']}\n"
        "print(stats.votes_of(polars.DataFrame(columns)).evaluators)\n"
        "try:\n"
        "    stats.votes_of(pandas.DataFrame(columns))\n"
        "except stats._frames.UsageError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "('judge',)" in done.stdout
    assert "pip install pyarrow" in done.stdout


def test_a_table_of_judges_becomes_a_data_frame() -> None:
    table = stats.compare(simulated_votes(missing=0.05), reference="human", baseline="coin")
    frame = table.to_pandas()
    assert frame["judge"].tolist() == [row.judge for row in table.rows]
    best = table.rows[0]
    assert best.half_credit is not None
    assert isinstance(best.half_credit.interval, stats.Interval)
    assert frame.loc[0, "half_credit"] == float(best.half_credit)
    assert frame.loc[0, "half_credit_low"] == best.half_credit.interval.low
    assert frame.loc[0, "half_credit_unscored"] == best.half_credit.n_unscored
    assert frame.loc[0, "agreement"] == float(best.agreement or math.nan)
    assert frame["difference_p"].isna().tolist() == [row.difference is None for row in table.rows]


def test_other_results_become_data_frames() -> None:
    estimate = stats.krcc("aab", "aab", "ppq", resamples=0).to_pandas()
    assert estimate.loc[0, ["name", "value", "n"]].tolist() == ["KRCC", 1.0, 3]
    rated = stats.elo([("x", "y", "a"), ("y", "x", "tie")]).to_pandas()
    assert rated["generator"].tolist() == ["x", "y"]
    assert rated.columns.tolist() == ["generator", "rating", "spread"]
    assert stats.bradley_terry([("x", "y", "a")]).to_pandas()["rating"].isna().all()
    votes = stats.majority_vote([["a", "a"], ["a", "b"], ["", ""]]).to_pandas()
    assert votes["winner"].tolist() == ["a", "tie", ""]
    calibration = stats.probability_calibration([0.9, 0.2], ["a", "b"], resamples=0, bins=2).to_pandas()
    assert calibration["n"].tolist() == [1, 1]
    varied = probe.semvar(aa=[1.0], vv=[1.0], ii=[1.0], va=[0.5], av=[0.5], ia=[1.0], ai=[1.0])
    categories = probe.variation_table(varied, ["color"], resamples=0).to_pandas()
    assert categories["category"].tolist() == ["overall", "color"]
    assert categories["kappa"].tolist() == [1.0, 1.0]
    undefined = stats.ccc([1, 1], [1, 1]).to_pandas()
    assert undefined["value"].isna().all()
