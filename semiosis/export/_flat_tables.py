"""The flat tables of a study as CSV or Parquet, with one row per sign, node, place, match or verdict.

Superseded values have rows too, which the column `history` marks.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from semiosis.files import atomic_writer, escape_csv
from semiosis.study import Study
from semiosis.values import (
    HSG,
    Alignment,
    Answer,
    Box,
    ImageSign,
    MissingExtraError,
    MissingSign,
    Observation,
    Rating,
    Score,
    Span,
    TextSign,
    Unscored,
    Verdict,
    evaluator_labels,
)

FlatRow = dict[str, Any]


@dataclass(frozen=True)
class FlatTable:
    """One table of a study."""

    current: Callable[[Study], Iterator[FlatRow]]
    """The function that yields the rows of the study's values, without its history."""
    columns: dict[str, type]
    """The columns in order, with their types. A cell of any column may be empty."""

    def rows(self, study: Study) -> Iterator[FlatRow]:
        """Yield the rows of the current values, and then those of superseded ones, marked in `history`."""
        yield from self.current(study)
        if "history" in self.columns:
            yield from ({**row, "history": "superseded"} for row in self.current(_past(study)))


def _past(study: Study) -> Study:
    """Return the study with its superseded values as its values, and the others as history."""
    values = study.history.values()
    return replace(
        study,
        hsgs={value.id: value for value in values if isinstance(value, HSG)},
        alignments={value.id: value for value in values if isinstance(value, Alignment)},
        observations={value.id: value for value in values if isinstance(value, Observation)},
        history=dict(study.observations),
    )


def _labels(study: Study, kind: type[Observation]) -> Mapping[str, str]:
    """Return the labels of everyone with an observation of a kind, superseded ones included, by id."""
    values = (*study.observations.values(), *study.history.values())
    return evaluator_labels(value.evaluator for value in values if isinstance(value, kind))


def _signs(study: Study) -> Iterator[FlatRow]:
    for sign in study.signs.values():
        image = sign if isinstance(sign, ImageSign) else None
        missing = sign if isinstance(sign, MissingSign) else None
        yield {
            "sign": sign.id,
            "kind": sign.kind,
            "title": sign.title,
            "text": sign.text if isinstance(sign, TextSign) else None,
            "sha256": image.sha256 if image else None,
            "width": image.width if image else None,
            "height": image.height if image else None,
            "generator": sign.generator,
            "tradition": sign.tradition,
            "tags": "; ".join(sign.tags),
            "prompt": sign.prompt,
            "round": sign.round,
            "seed": sign.seed,
            "instance": image.instance if image else None,
            "missing": missing.reason if missing else None,
        }


def _readings(study: Study) -> Iterator[FlatRow]:
    for hsg in study.hsgs.values():
        reading, interpreter = hsg.reading, hsg.reading.interpreter
        yield {
            "hsg": hsg.id,
            "sign": hsg.sign.id,
            "interpreter": interpreter.name,
            "interpreter_kind": interpreter.kind,
            "model": interpreter.model,
            "served": interpreter.served,
            "prompt_version": interpreter.prompt_version,
            "blind": hsg.blind,
            "detail": reading.detail,
            "repeat": reading.repeat,
            "nodes": len(hsg),
        }


def _nodes(study: Study) -> Iterator[FlatRow]:
    for hsg in study.hsgs.values():
        for depth, node in hsg.outline():
            semiosis = hsg.semioses[node]
            grounds = semiosis.grounds
            yield {
                "hsg": hsg.id,
                "node": node,
                "depth": depth,
                "label": semiosis.label,
                "sign_text": semiosis.sign,
                "object": semiosis.object,
                "dynamic_object": semiosis.dynamic_object,
                "interpretant": semiosis.interpretant,
                "iconic": grounds.iconic.strength,
                "indexical": grounds.indexical.strength,
                "symbolic": grounds.symbolic.strength,
                "location": semiosis.location,
                "share": semiosis.share,
            }


def _relations(study: Study) -> Iterator[FlatRow]:
    for hsg in study.hsgs.values():
        for relation in hsg.relations:
            yield {"hsg": hsg.id, **relation.model_dump()}


def _places(study: Study) -> Iterator[FlatRow]:
    for hsg in study.hsgs.values():
        for node, semiosis in hsg.semioses.items():
            for place in semiosis.places:
                yield {"hsg": hsg.id, "node": node, **_place(place)}


def _place(place: Span | Box) -> FlatRow:
    span = place if isinstance(place, Span) else None
    box = place if isinstance(place, Box) else None
    return {
        "kind": place.kind,
        "part": place.part,
        "start": span.start if span else None,
        "end": span.end if span else None,
        "quote": span.quote if span else None,
        **{edge: getattr(box, edge) if box else None for edge in ("x0", "y0", "x1", "y1")},
    }


def _alignments(study: Study) -> Iterator[FlatRow]:
    for alignment in study.alignments.values():
        yield {
            "alignment": alignment.id,
            "source": alignment.source.hsg,
            "target": alignment.target.hsg,
            "aligner": alignment.aligner,
            "aligned_by": alignment.aligned_by,
            "method": alignment.method,
            "condition": alignment.condition,
            "distance": alignment.distance,
            "matched_share": alignment.matched_share,
            "kept_share": alignment.kept_share,
            "recoverable_share": alignment.recoverable_share,
            "changed_share": alignment.changed_share,
            "emergent": len(alignment.emergent),
        }


def _matches(study: Study) -> Iterator[FlatRow]:
    for alignment in study.alignments.values():
        yield from _fates(alignment)


def _fates(alignment: Alignment) -> Iterator[FlatRow]:
    """Yield one row per source node and target, and one row without a target for a lost node."""
    for fate in alignment.fates:
        for link in fate.links or (None,):
            yield {
                "alignment": alignment.id,
                "source": alignment.source.hsg,
                "source_node": fate.node,
                "fate": fate.fate,
                "target": alignment.target.hsg if link else None,
                "target_node": link.target if link else None,
                "p": fate.p,
                "why": fate.why,
                "objects_differ": link.objects_differ if link else None,
            }


def _comparisons(study: Study) -> Iterator[FlatRow]:
    for comparison in study.comparisons.values():
        yield {"comparison": comparison.id, **comparison.model_dump(include={"prompt", "a", "b"})}


def _verdicts(study: Study) -> Iterator[FlatRow]:
    labels = _labels(study, Verdict)
    for verdict in study.verdicts:
        yield {
            "verdict": verdict.id,
            "comparison": verdict.comparison,
            **_evaluator(verdict, labels),
            "shown": None if verdict.order_unknown else verdict.shown,
            "repeat": verdict.repeat,
            "winner": _value(verdict.winner),
            "unscored": _unscored(verdict.winner),
            "p_a": verdict.p_a,
            "rationale": verdict.rationale,
            "cost": verdict.usage.cost if verdict.usage else None,
        }


def _citations(study: Study) -> Iterator[FlatRow]:
    for verdict in study.verdicts:
        for citation in verdict.citations:
            yield {"verdict": verdict.id, **citation.model_dump()}


def _ratings(study: Study) -> Iterator[FlatRow]:
    ratings = [value for value in study.observations.values() if isinstance(value, Rating)]
    labels = _labels(study, Rating)
    for rating in ratings:
        fields = rating.model_dump(include={"about", "about_kind", "scale", "low", "high", "repeat"})
        yield {"rating": rating.id, **_evaluator(rating, labels), **fields, **_scored(rating.value)}


def _answers(study: Study) -> Iterator[FlatRow]:
    answers = [value for value in study.observations.values() if isinstance(value, Answer)]
    labels = _labels(study, Answer)
    for answer in answers:
        about = {"question": answer.question, "repeat": answer.repeat}
        yield {"answer": answer.id, **_evaluator(answer, labels), **about, **_scored(answer.choice, "choice")}


def _scores(study: Study) -> Iterator[FlatRow]:
    scores = [value for value in study.observations.values() if isinstance(value, Score)]
    labels = _labels(study, Score)
    for score in scores:
        about = {"prompt": score.prompt, "artifact": score.artifact, "repeat": score.repeat}
        yield {"score": score.id, **_evaluator(score, labels), **about, **_scored(score.value)}


def _evaluator(observation: Verdict | Rating | Answer | Score, labels: Mapping[str, str]) -> FlatRow:
    evaluator = observation.evaluator
    return {"evaluator": labels[evaluator.id], "evaluator_kind": evaluator.kind}


def _scored(value: float | Unscored, name: str = "value") -> FlatRow:
    return {name: _value(value), "unscored": _unscored(value)}


def _value(value: Any) -> Any:
    return None if isinstance(value, Unscored) else value


def _unscored(value: object) -> str | None:
    return value.reason if isinstance(value, Unscored) else None


_TYPES: dict[str, type] = {"": str, "str": str, "int": int, "float": float, "bool": bool}


def _columns(names: str) -> dict[str, type]:
    """Return columns from names such as `title width:int`; a name without a type is text."""
    parted = (name.partition(":") for name in names.split())
    return {name: _TYPES[kind] for name, _, kind in parted}


TABLES: dict[str, FlatTable] = {
    name: FlatTable(rows, _columns(columns))
    for name, rows, columns in (
        (
            "signs",
            _signs,
            (
                "sign kind title text sha256 width:int height:int generator tradition tags prompt round:int "
                "seed instance missing"
            ),
        ),
        (
            "readings",
            _readings,
            (
                "hsg sign interpreter interpreter_kind model served prompt_version blind:bool detail "
                "repeat:int nodes:int history"
            ),
        ),
        (
            "nodes",
            _nodes,
            (
                "hsg node depth:int label sign_text object dynamic_object interpretant "
                "iconic:float indexical:float symbolic:float location share:float history"
            ),
        ),
        ("relations", _relations, "hsg whole part relation how hierarchy:bool history"),
        (
            "places",
            _places,
            "hsg node kind part:int start:int end:int quote x0:float y0:float x1:float y1:float history",
        ),
        (
            "alignments",
            _alignments,
            (
                "alignment source target aligner aligned_by method condition distance:float "
                "matched_share:float kept_share:float recoverable_share:float "
                "changed_share:float emergent:int history"
            ),
        ),
        (
            "matches",
            _matches,
            "alignment source source_node fate target target_node p:float why objects_differ:bool history",
        ),
        ("comparisons", _comparisons, "comparison prompt a b"),
        (
            "verdicts",
            _verdicts,
            (
                "verdict comparison evaluator evaluator_kind shown repeat:int winner unscored p_a:float "
                "rationale cost:float history"
            ),
        ),
        ("citations", _citations, "verdict hsg node stance rationale history"),
        (
            "ratings",
            _ratings,
            (
                "rating evaluator evaluator_kind about about_kind scale low:float high:float repeat:int "
                "value:float unscored history"
            ),
        ),
        (
            "answers",
            _answers,
            "answer evaluator evaluator_kind question repeat:int choice:int unscored history",
        ),
        (
            "scores",
            _scores,
            "score evaluator evaluator_kind prompt artifact repeat:int value:float unscored history",
        ),
    )
}
"""Every table by name. `semiosis export csv` and `parquet` write files or folders with these names."""


_PART_ROWS = 50_000
"""The maximum number of rows of a Parquet file, so that a table of any size is written in bounded memory."""


def export_csv(study: Study, folder: Path) -> list[Path]:
    """Write one CSV file per table into a folder and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_write_csv(table, study, folder / f"{name}.csv") for name, table in TABLES.items()]


def export_parquet(study: Study, folder: Path) -> list[Path]:
    """Write one folder of Parquet files per table and return the files. Needs pyarrow."""
    try:
        import pyarrow  # noqa: F401  # _write_parquet needs it; fail before the first file
    except ImportError as error:
        raise MissingExtraError("Parquet export needs pyarrow", "report") from error
    files = []
    for name, table in TABLES.items():
        for number, part in enumerate(_parts(table.rows(study))):
            files.append(_write_parquet(table, part, folder / name / f"part-{number:05d}.parquet"))
    return files


def _parts(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield lists of at most `_PART_ROWS` rows. An empty table gives one empty list, and so one file."""
    part = list(islice(rows, _PART_ROWS))
    yield part
    while part := list(islice(rows, _PART_ROWS)):
        yield part


def _write_csv(table: FlatTable, study: Study, file: Path) -> Path:
    with atomic_writer(file) as stream:
        text = io.TextIOWrapper(stream, "utf-8", newline="")
        writer = csv.DictWriter(text, list(table.columns))
        writer.writeheader()
        for row in table.rows(study):
            writer.writerow({name: _cell(value) for name, value in row.items()})
        text.flush()
        text.detach()  # the stream stays open: atomic_writer closes it and renames the file
    return file


def _cell(value: Any) -> Any:
    return escape_csv(value) if isinstance(value, str) else value


def _write_parquet(table: FlatTable, rows: list[dict[str, Any]], file: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, types[kind]) for name, kind in table.columns.items()])
    file.parent.mkdir(parents=True, exist_ok=True)
    with atomic_writer(file) as stream:
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), stream)
    return file
