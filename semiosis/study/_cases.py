"""The cases of a study: its comparisons with the readings that a rule selects."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from semiosis.study._study import Study
from semiosis.values import (
    HSG,
    AnySign,
    ArtifactCase,
    Comparison,
    ComparisonCase,
    DataError,
    Detail,
    Reading,
    Unscored,
)


@dataclass(frozen=True)
class ReadingRule:
    """Which readings a case contains. Prompt and artifacts have one interpreter and one level of detail."""

    interpreter: str = ""
    """The interpreter's name; empty for the first interpreter with all readings that are needed."""
    detail: Detail | None = None
    """The level of detail; None for the first that fits."""
    given: bool = False
    """Whether artifacts were read given the prompt's HSG. Blind and given readings are never mixed."""
    repeat: int = 0
    """The number of the repeat."""
    prompts: str = ""
    """The prompts that models read with, such as `hsg/3`; empty for those that `study_rule` chooses."""
    language: str = ""
    """The language of the readings; empty for the one that `study_rule` chooses."""

    @property
    def choice(self) -> str:
        """The settings of the rule that are not the default, as text. They are part of a judge's name."""
        prompts = f"prompts {self.prompts.rpartition('/')[2]}" if self.prompts else ""
        view = "given" if self.given else ""
        return ", ".join(filter(None, (self.interpreter, self.detail, prompts, self.language, view)))

    @property
    def options(self) -> str:
        """The command-line options that select the same readings."""
        interpreter = f" --interpreter {shlex.quote(self.interpreter)}" if self.interpreter else ""
        detail = f" --detail {self.detail}" if self.detail else ""
        language = f" --language {self.language}" if self.language else ""
        return interpreter + detail + language + " --given" * self.given

    @property
    def command(self) -> str:
        """The command that creates the readings. It saves a reading if the interpreter is a person."""
        if self.interpreter and "/" not in self.interpreter:
            return "semiosis read READING.yaml --save STUDY"
        model = shlex.quote(self.interpreter or "PROVIDER/MODEL")
        view = "given" if self.given else "blind"
        detail = f" --detail {self.detail}" if self.detail not in (None, "standard") else ""
        repeat = f" --repeat {self.repeat}" if self.repeat else ""
        language = f" --language {self.language}" if self.language else ""
        return f"semiosis read STUDY --model {model} --view {view}{detail}{repeat}{language}"

    def fits(self, reading: Reading) -> bool:
        """Return whether a reading has the interpreter, detail, repeat, prompts and language of the rule.

        Readings by people name no prompts and may state no language: both fit every rule.
        """
        return (
            self.interpreter in ("", reading.interpreter.name)
            and self.detail in (None, reading.detail)
            and reading.repeat == self.repeat
            and (not self.prompts or reading.interpreter.prompt_version in ("", self.prompts))
            and (not self.language or reading.language in ("", self.language))
        )


@dataclass(frozen=True)
class StudyRule:
    """A rule that selects readings with one version of the prompts and in one language, for a whole study."""

    rule: ReadingRule
    """The rule."""
    left_out: tuple[str, ...] = ()
    """The readings that are left out, because they are never pooled: `3 readings in 'en'`, for example."""


def study_rule(study: Study, rule: ReadingRule) -> StudyRule:
    """Return the rule with a version of the prompts and a language, if readings of several would be pooled.

    The version with the most readings is chosen first, and then the language with the most readings. In a
    tie, these are the newer version and the study's own language.
    """
    # Readings with the other view are not used, so they are not counted.
    return narrowed_rule(
        rule,
        [reading for _, _, reading in study.conditions() if _is_usable(reading, rule)],
        study.head.language,
    )


def _is_usable(reading: Reading, rule: ReadingRule) -> bool:
    return rule.fits(reading) and reading.blind != rule.given and not reading.interpreter.merges


def narrowed_rule(rule: ReadingRule, usable: Sequence[Reading], own_language: str) -> StudyRule:
    """Return the rule with a version of the prompts and a language, chosen among these readings."""
    left_out: list[str] = []
    versions = Counter(version for reading in usable if (version := reading.interpreter.prompt_version))
    if len(versions) > 1:
        prompts = max(versions, key=lambda version: (versions[version], _version_number(version)))
        left_out += [f"{n} readings with prompts {v}" for v, n in sorted(versions.items()) if v != prompts]
        rule = replace(rule, prompts=prompts)
    languages = Counter(reading.language for reading in usable if reading.language and rule.fits(reading))
    if len(languages) > 1:
        language = max(languages, key=lambda tag: (languages[tag], tag == own_language, tag))
        left_out += [f"{n} readings in {tag!r}" for tag, n in sorted(languages.items()) if tag != language]
        rule = replace(rule, language=language)
    return StudyRule(rule, tuple(left_out))


def _version_number(prompts: str) -> int:
    """Return the number in a version such as `hsg/3`, so that 10 is newer than 9."""
    number = prompts.rpartition("/")[2]
    return int(number) if number.isdecimal() else 0


def comparison_case(study: Study, comparison: Comparison, rule: ReadingRule | None = None) -> ComparisonCase:
    """Return the case of a comparison. Without a rule it contains no readings."""
    signs = [_sign(study, comparison, id_) for id_ in (comparison.prompt, comparison.a, comparison.b)]
    if rule is None:
        return ComparisonCase(signs[0], signs[1], signs[2])
    for prompt, reading in blind_readings(study, comparison.prompt, rule):
        a = _artifact_reading(study, comparison.a, prompt, reading, rule)
        b = _artifact_reading(study, comparison.b, prompt, reading, rule)
        if a is not None and b is not None:
            hsgs = (study.hsgs[hsg_id] for hsg_id in (prompt, a, b))
            return ComparisonCase(signs[0], signs[1], signs[2], {hsg.sign.id: hsg for hsg in hsgs})
    readings = _prompt_reading(study, comparison.prompt, rule)
    missing = missing_readings(study, rule, "prompt, a and b")
    return ComparisonCase(signs[0], signs[1], signs[2], readings, missing)


def _prompt_reading(study: Study, prompt: str, rule: ReadingRule) -> dict[str, HSG]:
    """Return the first reading of a prompt, for scorers that need no reading of the artifacts."""
    first = next(blind_readings(study, prompt, rule), None)
    return {} if first is None else {prompt: study.hsgs[first[0]]}


def artifact_case(study: Study, artifact: str, prompt: str, rule: ReadingRule | None = None) -> ArtifactCase:
    """Return the case of an artifact and its prompt. Without a rule it contains no readings."""
    signs = study.signs[prompt], study.signs[artifact]
    if rule is None:
        return ArtifactCase(*signs)
    readings: dict[str, HSG] = {}
    for source, reading in blind_readings(study, prompt, rule):
        target = _artifact_reading(study, artifact, source, reading, rule)
        if target is not None:
            return ArtifactCase(*signs, {prompt: study.hsgs[source], artifact: study.hsgs[target]})
        readings.setdefault(prompt, study.hsgs[source])
    return ArtifactCase(*signs, readings, missing_readings(study, rule, "prompt and artifact"))


def pairs(study: Study, rule: ReadingRule) -> Iterator[tuple[HSG, HSG]]:
    """Yield every prompt's HSG with each of its artifacts' HSGs that the comparisons need, once each."""
    seen: set[tuple[str, str]] = set()
    rule = study_rule(study, rule).rule
    for comparison in study.comparisons.values():
        hsgs = comparison_case(study, comparison, rule).hsgs()
        if isinstance(hsgs, Unscored):
            continue
        prompt, *artifacts = hsgs
        for artifact in artifacts:
            if (prompt.id, artifact.id) not in seen:
                seen.add((prompt.id, artifact.id))
                yield prompt, artifact


def reading_command(study: Study, rule: ReadingRule) -> str:
    """Return the command that creates the readings of a rule.

    If the rule names no interpreter, this is the model with the most readings in the study.
    """
    return replace(rule, interpreter=rule.interpreter or study.usual_model).command


def missing_readings(study: Study, rule: ReadingRule, of: str) -> str:
    """Return which readings a rule does not find, and the command that creates them."""
    wanted = "given the prompt" if rule.given else "blind"
    who = rule.interpreter or "any one interpreter"
    prompts = f", prompts {rule.prompts}" if rule.prompts else ""
    return (
        f"no readings of {of} by {who} ({wanted}{prompts}); create them with: {reading_command(study, rule)}"
    )


def require_signs(study: Study) -> None:
    """Raise a DataError if a comparison names a sign that the study lacks."""
    for comparison in study.comparisons.values():
        for id_ in (comparison.prompt, comparison.a, comparison.b):
            _sign(study, comparison, id_)


def _sign(study: Study, comparison: Comparison, id_: str) -> AnySign:
    if id_ not in study.signs:
        raise DataError(
            f"comparison {comparison.id} names the sign {id_}, which is not in the study",
            where=str(study.folder),
            fix="run semiosis study check",
        )
    return study.signs[id_]


def blind_readings(study: Study, sign: str, rule: ReadingRule) -> Iterator[tuple[str, Reading]]:
    """Yield id and reading of every HSG of a sign that the rule selects and that is blind."""
    return (
        (hsg_id, reading)
        for hsg_id, reading in study.conditions_of(sign).items()
        if reading.blind and rule.fits(reading)
    )


def _artifact_reading(study: Study, sign: str, prompt: str, read: Reading, rule: ReadingRule) -> str | None:
    """Return the first HSG of an artifact that fits its prompt's HSG; None if there is none."""
    for hsg_id, reading in study.conditions_of(sign).items():
        if same_conditions(read, reading) and (reading.given == (prompt,) if rule.given else reading.blind):
            return hsg_id
    return None


def same_conditions(one: Reading, other: Reading) -> bool:
    """Return whether two readings have the same interpreter, detail, language and repeat.

    As in `semiosis read`, it does not matter which version of the model was served.
    """
    return (one.detail, one.repeat, one.language) == (
        other.detail,
        other.repeat,
        other.language,
    ) and one.interpreter.equals_except_served(other.interpreter)
