"""The bundled sample study with its alignments, made as `semiosis demo` makes them."""

from collections.abc import Iterator

from semiosis.align import diff_many
from semiosis.files import data
from semiosis.store import EmbeddedStore
from semiosis.study import ReadingRule, pairs, read_study
from semiosis.values import Recorded


def aligned_sample() -> Iterator[Recorded]:
    """Yield every value of the sample study, then the alignments of every reader's HSGs."""
    study = read_study(data("graphs/sample"))
    with EmbeddedStore(study.folder) as store:
        yield from store.values()
    readers = dict.fromkeys(hsg.reading.interpreter.name for hsg in study.hsgs.values() if hsg.blind)
    for reader in readers:
        yield from diff_many(pairs(study, ReadingRule(interpreter=reader)))
