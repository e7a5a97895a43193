"""The registry of judges: their short names for the command line, and their requirements."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from semiosis.align import ModelAligner
from semiosis.ask import Asker, Model
from semiosis.judge import BASELINES, AlignmentJudge, CitationJudge, ModelAlignmentJudge, SemJudge
from semiosis.study._cases import ReadingRule
from semiosis.study._run import StudyJudge
from semiosis.study._score_judge import recorded_score_judge
from semiosis.study._study import Study
from semiosis.values import UsageError


@dataclass(frozen=True)
class JudgeOptions:
    """The user's choices for the judges of a run."""

    asker: Asker | None = None
    """Asks the models."""
    model: Model | None = None
    """The model that judges."""
    builder: Model | None = None
    """The model that reads; None for the model that judges."""
    rule: ReadingRule = field(default_factory=ReadingRule)
    """Which readings are used by judges that need existing ones."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Changes to the settings of a SemJudge."""
    study: Study | None = None
    """The study, for judges that use its recorded scores or alignments."""


@dataclass(frozen=True)
class RegisteredJudge:
    """One entry of the registry."""

    name: str
    """The short name, such as `semjudge:published`."""
    about: str
    """What the judge does."""
    needs: str
    """What it needs: a model, readings, scores, pictures."""
    make: Callable[[str, JudgeOptions], StudyJudge]
    """Makes the judge from the argument after the name's colon and the user's options."""
    argument: str = ""
    """The argument that the name accepts after a colon; empty if it accepts none."""
    argument_required: bool = False
    """Whether the name is incomplete without its argument."""
    calls: str = "none"
    """The number of calls to a model. A reading is made once, for all comparisons that use it."""
    good_for: str = ""
    """The research question that the judge helps to answer."""

    @property
    def form(self) -> str:
        """The name with its argument, in brackets if it may be left out, such as `align[:EMBEDDER]`."""
        optional = f"[:{self.argument}]" if self.argument else ""
        return f"{self.name}:{self.argument}" if self.argument_required else self.name + optional


def find_judge(spec: str, options: JudgeOptions) -> StudyJudge:
    """Return the judge that a specification such as `align:minilm` names.

    >>> find_judge("align", JudgeOptions()).judge.evaluator.kind
    'program'
    """
    if spec in JUDGES:
        return JUDGES[spec].make("", options)
    name, _, argument = spec.partition(":")
    entry = JUDGES.get(name)
    if entry is None or not argument or not entry.argument:
        raise UsageError(
            f"there is no judge {spec!r}",
            fix=f"choose one of {', '.join(JUDGES)}; semiosis run --list describes them",
        )
    return entry.make(argument, options)


def _semjudge(preset: str, options: JudgeOptions) -> SemJudge:
    if options.model is None:
        raise UsageError(
            f"the judge {preset!r} needs a model",
            fix="add --model provider/model, such as --model anthropic/claude-sonnet-5",
        )
    return SemJudge(
        options.model, preset=preset, builder=options.builder, asker=options.asker, **options.settings
    )


def _preset(name: str) -> Callable[[str, JudgeOptions], StudyJudge]:
    return lambda _, options: StudyJudge(_semjudge(name, options))


def _citations(preset: str, options: JudgeOptions) -> StudyJudge:
    if preset == "direct":
        raise UsageError(
            "the judge 'direct' cites nothing", fix="count the citations of semjudge: --judge citations"
        )
    return StudyJudge(CitationJudge(_semjudge(preset or "semjudge", options)))


def _alignment(by: str, options: JudgeOptions) -> StudyJudge:
    """Return the judge that aligns with an embedder, or with a model if the argument is `model=NAME`."""
    if by.startswith("model="):
        return _model_alignment(by.partition("=")[2], options)
    judge = AlignmentJudge(by) if by else AlignmentJudge()
    _ = judge.aligner  # refuses an unknown embedder before the run starts
    if chosen := options.rule.choice:
        judge = AlignmentJudge(judge.embedder, name=f"{judge.evaluator.name} ({chosen})")
    return StudyJudge(judge, options.rule)


def _model_alignment(name: str, options: JudgeOptions) -> StudyJudge:
    aligner = ModelAligner(_aligning_model(name, options), asker=options.asker)
    judge = ModelAlignmentJudge(aligner)
    if chosen := options.rule.choice:
        judge = ModelAlignmentJudge(aligner, f"{judge.evaluator.name} ({chosen})")
    return StudyJudge(judge, options.rule)


def _aligning_model(name: str, options: JudgeOptions) -> Model:
    """Return the model of this name, or the model of the run with its address and settings."""
    if options.model and name in ("", options.model.full_name):
        return options.model
    if not name:
        raise UsageError(
            "the judge 'align:model' needs a model", fix="add --model provider/model, or align:model=NAME"
        )
    return Model.of(name)


def _baseline(name: str) -> Callable[[str, JudgeOptions], StudyJudge]:
    return lambda _, _options: StudyJudge(BASELINES[name])


def _recorded_scores(name: str, options: JudgeOptions) -> StudyJudge:
    if options.study is None or not name:
        raise UsageError(
            "the judge 'score' needs a study and the name of a scorer",
            fix="run: semiosis run STUDY --judge score:NAME",
        )
    return StudyJudge(recorded_score_judge(options.study, name))


_MODEL = "a model"
_READ_AND_JUDGE = "1 per prompt, 1 per picture, 2 per comparison"
_PRESETS = {
    "semjudge": (
        "reads prompt and artifacts into HSGs, then judges with node-cited evidence",
        _READ_AND_JUDGE,
        "verdicts with evidence: every reason names a node",
    ),
    "semjudge:blind": (
        "like semjudge, but reads artifacts without the prompt",
        _READ_AND_JUDGE,
        "whether the picture alone conveys the meaning",
    ),
    "semjudge:published": (
        "like semjudge, but as published: both artifacts in one call, one order, three repeats",
        "3 per prompt, 6 per comparison",
        "comparison with published figures only",
    ),
    "direct": (
        "sees prompt and pictures, no HSGs (baseline of table 3)",
        "2 per comparison",
        "what the model can do without graphs",
    ),
    "root-only": (
        "like semjudge, but reads each artifact as one semiosis (ablation of figure 4)",
        _READ_AND_JUDGE,
        "what the parts of the graph add to its root",
    ),
}
_BASELINES = {
    "baseline:coin": ("tosses a coin for each comparison", "nothing", "the chance level"),
    "baseline:first": ("always prefers a", "nothing", "whether a and b are balanced in the study"),
    "baseline:size": ("prefers the larger file", "pictures", "whether people prefer more detail"),
    "baseline:colour": (
        "prefers the more colourful picture (Hasler and Süsstrunk, 2003)",
        "pictures",
        "whether people prefer more colour",
    ),
}

JUDGES: dict[str, RegisteredJudge] = {
    entry.name: entry
    for entry in (
        RegisteredJudge(
            "align",
            "aligns existing readings; the artifact that keeps more of the prompt wins",
            "readings of prompt and artifacts",
            _alignment,
            argument="EMBEDDER",
            good_for="screening without a key, and naming what was lost",
        ),
        RegisteredJudge(
            "align:model",
            "lets a model state what became of every node (align:model=NAME for a model other than --model)",
            "readings of prompt and artifacts; a model",
            _model_alignment,
            calls="1 per picture",
            good_for="verdicts by fates: which meanings were kept, weakened, reversed or lost, and why",
        ),
        *(
            RegisteredJudge(name, about, _MODEL, _preset(name), calls=calls, good_for=good_for)
            for name, (about, calls, good_for) in _PRESETS.items()
        ),
        RegisteredJudge(
            "citations",
            "counts which artifact the citations of semjudge support",
            _MODEL,
            _citations,
            argument="JUDGE",
            calls="those of semjudge, paid once if both run",
            good_for="whether a judge's verdicts follow from its own evidence",
        ),
        RegisteredJudge(
            "score",
            "prefers the artifact with the higher recorded score",
            "scores by NAME in the study",
            _recorded_scores,
            argument="NAME",
            argument_required=True,
            good_for="CLIPScore, PickScore and other metrics that you computed elsewhere",
        ),
        *(
            RegisteredJudge(name, about, needs, _baseline(name), good_for=good_for)
            for name, (about, needs, good_for) in _BASELINES.items()
        ),
    )
}
"""Every judge by its short name."""
