"""The evaluators of the package, each with its entry in the registry."""

from pathlib import PurePath
from typing import Literal, TypedDict

from semiosis.align import DEFAULT_EMBEDDER, Aligner, ModelAligner, aligner_of
from semiosis.ask import DEFAULT_LANGUAGE, Asker, Model
from semiosis.judge import (
    BASELINES,
    PRESETS,
    AlignmentJudge,
    CitationJudge,
    Examinee,
    Judge,
    ModelAlignmentJudge,
    SemJudge,
)
from semiosis.read import Reader
from semiosis.score import (
    CHECKPOINTS,
    LIKELIHOODS,
    PICTURE_SCORERS,
    RUBRICS,
    AlignmentScorer,
    Checkpoint,
    EncoderScorer,
    LikelihoodQuestion,
    LikelihoodScorer,
    NodeScorer,
    RatedScorer,
    Rubric,
    Scorer,
)
from semiosis.study._judge_run import StudyJudge
from semiosis.study._registry import MODEL_ARGUMENT, EvaluatorOptions, RegisteredEvaluator, register
from semiosis.study._score_judge import recorded_scorer
from semiosis.values import UsageError


def _language(options: EvaluatorOptions) -> str:
    return str(options.settings.get("language", DEFAULT_LANGUAGE))


def _reader(_: str, options: EvaluatorOptions) -> Reader:
    return Reader(options.required_model("model"), asker=options.asker, language=_language(options))


def _aligner(embedder: str, _: EvaluatorOptions) -> Aligner:
    return aligner_of(embedder) if embedder else aligner_of()


def _model_aligner(_: str, options: EvaluatorOptions) -> ModelAligner:
    return ModelAligner(options.required_model("model"), asker=options.asker)


def _examinee(_: str, options: EvaluatorOptions) -> Examinee:
    rule = options.rule
    readings = f"{rule.interpreter} ({rule.detail})" if rule.interpreter else ""
    model = options.required_model("vqa")
    return Examinee(model, asker=options.asker, readings=readings, language=_language(options))


def _semjudge(preset: str, options: EvaluatorOptions) -> SemJudge:
    model = options.required_model(preset)
    return SemJudge(model, preset=preset, builder=options.builder, asker=options.asker, **options.settings)


def _citations(preset: str, options: EvaluatorOptions) -> Judge:
    if preset in PRESETS and PRESETS[preset].direct:
        raise UsageError(
            f"the judge {preset!r} cites nothing", fix="count the citations of semjudge: --judge citations"
        )
    return CitationJudge(_semjudge(preset or "semjudge", options))


def _alignment(embedder: str, options: EvaluatorOptions) -> StudyJudge:
    """Return the judge that aligns with an embedder."""
    judge = AlignmentJudge(embedder) if embedder else AlignmentJudge()
    _ = judge.aligner  # refuses an unknown embedder before the run starts
    if choice := options.rule.choice:
        judge = AlignmentJudge(judge.embedder, name=f"{judge.evaluator.name} ({choice})")
    return StudyJudge(judge, options.rule)


def _model_alignment(name: str, options: EvaluatorOptions) -> StudyJudge:
    aligner = ModelAligner(_aligning_model(name, options), asker=options.asker)
    judge = ModelAlignmentJudge(aligner)
    if choice := options.rule.choice:
        judge = ModelAlignmentJudge(aligner, f"{judge.evaluator.name} ({choice})")
    return StudyJudge(judge, options.rule)


def _aligning_model(name: str, options: EvaluatorOptions) -> Model:
    """Return the model of this name, or the model of the run with its address and settings."""
    if name and (options.model is None or name != options.model.full_name):
        return Model.of(name)
    return options.required_model("align:model", "or align:model=MODEL")


def _recorded_scorer(name: str, options: EvaluatorOptions) -> Scorer:
    if options.study is None:
        raise UsageError("recorded scores need a study", fix="run: semiosis run STUDY --judge recorded:NAME")
    return recorded_scorer(options.study, name)


def _alignment_scorer(embedder: str, options: EvaluatorOptions) -> Scorer:
    scorer = AlignmentScorer(embedder or DEFAULT_EMBEDDER)
    _ = scorer.aligner  # refuses an unknown embedder before the run starts
    if choice := options.rule.choice:
        scorer = AlignmentScorer(scorer.embedder, name=f"{scorer.evaluator.name} ({choice})")
    return scorer


def _rated(rubric: Rubric) -> RegisteredEvaluator:
    """Return the entry of a scorer that a model answers with numbers."""
    parts = len(rubric.parts)
    return RegisteredEvaluator(
        "scorer",
        rubric.name,
        rubric.about,
        lambda _, options: RatedScorer(rubric.name, options.required_model(rubric.name), **_asked(options)),
        needs=frozenset({"model", "pictures"}),
        calls=f"{parts} per picture",
        good_for="whether a number agrees with people as well as a choice does",
        family=rubric.family,
    )


def _likelihood(row: LikelihoodQuestion) -> RegisteredEvaluator:
    """Return the entry of a scorer by likelihood."""
    return RegisteredEvaluator(
        "scorer",
        row.name,
        row.about,
        lambda _, options: LikelihoodScorer(row.name, options.required_model(row.name)),
        needs=frozenset({"model", "pictures", "weights"}),
        calls="none",
        good_for="what a model on your machine finds likely",
        family="likelihood",
    )


def _node_scorer(_: str, options: EvaluatorOptions) -> Scorer:
    return NodeScorer(options.required_model("nodes"), **_asked(options))


class AskedOptions(TypedDict):
    """The options of scorers that ask a model."""

    asker: Asker | None
    language: str
    repeats: int


def _asked(options: EvaluatorOptions) -> AskedOptions:
    return {
        "asker": options.asker,
        "language": _language(options),
        "repeats": int(options.settings.get("repeats", 1)),
    }


def _encoder(row: Checkpoint) -> RegisteredEvaluator:
    """Return the entry of a checkpoint. Its argument is a folder or a hub id with other weights."""
    return RegisteredEvaluator(
        "scorer",
        row.name,
        row.about,
        lambda source, _: EncoderScorer(row, source),
        needs=frozenset({"pictures", "weights"}),
        argument="WEIGHTS",
        argument_required=not row.hub,
        good_for="the rows of published tables: whether a trained metric agrees with people",
        family=row.family,
    )


def _own_encoder(source: str, _: EvaluatorOptions) -> Scorer:
    name = PurePath(source).name
    return EncoderScorer(Checkpoint(f"clip:{name}", "the cosine of prompt and picture", "cosine"), source)


def _picture_scorer(name: str, about: str, good_for: str) -> RegisteredEvaluator:
    scorer = PICTURE_SCORERS[name]
    return RegisteredEvaluator(
        "scorer",
        name,
        about,
        lambda _, _options: scorer,
        needs=frozenset({"pictures"}),
        good_for=good_for,
        family=scorer.family,
    )


def _preset(
    name: str,
    about: str,
    calls: str,
    good_for: str,
    questions: Literal["", "picture", "reading"] = "reading",
) -> RegisteredEvaluator:
    return RegisteredEvaluator(
        "judge",
        name,
        about,
        lambda _, options: _semjudge(name, options),
        needs=frozenset({"model"}),
        calls=calls,
        good_for=good_for,
        questions=questions,
    )


def _baseline(name: str, about: str, good_for: str) -> RegisteredEvaluator:
    judge = BASELINES[name]
    return RegisteredEvaluator("judge", name, about, lambda _, _options: judge, good_for=good_for)


_READ_AND_JUDGE = "1 per prompt, 1 per picture, 2 per comparison"

for _entry in (
    RegisteredEvaluator(
        "reader",
        "model",
        "reads signs as HSGs",
        _reader,
        needs=frozenset({"model"}),
        calls="1 per sign",
        good_for="what a model takes each sign to mean",
    ),
    RegisteredEvaluator(
        "aligner",
        "embedder",
        "compares the wording of two HSGs",
        _aligner,
        needs=frozenset({"readings"}),
        argument="EMBEDDER",
        good_for="screening without a key",
    ),
    RegisteredEvaluator(
        "aligner",
        "model",
        "lets a model state the fate of every node",
        _model_aligner,
        needs=frozenset({"readings", "model"}),
        calls="1 per pair",
        good_for="fates: which meanings were kept, weakened, reversed or lost, and why",
    ),
    RegisteredEvaluator(
        "examinee",
        "vqa",
        "answers multiple-choice questions about pictures, with or without their readings",
        _examinee,
        needs=frozenset({"model", "questions"}),
        calls="1 per question",
        good_for="whether a model understands the pictures that it judges",
    ),
    RegisteredEvaluator(
        "judge",
        "align",
        "aligns existing readings; the artifact that keeps more of the prompt wins",
        _alignment,
        needs=frozenset({"readings"}),
        argument="EMBEDDER",
        good_for="screening without a key, and naming what was lost",
    ),
    RegisteredEvaluator(
        "judge",
        "align:model",
        "lets a model state what became of every node (align:model=MODEL for a model other than --model)",
        _model_alignment,
        needs=frozenset({"readings", "model"}),
        argument=MODEL_ARGUMENT,
        calls="1 per picture",
        good_for="verdicts by fates: which meanings were kept, weakened, reversed or lost, and why",
    ),
    _preset(
        "semjudge",
        "reads prompt and artifacts into HSGs, then judges with node-cited evidence",
        _READ_AND_JUDGE,
        "verdicts with evidence: every reason names a node",
    ),
    _preset(
        "semjudge:blind",
        "like semjudge, but reads artifacts without the prompt",
        _READ_AND_JUDGE,
        "whether the picture alone conveys the meaning",
    ),
    _preset(
        "semjudge:published",
        "like semjudge, but as published: both artifacts in one call, one order, three repeats",
        "3 per prompt, 6 per comparison",
        "comparison with published figures only",
    ),
    _preset(
        "direct",
        "sees prompt and pictures, no HSGs (baseline of table 3)",
        "2 per comparison",
        "what the model can do without graphs",
        "picture",
    ),
    _preset(
        "direct:published",
        "like direct, but as published: one order, three repeats",
        "3 per comparison",
        "comparison with published figures only",
        "picture",
    ),
    _preset(
        "root-only",
        "like semjudge, but reads each artifact as one semiosis (ablation of figure 4)",
        _READ_AND_JUDGE,
        "what the parts of the graph add to its root",
        "",  # one semiosis does not contain enough for an answer
    ),
    RegisteredEvaluator(
        "judge",
        "citations",
        "counts which artifact the citations of semjudge support",
        _citations,
        needs=frozenset({"model"}),
        argument="JUDGE",
        calls="those of semjudge, paid once if both run",
        good_for="whether a judge's verdicts follow from its own evidence",
    ),
    RegisteredEvaluator(
        "scorer",
        "align",
        "aligns existing readings: how much of the prompt's meaning the artifact keeps",
        _alignment_scorer,
        needs=frozenset({"readings"}),
        argument="EMBEDDER",
        good_for="screening without a key",
        family="alignment",
    ),
    *map(_rated, RUBRICS.values()),
    *map(_likelihood, LIKELIHOODS.values()),
    RegisteredEvaluator(
        "scorer",
        "nodes",
        "asks of each node of the prompt's reading whether the picture has its meaning (ours)",
        _node_scorer,
        needs=frozenset({"readings", "model", "pictures"}),
        calls="1 per node of the prompt and picture",
        good_for="which meanings a model finds in the picture, without a reading of it",
        family="structured",
    ),
    RegisteredEvaluator(
        "scorer",
        "recorded",
        "repeats the scores that the study has by NAME; the higher one wins",
        _recorded_scorer,
        needs=frozenset({"scores"}),
        family="recorded",
        argument="NAME",
        argument_required=True,
        good_for="CLIPScore, PickScore and other metrics that you computed elsewhere",
    ),
    _baseline("baseline:coin", "tosses a coin for each comparison", "the chance level"),
    _baseline("baseline:first", "always prefers a", "whether a and b are balanced in the study"),
    *map(_encoder, CHECKPOINTS.values()),
    RegisteredEvaluator(
        "scorer",
        "clip",
        "the cosine of prompt and picture, by a CLIP, SigLIP or MetaCLIP of your own",
        _own_encoder,
        needs=frozenset({"pictures", "weights"}),
        argument="WEIGHTS",
        argument_required=True,
        good_for="a checkpoint that is not in this list",
        family="cosine",
    ),
    _picture_scorer("baseline:size", "prefers the larger file", "whether people prefer more detail"),
    _picture_scorer(
        "baseline:colour",
        "prefers the more colourful picture (Hasler and Süsstrunk, 2003)",
        "whether people prefer more colour",
    ),
):
    register(_entry)
