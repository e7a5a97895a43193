"""Measure how time and memory grow with the size of a study: `python -m benchmarks.study [SIZE …]`.

The default sizes are 1000, 10000 and 100000 comparisons. A study of n comparisons has n / 6 prompts with four
pictures each. Unless `--votes-only` is given, the first nine tenths are read by a model into HSGs of seven
nodes, aligned by an embedder, and judged by that embedder and by the model in both orders. Each size is made
and measured in separate processes. For each step, processor seconds and the peak memory so far in GB are
printed; `make` is the step that writes the study. Every step starts with a study that has just been opened,
so that it finds no HSG that an earlier step has built. The exponent compares a size with the previous one:
1.0 is linear growth.
"""

import gc
import hashlib
import math
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from pathlib import Path

from semiosis.align import EMBEDDER_METHOD, aligner_of
from semiosis.ask import Asker, Model
from semiosis.files import append_record
from semiosis.judge import AlignmentJudge, Judge, SemJudge
from semiosis.read import Reader
from semiosis.study import (
    EvaluatorOptions,
    ReadingRule,
    Study,
    alignment_pairs,
    check_study,
    compare_study,
    comparison_case,
    find_judge,
    generator_profile,
    import_observations,
    new_study,
    plan_alignments,
    plan_judging,
    plan_readings,
    read_study,
    remaining_work,
    study_fate_shares,
    study_status,
    summary,
)
from semiosis.values import (
    HSG,
    AlignedHSG,
    Alignment,
    Citation,
    Comparison,
    Ground,
    Grounds,
    ImageSign,
    Interpreter,
    NodeFate,
    Reading,
    Recorded,
    Relation,
    Semiosis,
    Shift,
    TargetLink,
    TextSign,
    Verdict,
    Winner,
)

SIZES = (1_000, 10_000, 100_000)
GENERATORS = ("a", "b", "c", "d")
PAIRS = tuple(combinations(range(len(GENERATORS)), 2))
NODES = ("root", "n1", "n2", "n3", "n4", "n5", "n6")
MODEL = Model("anthropic/claude-sonnet-5")
RULE = ReadingRule()
GROUNDS = Grounds(iconic=Ground(strength=0.4), symbolic=Ground(strength=0.6, why="by convention"))
DONE = 0.9
AT_ONCE = 200
"""The number of prompts that are written together."""


def png(number: int) -> bytes:
    """Return a PNG of one pixel that is different for every number below 2 ** 24."""
    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(b"\0" + number.to_bytes(3, "big"))
    chunks = ((b"IHDR", head), (b"IDAT", pixel), (b"IEND", b""))
    packed = (struct.pack(">I", len(b)) + n + b + struct.pack(">I", zlib.crc32(n + b)) for n, b in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def new_signs(number: int, folder: Path) -> tuple[TextSign, list[ImageSign]]:
    """Return a prompt and its pictures, which are written into the study's folder."""
    prompt = TextSign(text=f"Prompt number {number}", title=f"p{number}")
    artifacts = []
    for index, generator in enumerate(GENERATORS):
        blob = png(4 * number + index)
        sha256 = hashlib.sha256(blob).hexdigest()
        path = f"images/p{number}{generator}.png"
        (folder / path).write_bytes(blob)
        artifacts.append(
            ImageSign(
                sha256=sha256,
                width=1,
                height=1,
                media_type="image/png",
                path=path,
                generator=generator,
                prompt=prompt.id,
                round=1,
            )
        )
    return prompt, artifacts


def new_hsg(sign: TextSign | ImageSign, interpreter: Interpreter) -> HSG:
    """Return a reading of seven nodes, with texts that no other reading has."""
    nodes = {
        name: Semiosis(
            label=f"{name} of {sign.id}",
            sign=f"what is seen at {name} of sign {sign.id}",
            object=f"the meaning of {name} in sign {sign.id}",
            interpretant=f"what {name} of sign {sign.id} brings to mind",
            grounds=GROUNDS,
            nowhere="made up",
        )
        for name in NODES
    }
    parts = [Relation(whole="root", part=name, relation="supports") for name in NODES[1:]]
    return HSG(sign, nodes, parts, Reading(interpreter=interpreter, language="en"))


def new_alignment(source: HSG, target: HSG, weights: str) -> Alignment:
    """Return an alignment that matches every second node."""
    shift = Shift(iconic=0.0, indexical=0.1, symbolic=-0.1)
    fates = [
        NodeFate(node=name, fate="kept", p=0.8, links=(TargetLink(target=name, ground_shift=shift),))
        if index % 2 == 0
        else NodeFate(node=name, fate="lost")
        for index, name in enumerate(NODES)
    ]
    return Alignment(
        source=AlignedHSG.of(source),
        target=AlignedHSG.of(target),
        fates=tuple(fates),
        distance=0.4,
        method=EMBEDDER_METHOD,
        embedder="wordllama",
        weights=weights,
    )


def new_verdicts(comparison: Comparison, hsgs: list[HSG], judges: list[Judge]) -> Iterator[Verdict]:
    """Yield the verdicts of judges on a comparison, one for each order and repeat."""
    winner: Winner = "a" if int(comparison.id, 16) % 3 else "b"
    for judge in judges:
        for shown, repeat in judge.presentations:
            cited = [Citation(hsg=hsg.id, node="root", stance="a", rationale="It is clear.") for hsg in hsgs]
            yield Verdict(
                evaluator=judge.evaluator,
                comparison=comparison.id,
                winner=winner,
                shown=shown,
                repeat=repeat,
                citations=tuple(cited),
                used=tuple(hsg.id for hsg in hsgs),
                rationale="The first keeps more of the prompt.",
            )


def make_study(folder: Path, size: int, *, votes_only: bool) -> None:
    """Write a study of about this many comparisons, and a table of votes next to it."""
    new_study(folder)
    (folder / "images").mkdir()
    prompts = math.ceil(size / len(PAIRS))
    reader = Reader(MODEL)
    judges: list[Judge] = [AlignmentJudge(), SemJudge(MODEL)]
    weights = aligner_of().weights.version
    rows = ["prompt,a,b,evaluator,winner"]
    for start in range(0, prompts, AT_ONCE):
        values: list[Recorded] = []
        for number in range(start, min(start + AT_ONCE, prompts)):
            prompt, artifacts = new_signs(number, folder)
            compared = [
                (one, other, Comparison(prompt=prompt.id, a=artifacts[one].id, b=artifacts[other].id))
                for one, other in PAIRS
            ]
            values += [prompt, *artifacts, *(comparison for _, _, comparison in compared)]
            rows += [
                f"p{number},{GENERATORS[a]},{GENERATORS[b]},Ann,{'ab'[(number + a) % 2]}" for a, b in PAIRS
            ]
            if votes_only or number >= DONE * prompts:
                continue
            signs: list[TextSign | ImageSign] = [prompt, *artifacts]
            hsgs = [new_hsg(sign, reader.task(sign).interpreter) for sign in signs]
            values += hsgs
            values += [new_alignment(hsgs[0], target, weights) for target in hsgs[1:]]
            for one, other, comparison in compared:
                values += new_verdicts(comparison, [hsgs[0], hsgs[1 + one], hsgs[1 + other]], judges)
        append_record(folder, values, "made")
    (folder.parent / "votes.csv").write_text("\n".join(rows))


def timed(name: str, work: Callable[[], object]) -> tuple[str, float, float]:
    """Return a step with its processor seconds and the peak memory so far in GB."""
    gc.collect()  # the garbage of earlier steps is not collected during this one
    start = time.process_time()
    work()
    took = time.process_time() - start
    return name, took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def measure(folder: Path) -> Iterator[tuple[str, float, float]]:
    """Yield each step with its processor seconds and the peak memory so far in GB."""
    yield timed("check", lambda: check_study(folder))
    table = folder.parent / "votes.csv"
    yield timed("import votes", lambda: import_observations(folder, "votes", table))
    opened: list[Study] = []
    yield timed("open", lambda: opened.append(read_study(folder)))
    for name, work in steps(opened[0]).items():
        study = opened[0].with_values([])
        yield timed(name, partial(work, study))


def all_cases(study: Study) -> None:
    """Find the readings of every comparison, and keep none."""
    for comparison in study.comparisons.values():
        comparison_case(study, comparison, RULE)


def steps(opened: Study) -> dict[str, Callable[[Study], object]]:
    """Return what is done with an open study, by name."""
    asker = Asker(dry_run=True)
    options = EvaluatorOptions(asker, MODEL, study=opened)
    judges = [find_judge(name, options) for name in ("align", "semjudge")]
    *_, last = opened.comparisons
    verdict = Verdict(evaluator=AlignmentJudge().evaluator, comparison=last, winner="a")
    found: dict[str, Callable[[Study], object]] = {
        "plan judges": lambda study: plan_judging(study, judges),
        "plan readings": lambda study: plan_readings(study, Reader(MODEL, asker=asker)),
        "cases": all_cases,
        "plan alignments": lambda study: plan_alignments(study, aligner_of(), alignment_pairs(study, RULE)),
        "add one": lambda study: study.add([verdict], "one"),
        "status": study_status,
        "remaining work": lambda study: [remaining_work(study, state, []) for state in study_status(study)],
        "stats": lambda study: compare_study(study, ["Ann"]),
        "summary": summary,
    }
    if opened.alignments:
        found |= {"profile": generator_profile, "fates": study_fate_shares}
    return found


def main(sizes: list[int], *, votes_only: bool) -> None:
    """Print a row per step: seconds and memory at each size, and exponents."""
    table = [_in_own_processes(size, votes_only=votes_only) for size in sizes]
    print(f"{'':<16}" + "".join(f"{size:>12,}{'GB':>6}" for size in sizes) + "   exponents")
    for name in table[0]:
        cells = [column[name] for column in table]
        steps = zip(cells, cells[1:], sizes, sizes[1:], strict=False)
        exponents = [
            math.log(max(y, 1e-6) / max(x, 1e-6)) / math.log(n / m) for (x, _), (y, _), m, n in steps
        ]
        shown = "".join(f"{seconds:>12.3f}{memory:>6.2f}" for seconds, memory in cells)
        print(f"{name:<16}{shown}", *(f"{exponent:6.2f}" for exponent in exponents))


def show(name: str, seconds: float, memory: float) -> None:
    """Print a step for the process that compares the sizes."""
    print(f"{name}\t{seconds:.3f}\t{memory:.2f}", flush=True)


def _in_own_processes(size: int, *, votes_only: bool) -> dict[str, tuple[float, float]]:
    with tempfile.TemporaryDirectory() as parent:
        folder = str(Path(parent) / "study")
        flags = ["--votes-only"] * votes_only
        return dict(
            (*_results_of(size, "--make", folder, str(size), *flags), *_results_of(size, "--measure", folder))
        )


def _results_of(size: int, *words: str) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield the steps that another process runs, and print each as it ends."""
    with subprocess.Popen([sys.executable, __file__, *words], stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout or ():
            name, seconds, memory = line.rstrip("\n").split("\t")
            print(f"{size:,}: {name} {seconds} s, {memory} GB", file=sys.stderr, flush=True)
            yield name, (float(seconds), float(memory))
    if running.returncode:
        raise SystemExit(running.returncode)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--make" in sys.argv:
        home, size, votes_only = Path(words[0]), int(words[1]), "--votes-only" in sys.argv
        show(*timed("make", lambda: make_study(home, size, votes_only=votes_only)))
    elif "--measure" in sys.argv:
        for step in measure(Path(words[0])):
            show(*step)
    else:
        main([int(word) for word in words] or list(SIZES), votes_only="--votes-only" in sys.argv)
