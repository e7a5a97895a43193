"""Local image-text models through transformers, constrained to the answer's schema while they decode.

A local model answers with a chat completion, so that the rest of the package treats it like any other. Only
safetensors are loaded and no code from a model's folder is run.
"""

import asyncio
import base64
import json
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from PIL import Image

from semiosis.ask._loop import wait_for
from semiosis.ask._model import Model
from semiosis.ask._picture import Picture
from semiosis.ask._request import Passage
from semiosis.files import decode_image
from semiosis.values import MissingExtraError, UsageError

MAX_STRING_LENGTH = 400
"""Characters that a string of the answer may have if the schema sets no limit."""

TOP_TOKENS = 5
_SEED = 0


class LocalModelError(Exception):
    """A local model could not answer: out of memory, or a prompt longer than it can read."""


class LocalModel:
    """A model in memory. It answers one question at a time, because two would slow each other down."""

    def __init__(self, name: str) -> None:
        """Prepare to load a model from a folder or from the hub when it is first used."""
        _require_packages()
        self._name = name
        self._lock = asyncio.Lock()
        self._loaded: Any = None
        self._processor: Any = None
        self._tokenizer: Any = None

    async def complete(self, **arguments: Any) -> bytes:
        """Return a chat completion whose content fits the schema, as JSON."""
        async with self._lock:
            try:
                return await asyncio.to_thread(self._complete, **arguments)
            except (IndexError, RuntimeError, ValueError) as error:  # torch's errors are RuntimeErrors
                raise LocalModelError(f"the local model failed: {error}") from error

    async def log_likelihoods(
        self, parts: Sequence[Passage | Picture], answers: Sequence[str]
    ) -> list[float]:
        """Return the log-likelihood of each whole answer string after these parts (DIVA, S_open)."""
        content = [_openai_block(part) for part in parts]
        async with self._lock:
            return await asyncio.to_thread(self._likelihoods, [{"role": "user", "content": content}], answers)

    def _complete(
        self,
        *,
        messages: list[dict[str, Any]],
        response_format: dict[str, Any],
        max_tokens: int,
        temperature: float = 0.0,
        seed: int = _SEED,
        longest_string: int = MAX_STRING_LENGTH,
        logprobs: bool = False,
        top_logprobs: int = TOP_TOKENS,
        **_: object,
    ) -> bytes:
        import torch

        batch = self._encoded(messages)
        schema = bounded(response_format["json_schema"]["schema"], longest_string)
        size = self._loaded.get_output_embeddings().weight.shape[0]
        constraint = SchemaConstraint(self._tokenizer, size, schema, top_logprobs if logprobs else 0)
        sampling = {"do_sample": True, "temperature": temperature} if temperature else {"do_sample": False}
        # `generate` uses torch's global generator, which is seeded here and restored afterwards.
        with torch.random.fork_rng(), torch.inference_mode():
            torch.manual_seed(seed)
            generated = self._loaded.generate(
                **batch, max_new_tokens=max_tokens, logits_processor=[constraint], **sampling
            )
        prompt_length = batch["input_ids"].shape[1]
        tokens = generated[0, prompt_length:].tolist()
        content = constraint.log_probabilities(tokens[-1]) if logprobs and tokens else None
        return self._completion(tokens, prompt_length, max_tokens, content)

    def _completion(
        self, tokens: list[int], prompt_length: int, max_tokens: int, logprobs: list[dict[str, Any]] | None
    ) -> bytes:
        text = self._tokenizer.decode(tokens, skip_special_tokens=True)
        ended = len(tokens) < max_tokens or tokens[-1] == self._tokenizer.eos_token_id
        choice = {
            "index": 0,
            "finish_reason": "stop" if ended else "length",
            "message": {"role": "assistant", "content": text},
            "logprobs": {"content": logprobs} if logprobs else None,
        }
        usage = {
            "prompt_tokens": prompt_length,
            "completion_tokens": len(tokens),
            "total_tokens": prompt_length + len(tokens),
        }
        served = getattr(self._loaded.config, "_commit_hash", None) or self._name
        completion = {
            "id": "local",
            "object": "chat.completion",
            "created": 0,
            "model": served,
            "choices": [choice],
            "usage": usage,
        }
        return json.dumps(completion).encode()

    def _likelihoods(self, messages: list[dict[str, Any]], answers: Sequence[str]) -> list[float]:
        import torch

        batch = self._encoded(messages)
        prompt_length = batch["input_ids"].shape[1]
        likelihoods = []
        for answer in answers:
            tokens = self._tokenizer(answer, add_special_tokens=False, return_tensors="pt").input_ids
            with torch.inference_mode():
                logits = self._loaded(**_continued(batch, tokens)).logits[0, prompt_length - 1 : -1].float()
            log_probabilities = torch.log_softmax(logits, -1).gather(1, tokens[0][:, None].to(logits.device))
            likelihoods.append(float(log_probabilities.sum()))
        return likelihoods

    def _encoded(self, messages: list[dict[str, Any]]) -> Any:
        self._load()
        turns, pictures = _chat(messages)
        # A template that lets the model think first would put its thoughts where the answer is expected.
        prompt = self._processor.apply_chat_template(
            turns, add_generation_prompt=True, tokenize=False, enable_thinking=False
        )
        images = {"images": pictures} if pictures else {}
        return self._processor(text=[prompt], return_tensors="pt", **images).to(self._loaded.device)

    def _load(self) -> None:
        if self._loaded is not None:
            return
        transformers = _transformers()
        where = Path(self._name).expanduser()
        source: dict[str, Any] = {"trust_remote_code": False, "local_files_only": where.is_dir()}
        name = str(where) if where.is_dir() else self._name
        try:
            self._processor = transformers.AutoProcessor.from_pretrained(name, **source)
            self._loaded = transformers.AutoModelForImageTextToText.from_pretrained(
                name, use_safetensors=True, **source
            ).eval()
        except (OSError, ValueError, KeyError) as error:
            raise UsageError(
                f"the local model cannot be loaded: {error}",
                where=name,
                fix="give a folder with config.json, safetensors weights and the processor of an image-text "
                "model, or a hub id that can be fetched",
            ) from error
        self._tokenizer = self._processor.tokenizer


@lru_cache(maxsize=4)
def local_model(name: str) -> LocalModel:
    """Return the model, loaded once however many askers and scorers use it."""
    return LocalModel(name)


def log_likelihoods(model: Model, parts: Sequence[Passage | Picture], answers: Sequence[str]) -> list[float]:
    """Return the log-likelihood of each whole answer string after these parts (DIVA, S_open)."""
    return wait_for(local_model(model.name).log_likelihoods(parts, answers))


def _require_packages() -> None:
    """Raise an error that names the extra if a package for local models is missing."""
    missing = [name for name in ("llguidance", "torch", "transformers") if find_spec(name) is None]
    if missing:
        raise MissingExtraError(f"local models need packages that are missing: {', '.join(missing)}", "local")


def _transformers() -> Any:
    try:
        import llguidance  # noqa: F401  # imported early, so that the error comes before the weights are read
        import transformers
    except ImportError as error:
        raise MissingExtraError(
            f"local models need a package that is not installed: {error.name}", "local"
        ) from error
    return transformers


def _openai_block(part: Passage | Picture) -> dict[str, Any]:
    if isinstance(part, Passage):
        return {"type": "text", "text": part.text}
    data = base64.b64encode(part.data).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{data}"}}


def _chat(messages: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[Image.Image]]:
    """Return the messages in the form for a chat template, and the pictures in order."""
    turns, pictures = [], []
    for message in messages:
        content = message.get("content") or ""
        blocks: list[Any] = [{"type": "text", "text": content}] if isinstance(content, str) else content
        turn: list[dict[str, str]] = []
        for block in blocks:
            if block["type"] == "text":
                turn.append({"type": "text", "text": block["text"]})
            else:
                turn.append({"type": "image"})
                pictures.append(_open_picture(block["image_url"]["url"]))
        turns.append({"role": message["role"], "content": turn})
    return turns, pictures


def _open_picture(url: str) -> Image.Image:
    return decode_image(base64.b64decode(url.partition(",")[2]), "the picture").pixels.convert("RGB")


def _continued(batch: Any, tokens: Any) -> dict[str, Any]:
    """Return the batch with more tokens at its end; masks over the tokens are extended."""
    import torch

    shape = batch["input_ids"].shape
    longer = {}
    for name, tensor in batch.items():
        filler = {"input_ids": tokens.to(tensor.device), "attention_mask": torch.ones_like(tokens)}
        tail = filler.get(name, torch.zeros_like(tokens)).to(tensor.device)
        longer[name] = torch.cat([tensor, tail], 1) if tensor.shape == shape else tensor
    return longer


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

    def _record(self, token: int) -> None:
        if self._last is None:
            return
        values, tokens = self._last.topk(min(self._top, self._last.shape[0]))
        pairs = zip(tokens.tolist(), values.tolist(), strict=True)
        likeliest = [self._pair(number, value) for number, value in pairs if math.isfinite(value)]
        self._recorded.append({**self._pair(token, float(self._last[token])), "top_logprobs": likeliest})

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
