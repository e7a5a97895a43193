"""Cases: what an evaluator is asked about, with the readings that exist for the signs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from semiosis.values._brief import brief_repr
from semiosis.values._hsg import HSG
from semiosis.values._observation import Comparison, Unscored
from semiosis.values._sign import AnySign

_NO_READING = "there is no reading of the {role}"


@dataclass(frozen=True)
class ArtifactCase:
    """One artifact and the prompt it was made from."""

    prompt: AnySign
    """The prompt."""
    artifact: AnySign
    """The artifact."""
    readings: Mapping[str, HSG] = field(default_factory=dict)
    """The HSG to use for each sign, by the sign's id."""
    missing: str = ""
    """Why readings are missing, and the command that creates them."""

    @classmethod
    def of(cls, prompt: HSG | AnySign, artifact: HSG | AnySign) -> "ArtifactCase":
        """Return the case of two signs or HSGs. For an HSG, its sign is used."""
        items = (prompt, artifact)
        signs = [item.sign if isinstance(item, HSG) else item for item in items]
        return cls(signs[0], signs[1], {item.sign.id: item for item in items if isinstance(item, HSG)})

    def hsgs(self) -> tuple[HSG, HSG] | Unscored:
        """Return the HSGs of the prompt and the artifact, or why one is missing."""
        found = _hsgs(self.readings, {"prompt": self.prompt, "artifact": self.artifact}, self.missing)
        return found if isinstance(found, Unscored) else (found[0], found[1])


@dataclass(frozen=True)
class ComparisonCase:
    """One prompt and two artifacts, with the readings that exist for them."""

    __repr__ = brief_repr

    prompt: AnySign
    """The prompt."""
    a: AnySign
    """One artifact."""
    b: AnySign
    """The other artifact."""
    readings: Mapping[str, HSG] = field(default_factory=dict)
    """The HSG to use for each sign, by the sign's id."""
    missing: str = ""
    """Why readings are missing, and the command that creates them."""

    @classmethod
    def of(cls, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign) -> "ComparisonCase":
        """Return the case of three signs or HSGs. For an HSG, its sign is used."""
        items = (prompt, a, b)
        signs = [item.sign if isinstance(item, HSG) else item for item in items]
        readings = {item.sign.id: item for item in items if isinstance(item, HSG)}
        return cls(signs[0], signs[1], signs[2], readings)

    @property
    def comparison(self) -> Comparison:
        """The comparison of the three signs."""
        return Comparison(prompt=self.prompt.id, a=self.a.id, b=self.b.id)

    @property
    def artifacts(self) -> tuple[ArtifactCase, ArtifactCase]:
        """One case for each artifact."""
        return (
            ArtifactCase(self.prompt, self.a, self.readings, self.missing),
            ArtifactCase(self.prompt, self.b, self.readings, self.missing),
        )

    def hsgs(self) -> tuple[HSG, HSG, HSG] | Unscored:
        """Return the HSGs of the prompt, a and b, or why one is missing."""
        found = _hsgs(self.readings, {"prompt": self.prompt, "a": self.a, "b": self.b}, self.missing)
        return found if isinstance(found, Unscored) else (found[0], found[1], found[2])


def _hsgs(readings: Mapping[str, HSG], signs: dict[str, AnySign], missing: str) -> list[HSG] | Unscored:
    for role, sign in signs.items():
        if sign.id not in readings:
            return Unscored(reason="missing", detail=missing or _NO_READING.format(role=role))
    return [readings[sign.id] for sign in signs.values()]
