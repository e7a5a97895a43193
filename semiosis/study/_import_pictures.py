"""Imports prompts, pictures and the comparisons between them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from semiosis.files import image
from semiosis.study._adding import ImportResult, add_values
from semiosis.study._import_pairs import comparisons
from semiosis.study._names import name_key
from semiosis.study._picture_layout import PictureFile, find_pictures
from semiosis.study._picture_signs import PictureOptions, PictureSigns
from semiosis.study._picture_sources import picture_sources
from semiosis.study._study import read_study
from semiosis.study._table import (
    MAX_NAMED,
    InputRow,
    InputTable,
    no_such_column,
    problem_text,
    read_table,
    unused_columns,
)
from semiosis.values import AnySign, DataError, ImageSign, MissingSign

COLUMNS: dict[str, tuple[str, ...]] = {
    "prompt": ("text", "caption", "prompt_text"),
    "id": ("prompt_id", "uid", "sample_id", "name", "nr", "no", "number"),
    "file": ("file_name", "filename", "image", "path", "picture", "image_path", "image_file_name"),
    "generator": ("model", "generator_name", "system"),
    "seed": (),
    "tradition": ("culture",),
    "tags": ("tag",),
    "category": (),
    "round": ("turn", "step"),
    "references": ("reference", "reference_images"),
    "from": ("previous",),
    "language": ("lang",),
    "missing": ("failure",),
}
"""The columns of a table of prompts and pictures, each with the other headings that are recognised."""


def add_pictures(
    folder: str | Path,
    *sources: str | Path,
    pairs: str = "within-prompt",
    columns: Mapping[str, str] | None = None,
    encoding: str = "",
    missing: str = "",
    placeholders: Sequence[str | Path] = (),
    link: bool = False,
    dry_run: bool = False,
) -> ImportResult:
    """Add prompts, pictures and the comparisons between them to a study.

    Sources are one table of prompts (.csv, .tsv, .jsonl, .txt) and folders of pictures, or a folder with
    `metadata.csv` or `metadata.jsonl` in it or in the folders of its splits. A table with a `file` column has
    one row per picture. Without one, the path of a picture names its prompt by id or number, its generator
    and its seed: `p01/sdxl.png`, `p01_sdxl_seed2.png`, `sdxl/p01.png`, `sdxl/p01/2.png`. `pairs` is
    `within-prompt` (pictures of one prompt and round by different generators), `all` (across rounds and
    seeds), `none`, or a table with the columns prompt, a and b.

    `missing` is the reason (refused, filtered or error) with which pictures that a generator lacks are
    recorded. Copies of the files in `placeholders` are recorded as missing too.
    """
    study = read_study(folder)
    named_sources = picture_sources(sources)
    options = PictureOptions.of(missing, placeholders)
    signs: dict[str, AnySign] = {}
    notes: list[str] = []
    artifacts: dict[str, ImageSign] = {}
    for path, split in named_sources.tables.items():
        table = read_table(path, COLUMNS, required=["prompt"], columns=columns, encoding=encoding, lines=True)
        if named_sources.metadata and "file" not in table.columns:
            raise no_such_column(table, "file")
        collected = PictureSigns(
            study, table, [path.parent, *named_sources.folders], options, split, dict(artifacts)
        )
        signs = {**_read_signs(collected, named_sources.folders), **signs}
        artifacts |= collected.artifacts
        notes += [*unused_columns(table, COLUMNS), *collected.notes]
    prompts = {sign.prompt for sign in artifacts.values() if sign.prompt}
    values = [*signs.values(), *comparisons(study, signs, prompts, pairs, encoding, notes)]
    return add_values(study, values, "import", notes=notes, link=link, dry_run=dry_run)


def _read_signs(collected: PictureSigns, folders: list[Path]) -> dict[str, AnySign]:
    """Return the prompts and pictures of a table."""
    table = collected.table
    if not table.rows and not table.bad:
        raise DataError(
            "there are no prompts in this file", where=str(table.path), fix="add rows below line 1"
        )
    if "file" in table.columns:
        _add_rows(collected)
    else:
        _add_folders(collected, folders)
    _check_earlier_rounds(collected)
    read = (*collected.prompts.values(), *collected.artifacts.values(), *collected.missing.values())
    collected.notes += _made_after_all(collected)
    signs = {sign.id: _with_recorded(collected, sign) for sign in read}
    table.raise_if_bad()
    return signs


def _add_rows(collected: PictureSigns) -> None:
    """Add the prompt of each row, and its picture or the reason why there is none."""
    for row in collected.table.rows:
        try:
            prompt = collected.add_prompt(row)
            if row.get("file"):
                collected.add_artifact(row.line, collected.file(row.get("file")), prompt, row)
            else:
                collected.add_missing(row, prompt)
        except (ValueError, DataError) as error:
            collected.table.reject(row.line, error)


def _add_folders(collected: PictureSigns, folders: Sequence[Path]) -> None:
    """Add the prompts of a table, and the pictures whose paths name a prompt by id or number."""
    rows: dict[str, InputRow] = {}
    prompts: dict[str, AnySign] = {}
    for number, row in enumerate(collected.table.rows, start=1):
        key = name_key(row.get("id") or str(number))
        if key in rows and rows[key].cells == row.cells:
            collected.notes.append(f"line {row.line} repeats line {rows[key].line}")
            continue
        if key in rows:
            collected.table.reject(
                row.line, f"line {rows[key].line} has the same prompt id, {row.get('id')!r}"
            )
            continue
        try:
            prompts[key], rows[key] = collected.add_prompt(row, number), row
        except (ValueError, DataError) as error:
            collected.table.reject(row.line, error)
    collected.table.raise_if_bad()
    pictures = find_pictures(folders, rows.keys())
    problems = list(_add_files(collected, pictures, rows, prompts))
    example = next(iter(rows), "")
    _raise_if_any(problems, collected.table, example, any(not file.prompt for file in pictures))
    _add_gaps(collected, pictures, rows, prompts)


def _add_files(
    collected: PictureSigns,
    pictures: Iterable[PictureFile],
    rows: Mapping[str, InputRow],
    prompts: Mapping[str, AnySign],
) -> Iterator[str]:
    """Add the pictures of folders, and yield the problem of each that cannot be added."""
    for file in pictures:
        if not file.prompt:
            yield f"{file.path}: its name contains no id or number of a prompt"
            continue
        try:
            picture = image(file.path, title=file.title, generator=file.generator)
            picture = picture.model_copy(update={"seed": file.seed})
            row = rows[file.prompt]
            collected.add_artifact(row.line, picture, prompts[file.prompt], row)
        except ValueError as error:
            yield f"{file.path}: {error}"
        except DataError as error:
            yield f"{file.path}: {problem_text(error)}"


def _add_gaps(
    collected: PictureSigns,
    pictures: Sequence[PictureFile],
    rows: Mapping[str, InputRow],
    prompts: Mapping[str, AnySign],
) -> None:
    """Record or report the prompts for which a generator of these folders has no picture."""
    examples = {file.generator: file for file in reversed(pictures) if file.generator}
    keys = {prompt.id: key for key, prompt in prompts.items()}
    made = {(file.generator, file.prompt) for file in pictures}
    made |= {
        (sign.generator, keys[sign.prompt]) for sign in collected.study.signs.values() if sign.prompt in keys
    }
    for generator, example in sorted(examples.items()):
        gaps = [key for key in rows if (generator, key) not in made]
        if gaps and not collected.options.missing:
            collected.notes.append(
                f"{generator} has no picture of {len(gaps):,} of {len(rows):,} prompts ({_some(gaps)}); "
                "--missing refused, filtered or error records that"
            )
        reason = collected.options.missing
        for key in gaps if reason else []:
            row, prompt = rows[key], prompts[key]
            title = example.title_for(row.get("id") or prompt.title)
            about = {"title": title, "tradition": row.get("tradition")}
            collected.record_missing(row.line, prompt.id, generator, 1, reason, about)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def _raise_if_any(problems: list[str], table: InputTable, example: str, unnamed: bool) -> None:
    if problems:
        more = [f"and {len(problems) - MAX_NAMED:,} more"] if len(problems) > MAX_NAMED else []
        count = "a picture" if len(problems) == 1 else f"{len(problems):,} pictures"
        naming = (
            "; if the table has no file column, name each after its prompt: "
            f"{example}/sdxl.png, {example}_sdxl.png or sdxl/{example}.png"
        )
        raise DataError(
            "\n  ".join([f"{count} cannot be added; nothing was written", *problems[:MAX_NAMED], *more]),
            where=str(table.path),
            fix="correct or remove these pictures" + naming * unnamed,
        )


def _check_earlier_rounds(collected: PictureSigns) -> None:
    """Reject prompts that follow anything other than a picture of an earlier round."""
    for prompt in collected.prompts.values():
        if not prompt.prompt:
            continue
        source = collected.artifacts.get(prompt.prompt) or collected.study.signs.get(prompt.prompt)
        line = collected.lines[prompt.id]
        if source is None or not source.prompt:
            collected.table.reject(line, "the picture in the column 'from' has no row of its own")
        elif source.round > prompt.round:
            after = f"{source.title!r} is a picture of round {source.round}"
            collected.table.reject(line, f"{after}, so the round of this row must be higher")


def _made_after_all(collected: PictureSigns) -> Iterator[str]:
    """Yield a note for each picture that the study has as a missing one."""
    missing = {_origin(sign): sign.id for sign in collected.study.missing}
    for sign in collected.artifacts.values():
        if recorded := missing.get(_origin(sign)):
            remove = f"semiosis study remove {collected.study.folder} {recorded}"
            yield f"{sign.title!r} is in the study as a missing picture too; if it is not, run: {remove}"


def _origin(sign: ImageSign | MissingSign) -> tuple[str | None, str, str, int]:
    return sign.prompt, sign.generator, sign.seed, sign.round


def _with_recorded(collected: PictureSigns, sign: AnySign) -> AnySign:
    """Return a sign, with the study's values in the fields that are empty in the table."""
    earlier = collected.study.signs.get(sign.id)
    if earlier is None:
        return sign
    line = collected.lines[sign.id]
    names = ("title", "tradition", "tags", "generator", "prompt", "language", "round", "seed", "reason")
    unchanged = {}
    for name in (name for name in names if hasattr(sign, name)):
        before, now = getattr(earlier, name), getattr(sign, name)
        if not now or (name == "round" and "round" not in collected.table.columns):
            unchanged[name] = before
        elif before and before != now:
            collected.notes.append(
                f"line {line}: the {name} of {sign.title!r} was {before!r}, and is now {now!r}"
            )
    return sign.model_copy(update=unchanged)
