"""A model as aligner: one structured question per pair of HSGs, answered with a fate per source node."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from semiosis.align._fate_form import FateForm, fate_form
from semiosis.align._stated import StatedFate, alignment_of_fates
from semiosis.ask import (
    DEFAULT_MAX_TOKENS,
    Asker,
    Model,
    Passage,
    Reply,
    Request,
    Runner,
    Task,
    fence,
    load_prompt,
    run_task,
    shared_asker,
    task_key,
)
from semiosis.values import (
    HSG,
    Alignment,
    Evaluator,
    ModelError,
    Primitive,
    ProviderError,
    Unscored,
    stated_procedure,
)

METHOD = "model alignment, version 1"
"""How the answer becomes an alignment. The wording of the question has a version of its own."""

_TOKENS_PER_NODE = 70
_MOST_TOKENS_PER_NODE = 200
"""The longest reason that the form accepts takes about 150 tokens."""
_DIGEST_LENGTH = 16
_FIELDS = ("sign", "object", "dynamic_object", "interpretant")


@dataclass(frozen=True)
class Naming:
    """The neutral ids of an HSG's nodes in a request.

    Ids and order follow from the nodes' content alone, so that neither the order in which a reader listed the
    nodes nor their names can suggest what belongs together.
    """

    hsg: HSG
    prefix: str

    @cached_property
    def ids(self) -> dict[str, str]:
        """The id of each node: the root is number 1, the others follow by a hash of their content."""
        parts = [node for node in self.hsg.semioses if node != self.hsg.root]
        ordered = [self.hsg.root, *sorted(parts, key=self._hash)]
        return {node: f"{self.prefix}{number}" for number, node in enumerate(ordered, start=1)}

    @cached_property
    def nodes(self) -> dict[str, str]:
        """The node of each id."""
        return {name: node for node, name in self.ids.items()}

    def _hash(self, node: str) -> str:
        semiosis = self.hsg.semioses[node]
        text = "\n".join((semiosis.label, *(getattr(semiosis, field) for field in _FIELDS)))
        return hashlib.sha256(f"{self.prefix}\n{text}".encode()).hexdigest()

    @cached_property
    def passage(self) -> Passage:
        """The nodes as the model sees them, one JSON object per line."""
        lines = "\n".join(json.dumps(self._node(node), ensure_ascii=False) for node in self.ids)
        return Passage(f"Graph {self.prefix}:\n{fence('hsg', lines)}", shared=self.prefix == "P")

    def _node(self, node: str) -> dict[str, object]:
        semiosis = self.hsg.semioses[node]
        shown: dict[str, object] = {"id": self.ids[node], "label": semiosis.label}
        shown |= {field: text for field in _FIELDS if (text := getattr(semiosis, field))}
        relations = sorted(
            f"{relation.relation} {self.ids[relation.whole]}" + (f": {relation.how}" if relation.how else "")
            for relation in self.hsg.relations
            if relation.part == node
        )
        return shown | ({"relations": relations} if relations else {})


class ModelAligner:
    """Asks a model what became of every node. Replies are cached, priced and batched like every question."""

    def __init__(self, model: str | Model, *, asker: Asker | None = None) -> None:
        self.model = Model.of(model)
        self.asker = asker or shared_asker()

    @cached_property
    def evaluator(self) -> Evaluator:
        """Who aligned: the model, its settings, and the version and hash of the instructions."""
        prompt = load_prompt("align")
        parameters: dict[str, Primitive] = {
            "model": self.model.full_name,
            "structured": self.model.profile.structured,
            "prompt_version": prompt.title,
            "instructions": hashlib.sha256(prompt.fill().encode()).hexdigest()[:_DIGEST_LENGTH],
            **self.model.parameters,
        }
        return Evaluator(kind="model", name=self.model.full_name, parameters=parameters)

    @property
    def aligned_by(self) -> str:
        """What alignments state as their aligner, such as `model anthropic/claude-sonnet-5`."""
        return f"model {self.evaluator.name}"

    @property
    def procedure(self) -> str:
        """What alignments state as their procedure."""
        return stated_procedure(METHOD, self.evaluator)

    def align(self, source: HSG, target: HSG, *, repeat: int = 0) -> Alignment:
        """Return the alignment, or raise with the reason why there is none."""
        return self.align_all([(source, target)], repeat=repeat)[0]

    def align_all(self, pairs: Iterable[tuple[HSG, HSG]], *, repeat: int = 0) -> list[Alignment]:
        """Return the alignments in the order of the pairs, or raise with the reason why one is missing."""
        return [_raise_unscored(outcome) for outcome in self.align_many(pairs, repeat=repeat)]

    async def aalign(self, source: HSG, target: HSG, *, repeat: int = 0) -> Alignment:
        """Return the same as a coroutine, from any loop."""
        return _raise_unscored(await run_task(self.task(source, target, repeat=repeat), self.asker))

    def align_many(
        self, pairs: Iterable[tuple[HSG, HSG]], *, repeat: int = 0
    ) -> Iterator[Alignment | Unscored]:
        """Yield the alignments in the order of the pairs; a failure is `Unscored` with its reason."""
        tasks = (self.task(source, target, repeat=repeat) for source, target in pairs)
        return Runner(self.asker).results(tasks)

    def task(self, source: HSG, target: HSG, *, repeat: int = 0) -> "AlignmentTask":
        """Return the task that aligns one pair."""
        return AlignmentTask(self, source, target, repeat)

    def request(self, source: HSG, target: HSG, *, repeat: int = 0) -> Request[FateForm]:
        """Return the question about one pair. It depends on the content of the two graphs alone."""
        meant, seen = Naming(source, "P"), Naming(target, "A")
        ids = tuple(meant.nodes), tuple(seen.nodes)
        return Request(
            model=self.model,
            system=load_prompt("align").fill(),
            parts=(meant.passage, seen.passage, Passage(f"State the fate of {', '.join(ids[0])}.")),
            answer=fate_form(*ids, strict=True),
            lenient=fate_form(*ids, strict=False),
            repeat=repeat,
            expected_tokens=_TOKENS_PER_NODE * len(ids[0]),
            parameters=self._room_for(len(ids[0])),
        )

    def _room_for(self, nodes: int) -> dict[str, Primitive]:
        """Return a larger limit on the answer's tokens for a large graph, unless the caller set the limit."""
        needed = _MOST_TOKENS_PER_NODE * nodes
        if "max_tokens" in self.model.parameters or needed <= DEFAULT_MAX_TOKENS:
            return {}
        return {"max_tokens": needed}

    def finish(self, reply: Reply[FateForm], source: HSG, target: HSG, *, repeat: int = 0) -> Alignment:
        """Return the alignment that an answer states."""
        meant, seen = Naming(source, "P").nodes, Naming(target, "A").nodes
        stated = [
            StatedFate(
                node=meant[entry.node],
                fate=entry.fate,
                targets=tuple(seen[name] for name in entry.targets),
                why=entry.why,
                p=entry.probability / 100,
            )
            for entry in reply.answer.fates
        ]
        return alignment_of_fates(
            source,
            target,
            stated,
            evaluator=self.evaluator,
            method=METHOD,
            repeat=repeat,
            served=reply.served,
        )


@dataclass(frozen=True)
class AlignmentTask:
    """Asks a model for the fates of one pair."""

    aligner: ModelAligner
    """Who aligns."""
    source: HSG
    """What was meant."""
    target: HSG
    """What is seen."""
    repeat: int = 0
    """Which independent alignment."""

    @cached_property
    def key(self) -> str:
        """The hash of aligner, pair and repeat."""
        pair = (self.source.id, self.target.id)
        return task_key("alignment", aligner=self.aligner.evaluator.id, pair=pair, repeat=self.repeat)

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """Nothing: both readings exist."""
        return ()

    def request(self) -> Request[FateForm]:
        """Return the question."""
        return self.aligner.request(self.source, self.target, repeat=self.repeat)

    def finish(self, reply: Reply[FateForm] | Unscored | None) -> Alignment | Unscored:
        """Return the alignment, or why there is none."""
        if reply is None or isinstance(reply, Unscored):
            return Unscored(reason="missing", detail="nothing was asked") if reply is None else reply
        return self.aligner.finish(reply, self.source, self.target, repeat=self.repeat)


def _raise_unscored(outcome: Alignment | Unscored) -> Alignment:
    if not isinstance(outcome, Unscored):
        return outcome
    what = f"the pair was not aligned ({outcome.reason}): {outcome.detail}"
    if outcome.reason in ("provider", "timeout", "budget"):
        raise ProviderError(what, fix="run the command again: answers that arrived are not paid twice")
    raise ModelError(what, raw=outcome.raw, fix="ask again, or ask another model")
