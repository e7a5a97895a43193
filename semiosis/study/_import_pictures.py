"""Imports prompts, pictures and the comparisons between them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import normalize

from semiosis.files import image, is_file, resolve_path
from semiosis.study._adding import ImportResult, add_values
from semiosis.study._import_pairs import comparisons
from semiosis.study._names import PICTURES, name_key
from semiosis.study._picture_sources import picture_sources
from semiosis.study._study import Study, read_study
from semiosis.study._table import (
    MAX_NAMED,
    InputRow,
    InputTable,
    no_such_column,
    problem_text,
    read_table,
    unused_columns,
    whole_number,
)
from semiosis.values import AnySign, CompositeSign, DataError, ImageSign, TextSign

COLUMNS: dict[str, tuple[str, ...]] = {
    "prompt": ("text", "caption", "prompt_text"),
    "id": ("prompt_id", "name", "nr", "no", "number"),
    "file": ("file_name", "filename", "image", "path", "picture", "image_path", "image_file_name"),
    "generator": ("model", "generator_name", "system"),
    "tradition": ("culture",),
    "tags": ("tag", "category"),
    "round": ("turn", "step"),
    "references": ("reference", "reference_images"),
    "from": ("source", "previous"),
    "language": ("lang",),
}
"""The columns of a table of prompts and pictures, each with the other headings that are recognised."""
_OTHER_PICTURES = (".tif", ".tiff", ".bmp", ".heic", ".heif", ".avif", ".jxl", ".svg")
"""The suffixes of other picture formats, whose files are reported because they cannot be read."""


@dataclass
class _Import:
    """The signs that a table describes, collected row by row."""

    table: InputTable
    folders: list[Path]
    split: str = ""
    """The folder of the table if an image folder has several, such as `train/`; part of the titles."""
    files: dict[str, ImageSign] = field(default_factory=dict)
    """Pictures by path, so that each file is decoded once."""
    lines: dict[str, int] = field(default_factory=dict)
    """The first line with a sign, by the sign's id."""
    titles: dict[str, int] = field(default_factory=dict)
    """The first line with a prompt's id, by that id."""
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
    `metadata.csv` or `metadata.jsonl` in it or in the folders of its splits. A table with a `file` column has
    one row per picture. Without one, a picture belongs to the prompt whose id or number its path starts with:
    `p01/sdxl.png`, `p01_sdxl.png`. `pairs` is `within-prompt` (pictures of one prompt and round), `all`
    (across rounds too), `none`, or a table with the columns prompt, a and b.
    """
    study = read_study(folder)
    found = picture_sources(sources)
    signs: dict[str, AnySign] = {}
    notes: list[str] = []
    artifacts: dict[str, ImageSign] = {}
    for path, split in found.tables.items():
        table = read_table(path, COLUMNS, required=["prompt"], columns=columns, encoding=encoding, lines=True)
        if found.metadata and "file" not in table.columns:
            raise no_such_column(table, "file")
        work = _Import(table, [path.parent, *found.folders], split)
        signs = {**_read_signs(study, work, found.folders, artifacts), **signs}
        artifacts |= work.artifacts
        notes += [*unused_columns(table, COLUMNS), *work.notes]
    prompts = {sign.prompt for sign in artifacts.values() if sign.prompt}
    values = [*signs.values(), *comparisons(study, signs, prompts, pairs, encoding, notes)]
    return add_values(study, values, "import", notes=notes, link=link, dry_run=dry_run)


def _read_signs(
    study: Study, work: _Import, folders: list[Path], elsewhere: Mapping[str, ImageSign]
) -> dict[str, AnySign]:
    """Return the prompts and pictures of a table. `elsewhere` has the pictures of tables before it."""
    table = work.table
    if not table.rows and not table.bad:
        raise DataError(
            "there are no prompts in this file", where=str(table.path), fix="add rows below line 1"
        )
    if "file" in table.columns:
        _add_rows(work)
    else:
        _add_folders(work, folders)
    for sign in work.artifacts.values():
        if sign.id in elsewhere:
            same = f"{sign.title!r} is the same picture as {elsewhere[sign.id].title!r}"
            table.reject(work.lines[sign.id], same)
    _check_earlier_rounds(study, work)
    read = (*work.prompts.values(), *work.artifacts.values())
    signs = {sign.id: _with_known(study, work, sign) for sign in read}
    table.raise_if_bad()
    return signs


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
    about = {
        "title": title,
        "tradition": row.get("tradition"),
        "tags": _list(row.get("tags")),
        "round": _round(row) - 1,
    }
    if row.get("from"):
        about["prompt"] = _file(work, row.get("from")).id
    text = TextSign(text=row.get("prompt"), language=row.get("language"))
    references = [_file(work, name) for name in _list(row.get("references"))]
    sign: AnySign = CompositeSign(parts=(text, *references)) if references else text
    sign = sign.model_copy(update=about)
    if sign.id in work.prompts:
        sign = _with_earlier_row(work, work.prompts[sign.id], sign, row.line)
    elif row.get("id") and (other := work.titles.setdefault(row.get("id"), row.line)) != row.line:
        work.notes.append(f"line {row.line}: the prompt of line {other} has the same id, {row.get('id')!r}")
    work.lines.setdefault(sign.id, row.line)
    work.prompts[sign.id] = sign
    return sign


def _with_earlier_row(work: _Import, earlier: AnySign, sign: AnySign, line: int) -> AnySign:
    """Return the prompt of an earlier row, with its empty fields filled from a later row."""
    first = work.lines[earlier.id]
    if earlier.prompt and sign.prompt and earlier.prompt != sign.prompt:
        raise ValueError(
            f"the prompt follows a different picture than on line {first}; name the picture as a reference "
            "too, so that the two prompts differ"
        )
    for name in ("title", "tradition", "tags"):
        before, now = getattr(earlier, name), getattr(sign, name)
        if before and now and before != now:
            work.notes.append(f"line {line}: {name} {now!r}, but the prompt keeps {before!r} of line {first}")
    empty = {
        name: getattr(sign, name)
        for name in ("title", "tradition", "tags", "prompt")
        if not getattr(earlier, name)
    }
    return earlier.model_copy(update=empty)


def _add_artifact(work: _Import, line: int, found: ImageSign, prompt: AnySign, row: InputRow) -> None:
    first = work.lines.setdefault(found.id, line)
    if found.id in work.artifacts:
        earlier = work.artifacts[found.id]
        if earlier.title == found.title and earlier.prompt == prompt.id:
            work.notes.append(f"line {line} repeats line {first}")
            return
        raise ValueError(
            f"{found.title!r} is already a picture of the prompt on line {first}; a picture has one prompt"
            if earlier.title == found.title
            else f"{found.title!r} is the same picture as {earlier.title!r} on line {first}; keep one of them"
        )
    about = {
        "generator": row.get("generator") or found.generator,
        "tradition": row.get("tradition"),
        "prompt": prompt.id,
        "round": _round(row),
    }
    work.artifacts[found.id] = found.model_copy(update=about)


def _round(row: InputRow) -> int:
    return whole_number(row.get("round") or "1", "round", at_least=1)


def _list(cell: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in re.split(r"[;|]", cell) if item.strip())


def _file(work: _Import, name: str) -> ImageSign:
    """Return the picture of this name in one of the folders."""
    if not name:
        raise ValueError("the file name is empty")
    if name not in work.files:
        path = _path(work.folders, name)
        try:
            title = work.split + Path(name.replace("\\", "/")).with_suffix("").as_posix()
            work.files[name] = image(path, title=title)
        except DataError as error:
            raise ValueError(f"{name!r}: {problem_text(error)}") from error
    return work.files[name]


def _path(folders: Sequence[Path], name: str) -> Path:
    # Windows writes a backslash, and an archive made on macOS holds decomposed letters.
    slashed = [name, name.replace("\\", "/")]
    spellings = dict.fromkeys([*slashed, *(normalize(form, slashed[1]) for form in ("NFC", "NFD"))])
    found = [(base, base / each) for base in folders for each in spellings if is_file(base / each)]
    # A downloaded table must not copy pictures from elsewhere on this machine into the study.
    inside = [path for base, path in found if resolve_path(path).is_relative_to(resolve_path(base))]
    if not inside:
        searched = ", ".join(str(base) for base in dict.fromkeys(folders))
        if found:
            raise ValueError(f"the picture {name!r} is outside of {searched}; name its folder as well")
        raise ValueError(f"there is no picture {name!r} in {searched}")
    return inside[0]


def _add_folders(work: _Import, folders: Iterable[Path]) -> None:
    """Add the prompts of a table and the pictures whose paths start with a prompt's id or number."""
    rows: dict[str, InputRow] = {}
    prompts: dict[str, AnySign] = {}
    for number, row in enumerate(work.table.rows, start=1):
        key = name_key(row.get("id") or str(number))
        if key in rows and rows[key].cells == row.cells:
            work.notes.append(f"line {row.line} repeats line {rows[key].line}")
            continue
        if key in rows:
            work.table.reject(row.line, f"line {rows[key].line} has the same prompt id, {row.get('id')!r}")
            continue
        try:
            prompts[key], rows[key] = _prompt(work, row, number), row
        except (ValueError, DataError) as error:
            work.table.reject(row.line, error)
    work.table.raise_if_bad()
    problems = []
    for base, name in _pictures(folders):
        try:
            key, generator = _owner(name, rows)
            title = Path(name).with_suffix("").as_posix()
            found = image(base / name, title=title, generator=generator)
            _add_artifact(work, rows[key].line, found, prompts[key], rows[key])
        except ValueError as error:
            problems.append(f"{base / name}: {error}")
        except DataError as error:
            problems.append(f"{base / name}: {problem_text(error)}")
    _raise_if_any(problems, work.table, next(iter(rows), ""))


def _raise_if_any(problems: list[str], table: InputTable, example: str) -> None:
    if problems:
        more = [f"and {len(problems) - MAX_NAMED:,} more"] if len(problems) > MAX_NAMED else []
        count = "a picture" if len(problems) == 1 else f"{len(problems):,} pictures"
        raise DataError(
            "\n  ".join([f"{count} cannot be added; nothing was written", *problems[:MAX_NAMED], *more]),
            where=str(table.path),
            fix="correct these pictures; if the table has no file column, name each after its prompt: "
            f"{example}/sdxl.png or {example}_sdxl.png",
        )


def _pictures(folders: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Yield the pictures in the folders, without hidden files such as those that macOS adds."""
    for base in folders:
        for path in sorted(base.rglob("*")):
            name = path.relative_to(base)
            hidden = any(part.startswith(".") for part in name.parts)
            if path.suffix.lower() in (*PICTURES, *_OTHER_PICTURES) and path.is_file() and not hidden:
                yield base, name.as_posix()


def _owner(name: str, prompts: Mapping[str, InputRow]) -> tuple[str, str]:
    """Return the key of the prompt that a picture's path starts with, and the generator that follows it."""
    plain = Path(name).with_suffix("").as_posix()
    cuts = [(cut.start(), cut.end()) for cut in re.finditer(r"[/_\-. ]+", plain)]
    for start, end in reversed([*cuts, (len(plain), len(plain))]):
        if name_key(plain[:start]) in prompts:
            return name_key(plain[:start]), plain[end:]
    raise ValueError("its name does not start with the id or number of a prompt")


def _check_earlier_rounds(study: Study, work: _Import) -> None:
    """Reject prompts that follow anything other than a picture of an earlier round."""
    for prompt in work.prompts.values():
        if not prompt.prompt:
            continue
        source = work.artifacts.get(prompt.prompt) or study.signs.get(prompt.prompt)
        line = work.lines[prompt.id]
        if source is None or not source.prompt:
            work.table.reject(line, "the picture in the column 'from' has no row of its own")
        elif source.round > prompt.round:
            after = f"{source.title!r} is a picture of round {source.round}"
            work.table.reject(line, f"{after}, so the round of this row must be higher")


def _with_known(study: Study, work: _Import, sign: AnySign) -> AnySign:
    """Return a sign, with the study's values in the fields that are empty in the table."""
    earlier = study.signs.get(sign.id)
    if earlier is None:
        return sign
    line = work.lines[sign.id]
    if sign.id in work.artifacts and earlier.prompt and earlier.prompt != sign.prompt:
        work.table.reject(
            line,
            f"{sign.title!r} is in the study as a picture of another prompt; to move it, first run: "
            f"semiosis study remove {study.folder} {sign.id} --dependents",
        )
    names = ("title", "tradition", "tags", "generator", "prompt", "language", "round")
    kept = {}
    for name in (name for name in names if hasattr(sign, name)):
        before, now = getattr(earlier, name), getattr(sign, name)
        if not now or (name == "round" and "round" not in work.table.columns):
            kept[name] = before
        elif before and before != now:
            work.notes.append(f"line {line}: the {name} of {sign.title!r} was {before!r}, and is now {now!r}")
    return sign.model_copy(update=kept)
