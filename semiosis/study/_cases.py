"""The cases of a study: its comparisons with the readings that a rule selects."""

from collections.abc import Iterator
from dataclasses import dataclass

from semiosis.study._study import AnySign, Study
from semiosis.values import HSG, Comparison, ComparisonCase, DataError, Detail, Unscored


@dataclass(frozen=True)
class ReadingRule:
    """Which readings a case contains. One interpreter reads prompt and artifacts, at one depth."""

    interpreter: str = ""
    """The interpreter's name; empty for the first one that read everything needed."""
    detail: Detail | None = None
    """The depth; None for the first that fits."""
    given: bool = False
    """Whether artifacts were read given the prompt's HSG. Blind and given readings are never mixed."""
    repeat: int = 0
    """Which repeat."""

    @property
    def command(self) -> str:
        """The command that creates the readings."""
        model = self.interpreter or "PROVIDER/MODEL"
        view = "given" if self.given else "blind"
        detail = f" --detail {self.detail}" if self.detail not in (None, "standard") else ""
        repeat = f" --repeat {self.repeat}" if self.repeat else ""
        return f"semiosis read STUDY --model {model} --view {view}{detail}{repeat}"


def comparison_case(study: Study, comparison: Comparison, rule: ReadingRule | None = None) -> ComparisonCase:
    """Return the case of a comparison. Without a rule it contains no readings."""
    signs = [_sign(study, comparison, id_) for id_ in (comparison.prompt, comparison.a, comparison.b)]
    if rule is None:
        return ComparisonCase(signs[0], signs[1], signs[2])
    for prompt in _blind(study, comparison.prompt, rule):
        a = _artifact(study, comparison.a, prompt, rule)
        b = _artifact(study, comparison.b, prompt, rule)
        if a is not None and b is not None:
            readings = {hsg.sign.id: hsg for hsg in (prompt, a, b)}
            return ComparisonCase(signs[0], signs[1], signs[2], readings)
    return ComparisonCase(signs[0], signs[1], signs[2], missing=_missing(rule))


def pairs(study: Study, rule: ReadingRule) -> Iterator[tuple[HSG, HSG]]:
    """Yield every prompt's HSG with each of its artifacts' HSGs that the comparisons need, once each."""
    seen: set[tuple[str, str]] = set()
    for comparison in study.comparisons.values():
        hsgs = comparison_case(study, comparison, rule).hsgs()
        if isinstance(hsgs, Unscored):
            continue
        prompt, *artifacts = hsgs
        for artifact in artifacts:
            if (prompt.id, artifact.id) not in seen:
                seen.add((prompt.id, artifact.id))
                yield prompt, artifact


def _missing(rule: ReadingRule) -> str:
    wanted = "given the prompt" if rule.given else "blind"
    who = rule.interpreter or "any one interpreter"
    return f"no readings of prompt, a and b by {who} ({wanted}); create them with: {rule.command}"


def _sign(study: Study, comparison: Comparison, id_: str) -> AnySign:
    if id_ not in study.signs:
        raise DataError(
            f"comparison {comparison.id} names the sign {id_}, which is not in the study",
            where=str(study.folder),
            fix="run semiosis study check",
        )
    return study.signs[id_]


def _blind(study: Study, sign: str, rule: ReadingRule) -> Iterator[HSG]:
    for hsg in study.readings(sign):
        reading = hsg.reading
        named = not rule.interpreter or reading.interpreter.name == rule.interpreter
        deep = rule.detail is None or reading.detail == rule.detail
        if named and deep and hsg.blind and reading.repeat == rule.repeat:
            yield hsg


def _artifact(study: Study, sign: str, prompt: HSG, rule: ReadingRule) -> HSG | None:
    wanted = (prompt.reading.interpreter, prompt.reading.detail, rule.repeat)
    for hsg in study.readings(sign):
        reading = hsg.reading
        if (reading.interpreter, reading.detail, reading.repeat) != wanted:
            continue
        if hsg.blind if not rule.given else reading.given == (prompt.id,):
            return hsg
    return None
