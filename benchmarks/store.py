"""Measure the speed of the stores: python -m benchmarks.store load | peers | queries [--hsgs N …] [--neo4j N]

load     save a study to the embedded store and to a new Neo4j, twice
peers    save the same graph to Neo4j in batches, row by row, and with neo4j-graphrag's Neo4jWriter
queries  run every library query on studies of several sizes, and print how time and memory grow;
         the embedded store is recorded, indexed and queried in separate processes

`peers` needs the dependency group `bench`. Neo4jWriter needs APOC, which its server gets as a plugin.
"""

import argparse
import asyncio
import gc
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from math import log, nan
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, ParamSpec, TypeVar
from unittest.mock import patch

from semiosis.files import append_record
from semiosis.local_neo4j import Jar, _launch, fetch_jars, jar_folder, read_release, start_server, stop_server
from semiosis.store import (
    EmbeddedStore,
    GraphCounts,
    Neo4jStore,
    library,
)
from semiosis.values import HSG, GraphRow, ImageSign, NodeRow, Recorded, TextSign, Verdict, project
from tests.generated import study

if TYPE_CHECKING:
    from neo4j_graphrag.components.types import Neo4jGraph

APOC = Jar(
    coordinates=("org.neo4j.procedure", "apoc-core", "5.26.0", "core"),
    sha256="9d0c07576f9bcbbb895118240ad674fb8b16ea2157abc183a7338acafa385db8",
    size=2962533,
)
AT_ONCE = 2_000
Given = ParamSpec("Given")
Result = TypeVar("Result")
JAVA = ("-Xmx1g",)


def graph(hsgs: int) -> list[Recorded]:
    """Return the signs and HSGs of a study, without its other values, which have about 30 rows per HSG."""
    return [value for value in study(hsgs) if isinstance(value, TextSign | ImageSign | HSG)]


@contextmanager
def server(plugins: tuple[Jar, ...] = ()) -> Iterator[Neo4jStore]:
    """Yield a store on a new Neo4j, which is removed afterwards."""
    home = Path(tempfile.mkdtemp(prefix="bench-neo4j-"))
    (home / "plugins").mkdir()
    for jar in fetch_jars(plugins, jar_folder()):
        shutil.copy(jar, home / "plugins")
    pinned = read_release("5.26")
    with_plugins = replace(pinned, jars={"server": (*pinned.jars["server"], *plugins)})
    try:
        with patch.object(_launch, "read_release", return_value=with_plugins):
            running = start_server(home, browser=False, java_options=JAVA)
        auth = ("neo4j", running.password_file.read_text().strip())
        with Neo4jStore(running.url, auth=auth) as store:
            yield store
    finally:
        stop_server(home)
        shutil.rmtree(home)


def seconds(act: Callable[[], object]) -> float:
    """Return the duration of a call in seconds."""
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def memory() -> str:
    """Return the peak memory of this process."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"


def load(hsgs: int) -> None:
    """Save a graph to each store, twice."""
    values = graph(hsgs)
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(Path(folder) / "bench") as embedded:
        report("embedded", values, embedded)
    with server() as neo4j:
        neo4j.save(*graph(8))  # the server plans each statement once, which is not measured
        report("neo4j", values, neo4j)


def report(name: str, values: list[Recorded], store: EmbeddedStore | Neo4jStore) -> None:
    first = seconds(lambda: store.save(*values))
    again = seconds(lambda: store.save(*values))
    counts = store.counts()
    nodes, edges = sum(counts.nodes.values()), sum(counts.edges.values())
    print(f"{name:10}{nodes:8,} nodes {edges:8,} edges: {first:7.1f} s, again {again:6.1f} s, {memory()}")


def peers(hsgs: int, row_by_row: int = 40, rounds: int = 16) -> None:
    """Write the same graph with three writers in turn, and print the median rate of each.

    The first half of the rounds is a warm-up and does not count. Each writer has its own server, and its
    input is prepared before the measurement. The writer with one transaction per row writes only a part of
    the graph. All writers use the same constraints and indexes.
    """
    rows = [row for value in graph(hsgs) for row in project(value)]
    some = [row for value in graph(row_by_row) for row in project(value)]
    given = graphrag_input(rows)
    gc.freeze()  # the collector does not scan the prepared input during a measurement
    writers: dict[str, tuple[list[GraphRow], Callable[[Neo4jStore], None]]] = {
        "in batches": (rows, lambda store: store.merge(rows)),
        "by Neo4jWriter": (rows, lambda store: graphrag(store, given)),
        "one by one": (some, lambda store: one_by_one(store, some)),
    }
    times: dict[str, list[float]] = {name: [] for name in writers}
    sizes: dict[str, GraphCounts] = {}
    with ExitStack() as running:
        stores = {name: running.enter_context(server((APOC,))) for name in writers}
        for name in list(writers) * rounds:
            store, (_, write) = stores[name], writers[name]
            times[name].append(seconds(partial(write, store)))
            sizes[name] = store.counts()
            store.query("MATCH (n) CALL (n) { DETACH DELETE n }", write=True, timeout=600)
    if sizes["in batches"] != sizes["by Neo4jWriter"]:
        raise SystemExit(f"the writers wrote different graphs: {sizes}")
    rates = {name: len(rows) / median(times[name][rounds // 2 :]) for name, (rows, _) in writers.items()}
    for name, (rows, _) in writers.items():
        faster = rates["in batches"] / rates[name]
        print(f"{len(rows):8,} rows {name:15} {rates[name]:8,.0f} rows/s   {faster:5.1f}")


def one_by_one(store: Neo4jStore, rows: list[GraphRow]) -> None:
    """Write each row in its own transaction."""
    for row in rows:
        store.merge([row])


def graphrag_input(rows: list[GraphRow]) -> "Neo4jGraph":
    """Return the same nodes and edges, with the same properties, as input of neo4j-graphrag."""
    from neo4j_graphrag.components.types import Neo4jGraph, Neo4jNode, Neo4jRelationship

    nodes = {
        (row.label, row.id): Neo4jNode(
            id=f"{row.label} {row.id}", label=row.label, properties=_known(row) | {"id": row.id}
        )
        for row in rows
        if isinstance(row, NodeRow)
    }
    edges = [
        Neo4jRelationship(
            start_node_id=" ".join(row.source),
            end_node_id=" ".join(row.target),
            type=row.type,
            properties=_known(row) | ({"key": row.key} if row.key else {}),
        )
        for row in rows
        if not isinstance(row, NodeRow)
    ]
    return Neo4jGraph(nodes=list(nodes.values()), relationships=edges)


def graphrag(store: Neo4jStore, given: "Neo4jGraph") -> None:
    """Write a graph with neo4j-graphrag, as its documentation recommends."""
    from neo4j_graphrag.components.kg_writer import Neo4jWriter

    written = asyncio.run(Neo4jWriter(store._connection._driver).run(given))
    if written.status != "SUCCESS":
        raise SystemExit(f"Neo4jWriter failed: {written.metadata}")


def _known(row: GraphRow) -> dict[str, object]:
    return {name: value for name, value in row.props.items() if value is not None}


Times = dict[str, float]


def queries(sizes: list[int], on_neo4j: int) -> None:
    """Run every library query on studies of these sizes, and print how its time grows with the size."""
    with tempfile.TemporaryDirectory() as parent:
        print_growth(
            "embedded", {hsgs: on_embedded(Path(parent) / str(hsgs), hsgs) for hsgs in sorted(sizes)}
        )
    if on_neo4j:
        print_growth("neo4j", {hsgs: on_server(hsgs) for hsgs in sorted({on_neo4j // 10, on_neo4j})})


def on_embedded(folder: Path, hsgs: int) -> Times:
    alone(record, folder, hsgs)
    took, peak = alone(index, folder)
    print(f"{hsgs:,} HSGs, indexed in {took:.1f} s, {peak}", flush=True)
    times, peak = alone(ask_folder, folder)
    print(f"queried, {peak}", flush=True)
    return times


def alone(act: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> tuple[Result, str]:
    """Return the result of a function in a separate process, and the peak memory of that process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(act, *args, **kwargs).result(), process.submit(memory).result()


def record(folder: Path, hsgs: int) -> None:
    EmbeddedStore(folder).close()
    for part in parts(hsgs):
        append_record(folder, part, run="bench")


def index(folder: Path) -> float:
    with EmbeddedStore(folder) as store:
        return seconds(store.refresh)


def ask_folder(folder: Path) -> Times:
    with EmbeddedStore(folder) as store:
        return ask(store)


def on_server(hsgs: int) -> Times:
    with server() as store:
        took = sum(seconds(partial(store.save, *part)) for part in parts(hsgs))
        print(f"{hsgs:,} HSGs, saved to Neo4j in {took:.1f} s, {memory()}", flush=True)
        times = ask(store)
        print(f"queried, {memory()}", flush=True)
        return times


def parts(hsgs: int) -> Iterator[list[Recorded]]:
    """Return an iterator over a study in lists of values."""
    stream = study(hsgs)
    return iter(lambda: list(islice(stream, AT_ONCE)), [])


def ask(store: EmbeddedStore | Neo4jStore) -> Times:
    """Return the time of each query, the better of two runs. The first run includes planning and loading."""
    first = list(islice(study(4), 200))
    known = {
        "prompt": next(value.id for value in first if isinstance(value, TextSign)),
        "artifact": next(value.id for value in first if isinstance(value, ImageSign)),
        "verdict": next(value.id for value in first if isinstance(value, Verdict)),
        "word": "lily",
    }
    times: Times = {}
    for query in library().values():
        bound = query.bind({p.name: known[p.name] for p in query.parameters if p.default is None})
        act = partial(store.query, query.cypher, bound, timeout=600)
        times[query.name] = min(seconds(act) for _ in range(2))
    return times


def print_growth(name: str, measured: dict[int, Times]) -> None:
    """Print the time of each query at each size, and the exponent of the size with which it grows."""
    sizes = list(measured)
    print(f"{name:24}" + "".join(f"{hsgs:>10,} HSGs" for hsgs in sizes) + "  exponent")
    for query in library():
        times = [measured[hsgs][query] for hsgs in sizes]
        power = log(times[-1] / times[-2]) / log(sizes[-1] / sizes[-2]) if len(sizes) > 1 else nan
        print(f"  {query:22}" + "".join(f"{took * 1000:12,.0f} ms" for took in times) + f"{power:7.2f}")


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("load", "peers", "queries"))
    parser.add_argument("--hsgs", type=int, nargs="+", help="the sizes of the studies")
    parser.add_argument(
        "--neo4j", type=int, default=0, help="queries: also on Neo4j, at this size and a tenth"
    )
    options = parser.parse_args()
    if options.what == "queries":
        queries(options.hsgs or [1_000, 10_000, 100_000], options.neo4j)
    elif options.what == "load":
        load(*(options.hsgs or [5_000]))
    else:
        peers(*(options.hsgs or [1_500]))


if __name__ == "__main__":
    main()
