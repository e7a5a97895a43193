"""Constrains the decoding of local models to a JSON schema, and records token probabilities."""

import json
import math
from typing import Any


class SchemaConstraint:
    """A logits processor that allows only tokens that keep the answer within the schema.

    With `top` it records the probabilities of each chosen token and of the `top` most likely tokens, among
    those that the schema allows.
    """

    def __init__(self, tokenizer: Any, vocabulary_size: int, schema: dict[str, Any], top: int = 0) -> None:
        import llguidance.hf
        import llguidance.torch

        vocabulary = llguidance.hf.from_tokenizer(tokenizer, n_vocab=vocabulary_size)
        grammar = llguidance.LLMatcher.grammar_from_json_schema(
            json.dumps(schema), defaults={"whitespace_flexible": False}
        )
        self._tokenizer = tokenizer
        self._matcher = llguidance.LLMatcher(vocabulary, grammar)
        self._mask = llguidance.torch.allocate_token_bitmask(1, vocabulary_size)
        self._top = top
        self._last: Any = None
        self._started = False
        self._recorded: list[dict[str, Any]] = []

    def __call__(self, tokens: Any, scores: Any) -> Any:
        """Mask the scores of the next token."""
        import llguidance.torch
        import torch

        if self._started:
            self._matcher.consume_token(int(tokens[0, -1]))
            self._record(int(tokens[0, -1]))
        self._started = True
        llguidance.torch.fill_next_token_bitmask(self._matcher, self._mask)
        llguidance.torch.apply_token_bitmask_inplace(scores, self._mask.to(scores.device))
        self._last = torch.log_softmax(scores[0].float(), -1) if self._top else None
        return scores

    def log_probabilities(self, last: int) -> list[dict[str, Any]]:
        """Return the record in the form of OpenAI's `logprobs`, given the last token that was chosen."""
        self._record(last)
        return self._recorded

    def _record(self, chosen: int) -> None:
        if self._last is None:
            return
        values, tokens = self._last.topk(min(self._top, self._last.shape[0]))
        pairs = zip(tokens.tolist(), values.tolist(), strict=True)
        likeliest = [self._pair(token, value) for token, value in pairs if math.isfinite(value)]
        self._recorded.append({**self._pair(chosen, float(self._last[chosen])), "top_logprobs": likeliest})

    def _pair(self, token: int, log_probability: float) -> dict[str, Any]:
        return {"token": self._tokenizer.decode([token]), "logprob": min(0.0, log_probability)}


def bounded(schema: Any, max_length: int) -> Any:
    """Return the schema with a limit on every string that has none, and without additional properties.

    Otherwise a model that adds properties or keeps writing would never finish.
    """
    if isinstance(schema, list):
        return [bounded(item, max_length) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: bounded(item, max_length) for key, item in schema.items()}
    if inner.get("type") == "string" and not inner.keys() & {"enum", "const", "pattern"}:
        inner["maxLength"] = min(max_length, inner.get("maxLength", max_length))
    if inner.get("type") == "object" and "properties" in inner:
        inner.setdefault("additionalProperties", False)
    return inner
