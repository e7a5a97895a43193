"""Local image-text models through transformers, constrained to the answer's schema while they decode.

A local model answers with a chat completion, so that the rest of the package treats it like any other. Only
safetensors are loaded and no code from a model's folder is run.
"""

import asyncio
import base64
import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from PIL import Image

from semiosis.ask._constraint import SchemaConstraint, bounded
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
        found = []
        for answer in answers:
            tokens = self._tokenizer(answer, add_special_tokens=False, return_tensors="pt").input_ids
            with torch.inference_mode():
                logits = self._loaded(**_continued(batch, tokens)).logits[0, prompt_length - 1 : -1].float()
            chosen = torch.log_softmax(logits, -1).gather(1, tokens[0][:, None].to(logits.device))
            found.append(float(chosen.sum()))
        return found

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
