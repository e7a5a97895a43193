"""Values in which every text tries to run a script, load an image or reverse text."""

from collections.abc import Iterator

from semiosis.align import StatedFate, alignment_of_fates
from semiosis.tables import Table
from semiosis.values import HSG, Alignment, Outcome, Relation, Unscored, resolve
from tests.strategies import a_reading, a_semiosis, a_text, a_verdict, an_evaluator

ATTACK = (
    "</style></p><script>window.attacked=1</script><img src=http://127.0.0.1:9/x onerror=window.attacked=1>"
)
HOSTILE = f'{ATTACK}" onmouseover="window.attacked=1\u202e{{{{ 7*7 }}}}'


def hostile_values() -> Iterator[HSG | Alignment | Outcome | Table]:
    """Yield one value of each kind that notebooks display."""
    sign = a_text(f"A lily {HOSTILE}", title=HOSTILE, generator=HOSTILE)
    semiosis = a_semiosis(HOSTILE, sign=HOSTILE, object=HOSTILE, interpretant=HOSTILE)
    semioses = {"root": semiosis, "n1": semiosis}
    tree = [Relation(whole="root", part="n1", relation="supports", how=HOSTILE)]
    hsg = HSG(sign, semioses, tree, a_reading(HOSTILE))
    yield hsg
    stated = [StatedFate("root", "kept", ("root",), HOSTILE), StatedFate("n1", "lost", (), HOSTILE)]
    other = HSG(a_text("another text"), semioses, tree, a_reading(HOSTILE))
    yield alignment_of_fates(hsg, other, stated, evaluator=an_evaluator(HOSTILE), method="by hand")
    failed = Unscored(reason="refusal", detail=HOSTILE)
    yield resolve([a_verdict("a", evaluator=an_evaluator(HOSTILE), rationale=HOSTILE)])
    yield resolve([a_verdict(failed, evaluator=an_evaluator(HOSTILE))])
    yield Table(HOSTILE, (HOSTILE, "n"), ((HOSTILE, failed),), (HOSTILE,))
