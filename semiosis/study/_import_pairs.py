"""Chooses the pairs of pictures to compare."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from semiosis.stats.tools import VOTE_COLUMNS
from semiosis.study._names import SignNames
from semiosis.study._study import Study
from semiosis.study._table import read_table
from semiosis.values import AnySign, Comparison, DataError, ImageSign, UsageError

COLUMNS: dict[str, tuple[str, ...]] = {name: VOTE_COLUMNS[name] for name in ("prompt", "a", "b")}
"""The columns of a table of pairs, each with the other headings that are recognised."""
RULES = ("within-prompt", "all", "none")
"""The rules that choose pairs without a table."""


def comparisons(
    study: Study,
    signs: Mapping[str, AnySign],
    prompts: Collection[str],
    pairs: str,
    encoding: str,
    notes: list[str],
) -> list[Comparison]:
    """Return the comparisons of a study with new signs, each pair in the order in which the study has it.

    `pairs` is one of `RULES`, applied to the pictures of these prompts, or the path of a table, whose
    repeated rows are added to `notes`.
    """
    everything = {**study.signs, **signs}
    known = {(c.prompt, frozenset((c.a, c.b))): c for c in study.comparisons.values()}
    if pairs not in RULES:
        chosen = _table_pairs(study, everything, Path(pairs), encoding, notes)
    elif pairs == "none":
        chosen = []
    else:
        chosen = _by_rule(everything, prompts, across_rounds=pairs == "all")
    return [known.setdefault((new.prompt, frozenset((new.a, new.b))), new) for new in chosen]


def _by_rule(
    signs: Mapping[str, AnySign], prompts: Collection[str], *, across_rounds: bool
) -> list[Comparison]:
    """Return the pairs of pictures of each prompt and round, or all pairs across rounds and seeds."""
    groups: dict[tuple[str, int], list[ImageSign]] = {}
    for sign in signs.values():
        if isinstance(sign, ImageSign) and sign.prompt in prompts:
            groups.setdefault((sign.prompt or "", 0 if across_rounds else sign.round), []).append(sign)
    return [
        Comparison(prompt=prompt, a=a.id, b=b.id)
        for (prompt, _), group in groups.items()
        for a, b in (combinations(group, 2) if across_rounds else _pairs_of_generators(group))
    ]


def _pairs_of_generators(group: Sequence[ImageSign]) -> Iterator[tuple[ImageSign, ImageSign]]:
    """Yield the pairs of pictures by different generators, with the same seed if both have it.

    Pictures without a generator, or by a single one, are all compared.
    """
    seeds: dict[str, set[str]] = {}
    for sign in group:
        seeds.setdefault(sign.generator, set()).add(sign.seed)
    for a, b in combinations(group, 2):
        same_generator = a.generator == b.generator != ""
        shared_seed = a.seed in seeds[b.generator] or b.seed in seeds[a.generator]
        if len(seeds) == 1 or not (same_generator or (shared_seed and a.seed != b.seed)):
            yield a, b


def _table_pairs(
    study: Study, signs: Mapping[str, AnySign], path: Path, encoding: str, notes: list[str]
) -> list[Comparison]:
    """Return the pairs that a table lists."""
    if not path.is_file():
        raise UsageError(
            f"there is no table {str(path)!r}",
            fix=f"--pairs takes {', '.join(RULES)}, or the path of a table",
        )
    table = read_table(path, COLUMNS, encoding=encoding)
    if not {"a", "b"} <= set(table.columns):
        found = ", ".join(map(repr, table.columns))
        raise DataError(
            f"line 1: the columns of pairs are prompt, a and b, not {found}",
            where=str(path),
            fix="rename the columns",
        )
    names = SignNames(signs.values(), study.comparisons.values())
    lines: dict[frozenset[str], int] = {}
    pairs = []
    for row in table.rows:
        try:
            pairs.append(pair(names, row.get("prompt"), row.get("a"), row.get("b")))
        except ValueError as error:
            table.reject(row.line, error)
            continue
        first = lines.setdefault(frozenset((pairs[-1].prompt, pairs[-1].a, pairs[-1].b)), row.line)
        if first != row.line:
            notes.append(f"{path.name}, line {row.line}: the pair of line {first} again")
    table.raise_if_bad()
    if not pairs:
        raise DataError("there are no pairs in this file", where=str(path), fix="add rows below line 1")
    return pairs


def pair(names: SignNames, prompt: str, a: str, b: str) -> Comparison:
    """Return the comparison of two pictures by name. Without the name of a prompt, theirs is used."""
    owner = names.prompt(prompt) if prompt else ""
    first, second = names.artifact(a, owner), names.artifact(b, owner)
    names.check_made(first, a)
    names.check_made(second, b)
    if first == second:
        raise ValueError("a picture is compared with itself")
    owner = owner or names.prompt_of[first]
    if names.prompt_of[second] != owner:
        raise ValueError(f"{b!r} is a picture of another prompt")
    return Comparison(prompt=owner, a=first, b=second)
