"""The registry of judges: short names for the command line, and what each judge needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from semiosis.ask import Asker, Model
from semiosis.judge import PRESETS, AlignmentJudge, CitationJudge, SemJudge
from semiosis.study._cases import ReadingRule
from semiosis.study._run import StudyJudge
from semiosis.values import UsageError


@dataclass(frozen=True)
class JudgeOptions:
    """What the user chose for the judges of a run."""

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


@dataclass(frozen=True)
class RegisteredJudge:
    """One entry of the registry."""

    name: str
    """The short name, such as `semjudge:published`."""
    about: str
    """What the judge does."""
    needs: str
    """What it needs: a model, readings, an embedder."""
    make: Callable[[str, JudgeOptions], StudyJudge]
    """Makes the judge from the argument after the name's colon and the user's options."""
    argument: str = ""
    """What may follow the name after a colon; empty for nothing."""


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
    return StudyJudge(CitationJudge(_semjudge(preset or "semjudge", options)))


def _alignment(embedder: str, options: JudgeOptions) -> StudyJudge:
    rule = options.rule
    prompts = f"prompts {rule.prompts}" if rule.prompts else ""
    chosen = ", ".join(filter(None, (rule.interpreter, prompts, rule.language)))
    judge = AlignmentJudge(embedder) if embedder else AlignmentJudge()
    if chosen:
        judge = AlignmentJudge(judge.embedder, name=f"{judge.evaluator.name} ({chosen})")
    return StudyJudge(judge, options.rule)


_MODEL = "a model"
_ABOUT = {
    "semjudge": "reads prompt and artifacts into HSGs, then judges with node-cited evidence",
    "semjudge:blind": "the same, but artifacts are read without the prompt",
    "semjudge:published": "as published: both artifacts in one call, one order, three repeats",
    "direct": "sees prompt and pictures, no HSGs (baseline of table 3)",
    "root-only": "reads each artifact as one semiosis (ablation of figure 4)",
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
        ),
        *(RegisteredJudge(name, _ABOUT[name], _MODEL, _preset(name)) for name in PRESETS),
        RegisteredJudge(
            "citations",
            "counts which artifact the citations of semjudge support",
            _MODEL,
            _citations,
            argument="JUDGE",
        ),
    )
}
"""Every judge by its short name."""
