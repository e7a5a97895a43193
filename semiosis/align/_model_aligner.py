"""The aligner that asks a model for the fate of every source node."""

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

MODEL_METHOD = "model alignment, version 1"
"""The name and version of the step from the answer to the alignment. The prompt has a version of its own."""

_TOKENS_PER_NODE = 70
_MAX_TOKENS_PER_NODE = 200
"""The longest reason that the form accepts takes about 150 tokens."""
_DIGEST_LENGTH = 16
_FIELDS = ("sign", "object", "dynamic_object", "interpretant")


@dataclass(frozen=True)
class NeutralIds:
    """The ids that an HSG's nodes have in a request.

    Ids and order depend only on the nodes' content, so that neither the order in which a reader listed the
    nodes nor their names suggests which nodes match.
    """

    hsg: HSG
    prefix: str

    @cached_property
    def ids(self) -> dict[str, str]:
        """The id of each node: the root is number 1, and a hash of their content orders the others."""
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
        """The nodes as the model receives them, one JSON object per line."""
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
    """Asks a model what became of every node. Replies are journaled and priced like all others."""

    def __init__(self, model: str | Model, *, asker: Asker | None = None) -> None:
        self.model = Model.of(model)
        self.asker = asker or shared_asker()

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator: the model, its settings, and the version and hash of the instructions."""
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
        """The name that its alignments state as their aligner, such as `model anthropic/claude-sonnet-5`."""
        return f"model {self.evaluator.name}"

    @property
    def procedure(self) -> str:
        """The procedure that its alignments state: method and evaluator."""
        return stated_procedure(MODEL_METHOD, self.evaluator)

    def align(self, source: HSG, target: HSG, *, repeat: int = 0) -> Alignment:
        """Return the alignment. Raises an error with the reason if there is none."""
        return self.align_all([(source, target)], repeat=repeat)[0]

    def align_all(self, pairs: Iterable[tuple[HSG, HSG]], *, repeat: int = 0) -> list[Alignment]:
        """Return the alignments in the order of the pairs. Raises an error if one is missing."""
        return [_raise_unscored(outcome) for outcome in self.align_many(pairs, repeat=repeat)]

    async def aalign(self, source: HSG, target: HSG, *, repeat: int = 0) -> Alignment:
        """Return the alignment, as `align` does, from any event loop."""
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
        """Return the request about one pair, which depends only on the content of the two graphs."""
        source_ids, target_ids = NeutralIds(source, "P"), NeutralIds(target, "A")
        ids = tuple(source_ids.nodes), tuple(target_ids.nodes)
        return Request(
            model=self.model,
            system=load_prompt("align").fill(),
            parts=(
                source_ids.passage,
                target_ids.passage,
                Passage(f"State the fate of {', '.join(ids[0])}."),
            ),
            answer=fate_form(*ids, strict=True),
            lenient=fate_form(*ids, strict=False),
            repeat=repeat,
            expected_tokens=_TOKENS_PER_NODE * len(ids[0]),
            parameters=self._token_limit(len(ids[0])),
        )

    def _token_limit(self, nodes: int) -> dict[str, Primitive]:
        """Return a higher limit on the answer's tokens for a large graph, unless the caller set the limit."""
        needed = _MAX_TOKENS_PER_NODE * nodes
        if "max_tokens" in self.model.parameters or needed <= DEFAULT_MAX_TOKENS:
            return {}
        return {"max_tokens": needed}

    def finish(self, reply: Reply[FateForm], source: HSG, target: HSG, *, repeat: int = 0) -> Alignment:
        """Return the alignment that an answer states."""
        source_nodes, target_nodes = NeutralIds(source, "P").nodes, NeutralIds(target, "A").nodes
        stated = [
            StatedFate(
                node=source_nodes[entry.node],
                fate=entry.fate,
                targets=tuple(target_nodes[name] for name in entry.targets),
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
            method=MODEL_METHOD,
            repeat=repeat,
            served=reply.served,
        )


@dataclass(frozen=True)
class AlignmentTask:
    """Asks a model for the fates of one pair."""

    aligner: ModelAligner
    """The aligner."""
    source: HSG
    """The HSG whose nodes get fates."""
    target: HSG
    """The HSG that may have the same meanings."""
    repeat: int = 0
    """0 for the first alignment, 1 for an independent second one, and so on."""

    @cached_property
    def key(self) -> str:
        """The hash of the aligner, the pair and the repeat."""
        pair = (self.source.id, self.target.id)
        return task_key("alignment", aligner=self.aligner.evaluator.id, pair=pair, repeat=self.repeat)

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """No other task, because both readings exist."""
        return ()

    def request(self) -> Request[FateForm]:
        """Return the request."""
        return self.aligner.request(self.source, self.target, repeat=self.repeat)

    def finish(self, reply: Reply[FateForm] | Unscored) -> Alignment | Unscored:
        """Return the alignment, or the reason why there is none."""
        if isinstance(reply, Unscored):
            return reply
        return self.aligner.finish(reply, self.source, self.target, repeat=self.repeat)


def _raise_unscored(outcome: Alignment | Unscored) -> Alignment:
    if not isinstance(outcome, Unscored):
        return outcome
    what = f"the pair was not aligned ({outcome.reason}): {outcome.detail}"
    if outcome.reason in ("provider", "timeout", "budget"):
        raise ProviderError(what, fix="run again; everything that was paid for is kept")
    raise ModelError(what, raw=outcome.raw, fix="ask again, or ask another model")
