"""Imports prompts, pictures and the pairs to compare."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from semiosis.files import image
from semiosis.study._adding import ImportResult, add_values
from semiosis.study._names import PICTURES, SignNames, name_key
from semiosis.study._study import Study, read_study
from semiosis.study._table import TABLES, InputRow, InputTable, read_table
from semiosis.values import AnySign, Comparison, CompositeSign, DataError, ImageSign, TextSign, UsageError

COLUMNS: dict[str, tuple[str, ...]] = {
    "prompt": ("text", "caption", "prompt_text"),
    "id": ("prompt_id", "prompt id", "name", "nr", "no", "number"),
    "file": ("file_name", "filename", "image", "path", "picture", "image_path"),
    "generator": ("model", "generator_name", "system"),
    "tradition": ("culture",),
    "tags": ("tag", "category"),
    "round": ("turn", "step"),
    "references": ("reference", "reference_images"),
    "from": ("source", "previous"),
    "language": ("lang",),
}
"""The columns of a table of prompts and pictures, and other headings under which they are found."""
METADATA = ("metadata.csv", "metadata.jsonl")
"""The tables of a Hugging Face ImageFolder."""


@dataclass
class _Import:
    """The signs that a table describes, as they are put together."""

    table: InputTable
    folders: list[Path]
    files: dict[str, ImageSign] = field(default_factory=dict)
    """Pictures by path, so that each file is decoded once."""
    lines: dict[str, int] = field(default_factory=dict)
    """The line on which a picture was named first, by sign id."""
    prompts: dict[str, AnySign] = field(default_factory=dict)
    artifacts: dict[str, ImageSign] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def add_pictures(
    folder: str | Path,
    *sources: str | Path,
    pairs: str = "within-prompt",
    columns: Mapping[str, str] | None = None,
    encoding: str = "",
    link: bool = False,
    dry_run: bool = False,
) -> ImportResult:
    """Add prompts, pictures and the comparisons between them to a study.

    Sources are one table of prompts (.csv, .tsv, .jsonl, .txt) and folders of pictures, or a folder with
    `metadata.csv` or `metadata.jsonl`. A table with a `file` column has one row per picture. Without one, a
    picture belongs to the prompt whose id or number its path starts with: `p01/sdxl.png`, `p01_sdxl.png`.
    `pairs` is `within-prompt` (pictures of one prompt and round), `all` (across rounds too), `none`, or a
    table with the columns prompt, a and b.
    """
    study = read_study(folder)
    path, folders = _sources(sources)
    table = read_table(path, COLUMNS, required=["prompt"], columns=columns, encoding=encoding)
    work = _Import(table, [path.parent, *folders])
    if "file" in table.columns:
        _add_rows(work)
    else:
        _add_folders(work, folders)
    table.raise_if_bad()
    signs = _with_known(study, {**work.prompts, **work.artifacts})
    comparisons = _comparisons(study, work, signs, pairs, encoding)
    values = [*signs.values(), *comparisons]
    return add_values(study, values, "import", notes=work.notes, link=link, dry_run=dry_run)


def _sources(sources: Sequence[str | Path]) -> tuple[Path, list[Path]]:
    """Return the table and the folders of pictures among the sources."""
    paths = [Path(source) for source in sources]
    for missing in (path for path in paths if not path.exists()):
        raise UsageError("there is no such file or folder", where=str(missing), fix="check the path")
    folders = [path for path in paths if path.is_dir()]
    tables = [path for path in paths if path.suffix.lower() in TABLES and path not in folders]
    if not tables:
        tables = [each / name for each in folders for name in METADATA if (each / name).is_file()]
    if len(tables) != 1:
        raise UsageError(
            f"{len(tables)} tables of prompts were given; one is needed",
            fix="semiosis study add STUDY prompts.csv images/ — or a folder with metadata.csv",
        )
    return tables[0], folders


def _add_rows(work: _Import) -> None:
    """Add the prompt and the picture of each row."""
    for row in work.table.rows:
        try:
            prompt = _prompt(work, row)
            _add_artifact(work, row.line, _file(work, row.get("file")), prompt, row)
        except (ValueError, DataError) as error:
            work.table.reject(row.line, error)


def _prompt(work: _Import, row: InputRow, number: int | None = None) -> AnySign:
    """Return the prompt of a row, with its reference pictures if it has any."""
    if not row.get("prompt"):
        raise ValueError("the prompt is empty")
    title = row.get("id") or (str(number) if number else "")
    turn = max(_round(row) - 1, 0)
    text = TextSign(text=row.get("prompt"), language=row.get("language"))
    about = {"title": title, "tradition": row.get("tradition"), "tags": _list(row.get("tags")), "round": turn}
    if row.get("from"):
        about["prompt"] = _file(work, row.get("from")).id
    references = [_file(work, name) for name in _list(row.get("references"))]
    sign: AnySign = CompositeSign(parts=(text, *references)) if references else text
    sign = sign.model_copy(update=about)
    return work.prompts.setdefault(sign.id, sign)


def _add_artifact(work: _Import, line: int, found: ImageSign, prompt: AnySign, row: InputRow) -> None:
    first = work.lines.setdefault(found.id, line)
    if found.id in work.artifacts:
        earlier = work.artifacts[found.id]
        if earlier.title == found.title and earlier.prompt == prompt.id:
            work.notes.append(f"line {line} repeats line {first}")
            return
        raise ValueError(f"{found.title!r} is the same picture as {earlier.title!r} on line {first}")
    about = {
        "generator": row.get("generator") or found.generator,
        "tradition": row.get("tradition"),
        "prompt": prompt.id,
        "round": _round(row),
    }
    work.artifacts[found.id] = found.model_copy(update=about)


def _round(row: InputRow) -> int:
    text = row.get("round") or "1"
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"round {text!r} is not a whole number from 1")
    return int(text)


def _list(cell: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in re.split(r"[;|]", cell) if item.strip())


def _file(work: _Import, name: str) -> ImageSign:
    """Return the picture of this name in one of the folders."""
    if not name:
        raise ValueError("the file name is empty")
    if name not in work.files:
        found = [base for base in work.folders if (base / name).is_file()]
        # A downloaded table must not copy pictures from elsewhere on this machine into the study.
        inside = [base for base in found if (base / name).resolve().is_relative_to(base.resolve())]
        if not inside:
            places = ", ".join(str(base) for base in dict.fromkeys(work.folders))
            if found:
                raise ValueError(f"the picture {name!r} is outside of {places}; name its folder as well")
            raise ValueError(f"there is no picture {name!r} in {places}")
        path = inside[0] / name
        work.files[name] = image(path, title=Path(name).with_suffix("").as_posix())
    return work.files[name]


def _add_folders(work: _Import, folders: Iterable[Path]) -> None:
    """Add the prompts of a table and the pictures whose paths start with a prompt's id or number."""
    rows: dict[str, InputRow] = {}
    prompts: dict[str, AnySign] = {}
    for number, row in enumerate(work.table.rows, start=1):
        key = name_key(row.get("id") or str(number))
        if key in rows:
            work.table.reject(row.line, f"line {rows[key].line} has the same prompt id, {row.get('id')!r}")
            continue
        try:
            prompts[key], rows[key] = _prompt(work, row, number), row
        except (ValueError, DataError) as error:
            work.table.reject(row.line, error)
    for base, name in _pictures(folders):
        key, generator = _owner(name, rows)
        path = base / name
        found = image(path, title=Path(name).with_suffix("").as_posix(), generator=generator)
        try:
            _add_artifact(work, rows[key].line, found, prompts[key], rows[key])
        except ValueError as error:
            raise DataError(str(error), where=str(path), fix="remove one of them") from error


def _pictures(folders: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    for base in folders:
        for path in sorted(base.rglob("*")):
            if path.suffix.lower() in PICTURES and path.is_file():
                yield base, path.relative_to(base).as_posix()


def _owner(name: str, prompts: Mapping[str, InputRow]) -> tuple[str, str]:
    """Return the key of the prompt that a picture's path starts with, and the rest as its generator."""
    plain = Path(name).with_suffix("").as_posix()
    cuts = [(cut.start(), cut.end()) for cut in re.finditer(r"[/_\-. ]+", plain)]
    for start, end in reversed([*cuts, (len(plain), len(plain))]):
        if name_key(plain[:start]) in prompts:
            return name_key(plain[:start]), plain[end:]
    raise DataError(
        f"the picture {name!r} starts with no prompt's id or number",
        where=name,
        fix="call it after its prompt (p01/sdxl.png or p01_sdxl.png), or add a file column to the table",
    )


def _with_known(study: Study, signs: Mapping[str, AnySign]) -> dict[str, AnySign]:
    """Return signs with what the study already says about them where the table says nothing."""
    merged = {}
    for sign_id, sign in signs.items():
        earlier = study.signs.get(sign_id)
        if earlier is None:
            merged[sign_id] = sign
            continue
        if earlier.prompt and sign.prompt and earlier.prompt != sign.prompt:
            raise DataError(
                f"the picture {sign.title!r} is in the study as an artifact of another prompt",
                where=str(study.folder),
                fix="remove it there first: semiosis study remove",
            )
        names = ("title", "tradition", "tags", "generator", "prompt")
        kept = {name: getattr(earlier, name) for name in names if not getattr(sign, name)}
        merged[sign_id] = sign.model_copy(update=kept)
    return merged


def _comparisons(
    study: Study, work: _Import, signs: Mapping[str, AnySign], pairs: str, encoding: str
) -> list[Comparison]:
    """Return the comparisons between the pictures of each prompt that the study lacks in either order."""
    if pairs == "none":
        return []
    if pairs not in ("all", "within-prompt"):
        return _listed_pairs(study, signs, Path(pairs), encoding)
    touched = {sign.prompt for sign in work.artifacts.values()}
    groups: dict[tuple[str | None, int], list[str]] = {}
    for sign in {**study.signs, **signs}.values():
        if isinstance(sign, ImageSign) and sign.prompt in touched:
            groups.setdefault((sign.prompt, 0 if pairs == "all" else sign.round), []).append(sign.id)
    there = {(c.prompt, frozenset((c.a, c.b))) for c in study.comparisons.values()}
    return [
        Comparison(prompt=prompt, a=a, b=b)
        for (prompt, _), group in groups.items()
        for a, b in combinations(group, 2)
        if prompt and (prompt, frozenset((a, b))) not in there
    ]


def _listed_pairs(study: Study, signs: Mapping[str, AnySign], path: Path, encoding: str) -> list[Comparison]:
    table = read_table(
        path, {"prompt": (), "a": (), "b": ()}, required=["prompt", "a", "b"], encoding=encoding
    )
    names = SignNames({**study.signs, **signs}.values(), study.comparisons.values())
    found: dict[tuple[str, frozenset[str]], Comparison] = {
        (c.prompt, frozenset((c.a, c.b))): c for c in study.comparisons.values()
    }
    for row in table.rows:
        try:
            prompt = names.prompt(row.get("prompt"))
            a, b = (names.artifact(row.get(side), prompt) for side in ("a", "b"))
            found.setdefault((prompt, frozenset((a, b))), Comparison(prompt=prompt, a=a, b=b))
        except ValueError as error:
            same = row.get("a") == row.get("b")
            table.reject(row.line, "a picture is compared with itself" if same else error)
    table.raise_if_bad()
    return [comparison for comparison in found.values() if comparison.id not in study.comparisons]
