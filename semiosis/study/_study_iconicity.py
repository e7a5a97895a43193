"""Net iconicity of the signs and comparisons of a study, from ratings."""

from dataclasses import dataclass

from semiosis.stats import sign_iconicity
from semiosis.study._study import Study
from semiosis.values import Rating, brief_repr


@dataclass(frozen=True)
class StudyIconicity:
    """Net iconicity (SemJudge, appendix B.2), one value for each rated comparison, prompt and artifact."""

    __repr__ = brief_repr

    comparisons: tuple[float, ...]
    """ÑI: that of the prompt plus the mean of both artifacts."""
    prompts: tuple[float, ...]
    """NI of each rated prompt."""
    artifacts: tuple[float, ...]
    """NI of each rated artifact."""
    n_unrated: int
    """The number of comparisons of which a sign is not rated on all three scales."""


def study_iconicity(study: Study) -> StudyIconicity:
    """Return the net iconicity of a study's comparisons and of their signs."""
    net = sign_iconicity(rating for rating in study.observations.values() if isinstance(rating, Rating))
    comparisons = study.comparisons.values()
    prompts = dict.fromkeys(comparison.prompt for comparison in comparisons)
    artifacts = dict.fromkeys(sign for comparison in comparisons for sign in (comparison.a, comparison.b))
    rated = [c for c in comparisons if {c.prompt, c.a, c.b} <= net.keys()]
    return StudyIconicity(
        tuple(net[c.prompt] + (net[c.a] + net[c.b]) / 2 for c in rated),
        tuple(net[sign] for sign in prompts if sign in net),
        tuple(net[sign] for sign in artifacts if sign in net),
        len(comparisons) - len(rated),
    )
