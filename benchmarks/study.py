"""How a study's time and memory grow: `python benchmarks/study.py [SIZE …]`, by default 1000 10000 100000.

Each size is measured in a process of its own. A study of n comparisons has n / 3 prompts with three artifacts
each, one vote per comparison and, unless `--votes-only` is given, a reading of seven nodes of every sign. The
exponent compares a size with the one before: 1.0 is linear.
"""

import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from semiosis.files import append_record
from semiosis.study import (
    JudgeOptions,
    ReadingRule,
    check_study,
    compare_study,
    comparison_case,
    find_judge,
    import_observations,
    new_study,
    plan_run,
    read_study,
    study_status,
)
from semiosis.values import (
    HSG,
    Comparison,
    Evaluator,
    Ground,
    Grounds,
    ImageSign,
    Interpreter,
    Reading,
    Recorded,
    Relation,
    Semiosis,
    TextSign,
    Verdict,
)

SIZES = (1_000, 10_000, 100_000)
ARTIFACTS = ("a", "b", "c")
NODES = 7
RULE = ReadingRule()


def reading(sign: TextSign | ImageSign, number: int) -> HSG:
    """Return a reading of seven nodes, with words of its own."""
    grounds = Grounds(iconic=Ground(strength=0.4), symbolic=Ground(strength=0.6, why="by convention"))
    names = ["root", *(f"n{place}" for place in range(1, NODES))]
    nodes = {
        name: Semiosis(
            label=f"{name} of {number}",
            sign=f"what is seen at {name} of sign {number}",
            object=f"the meaning of {name} in sign {number}",
            interpretant=f"what {name} of sign {number} brings to mind",
            grounds=grounds,
            nowhere="made up",
        )
        for name in names
    }
    parts = [Relation(whole="root", part=name, relation="supports") for name in names[1:]]
    return HSG(sign, nodes, parts, Reading(interpreter=Interpreter(kind="person", name="Ada")))


def readings(values: list[Recorded]) -> list[Recorded]:
    """Return a reading of every sign."""
    signs = [value for value in values if isinstance(value, TextSign | ImageSign)]
    return [reading(sign, number) for number, sign in enumerate(signs)]


def made_up(prompts: int) -> tuple[list[Recorded], list[str]]:
    """Return signs and comparisons, and the rows of a table of votes."""
    values: list[Recorded] = []
    rows = ["prompt,a,b,evaluator,winner"]
    for number in range(prompts):
        prompt = TextSign(text=f"Prompt number {number}", title=f"p{number}")
        signs = [
            ImageSign(
                sha256=f"{3 * number + position:064x}",
                width=8,
                height=6,
                media_type="image/png",
                generator=generator,
                prompt=prompt.id,
                round=1,
            )
            for position, generator in enumerate(ARTIFACTS)
        ]
        pairs = [(0, 1), (0, 2), (1, 2)]
        values += [prompt, *signs]
        values += [Comparison(prompt=prompt.id, a=signs[i].id, b=signs[j].id) for i, j in pairs]
        rows += [f"p{number},{ARTIFACTS[i]},{ARTIFACTS[j]},Ann,{'ab'[(number + i) % 2]}" for i, j in pairs]
    return values, rows


def measure(size: int, *, votes_only: bool) -> dict[str, float]:
    """Return processor seconds of each step, and the peak memory in GB."""
    took: dict[str, float] = {}

    def timed(name: str, work: Callable[[], object]) -> None:
        start = time.process_time()
        work()
        took[name] = time.process_time() - start

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "study"
        new_study(folder)
        values, rows = made_up(size // 3)
        append_record(folder, values)
        if not votes_only:
            append_record(folder, readings(values), "read")
        table = Path(made) / "votes.csv"
        table.write_text("\n".join(rows))
        timed("import votes", lambda: import_observations(folder, "votes", table))
        timed("open", lambda: read_study(folder))
        timed("check", lambda: check_study(folder))
        study = read_study(folder)
        judge = find_judge("align", JudgeOptions())
        timed("plan", lambda: plan_run(study, [judge]))
        verdict = Verdict(
            evaluator=Evaluator(kind="person", name="Bob"),
            comparison=next(iter(study.comparisons)),
            winner="a",
        )
        timed("add one", lambda: study.add([verdict], "bob"))
        timed("cases", lambda: [comparison_case(study, each, RULE) for each in study.comparisons.values()])
        timed("status", lambda: study_status(study))
        study = read_study(folder)
        timed("table", lambda: compare_study(study, ["Ann"], resamples=0))
    took["peak GB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return took


def main(sizes: list[int], *, votes_only: bool) -> None:
    """Print a row per step: seconds at each size, and exponents."""
    table = [_in_own_process(size, votes_only=votes_only) for size in sizes]
    print(f"{'':<14}" + "".join(f"{size:>12,}" for size in sizes) + "   exponents")
    for name in table[0]:
        cells = [column[name] for column in table]
        steps = zip(cells, cells[1:], sizes, sizes[1:], strict=False)
        exponents = [math.log(max(y, 1e-6) / max(x, 1e-6)) / math.log(n / m) for x, y, m, n in steps]
        print(f"{name:<14}" + "".join(f"{cell:>12.3f}" for cell in cells), *(f"{e:6.2f}" for e in exponents))


def _in_own_process(size: int, *, votes_only: bool) -> dict[str, float]:
    command = [sys.executable, __file__, "--one", str(size), *(["--votes-only"] if votes_only else [])]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: float(seconds) for name, _, seconds in (line.partition("\t") for line in lines)}


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    chosen = [int(word) for word in words] or list(SIZES)
    if "--one" in sys.argv:
        for step, seconds in measure(chosen[0], votes_only="--votes-only" in sys.argv).items():
            print(f"{step}\t{seconds}")
    else:
        main(chosen, votes_only="--votes-only" in sys.argv)
