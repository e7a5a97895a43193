"""Scorers that encode picture and prompt with one checkpoint: CLIP, SigLIP, MetaCLIP, BLIP, their heads."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from semiosis.align import VectorCache, script_of
from semiosis.files import decode_sign, image_bytes
from semiosis.score._checkpoints import ANTONYMS, Checkpoint
from semiosis.score._scorer import LocalScorer
from semiosis.values import (
    ArtifactCase,
    DataError,
    Evaluator,
    ImageSign,
    MissingExtraError,
    Primitive,
    Score,
    TextSign,
    Unscored,
    UsageError,
)

HEAD_FILE = "head.safetensors"
"""The file of a converted release with the layers behind the encoder."""
CONVERTED_FILE = "semiosis.json"
"""The file of a converted release that states what was converted."""
REWARD_MEAN, REWARD_SPREAD = 0.16717362830052426, 1.0333394966054072
"""The mean and the standard deviation by which ImageReward normalizes its reward."""

_BATCH = 16
"""The number of pictures that are encoded together."""
_SIGLIP_TOKENS = 64
_DIGITS = 6

Floats = NDArray[np.float32]


class TokenizedText(NamedTuple):
    """A text as an encoder receives it, and what was lost."""

    inputs: dict[str, Any]
    """The tensors for the encoder."""
    details: dict[str, Primitive]
    """The number of tokens, and what happened to the text."""


class PreparedPicture(NamedTuple):
    """A picture as an encoder receives it, and what was lost."""

    inputs: dict[str, Any]
    """The tensors for the encoder."""
    details: dict[str, Primitive]
    """The share of the picture that was cropped."""


@dataclass(frozen=True)
class EncoderScorer(LocalScorer):
    """Scores pictures with one checkpoint. The weights are loaded when the first score is computed."""

    row: Checkpoint
    """The row of the table."""
    source: str = ""
    """A folder or a hub id with the weights; empty for the row's own."""

    @property
    def family(self) -> Any:  # type: ignore[override]  # a property, not a field
        """How it arrives at its number."""
        return self.row.family

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator, whose parameters are the checkpoint and all that changes the score."""
        row = self.row
        parameters: dict[str, Primitive] = {"formula": row.formula, "image": row.image, **self._weights}
        if row.text_tokens:
            parameters["text_tokens"] = row.text_tokens
        return Evaluator(kind="program", name=row.name, parameters=parameters)

    @property
    def _weights(self) -> dict[str, Primitive]:
        source, encoder = self.weights_source, encoder_source(self.weights_source)
        parameters: dict[str, Primitive] = {"weights": _identity(source)}
        return parameters if encoder == source else {**parameters, "encoder": _identity(encoder)}

    @property
    def weights_source(self) -> str:
        """The folder or hub id of the weights."""
        source = self.source or self.row.hub
        if not source:
            raise UsageError(
                f"the weights of {self.row.name} are published as a pickle, which can run code",
                fix=f"convert them once: semiosis convert {self.row.name} FILE FOLDER, then use "
                f"{self.row.name}:FOLDER",
            )
        return source

    def score_many(self, cases: Sequence[ArtifactCase]) -> list[Score]:
        """Return the scores of these artifacts. What cannot be scored has the reason."""
        unscored = [self._reason(case) for case in cases]
        pictures: dict[str, Image.Image] = {}
        for position, case in enumerate(cases):
            if unscored[position] is None and isinstance(case.artifact, ImageSign):
                try:
                    pictures[case.artifact.id] = _pixels(case.artifact)
                except (DataError, UsageError) as error:
                    unscored[position] = Unscored(reason="missing", detail=str(error))
        scorable = [case for case, reason in zip(cases, unscored, strict=True) if reason is None]
        scores = iter(self._scores(scorable, pictures) if scorable else [])
        return [
            next(scores) if reason is None else self.recorded(case, reason)
            for case, reason in zip(cases, unscored, strict=True)
        ]

    def _reason(self, case: ArtifactCase) -> Unscored | None:
        if not isinstance(case.artifact, ImageSign):
            return Unscored(reason="undefined", detail="the artifact is not a picture")
        if self.sees_prompt and not isinstance(case.prompt, TextSign):
            return Unscored(reason="undefined", detail="the prompt is not a text")
        return None

    def _scores(self, cases: Sequence[ArtifactCase], pictures: dict[str, Image.Image]) -> list[Score]:
        encoder = loaded_encoder(self.row, self.weights_source)
        texts = [case.prompt.text if isinstance(case.prompt, TextSign) else "" for case in cases]
        artifacts = [case.artifact.id for case in cases]
        values = encoder.values(texts, artifacts, pictures)
        return [
            self.recorded(
                case,
                round(float(value), _DIGITS),
                details={
                    **encoder.picture_details(pictures[case.artifact.id]),
                    **(encoder.text(text).details if self.sees_prompt else {}),
                },
            )
            for case, text, value in zip(cases, texts, values, strict=True)
        ]


class Encoder:
    """A loaded checkpoint."""

    def __init__(self, row: Checkpoint, source: str) -> None:
        self.row = row
        self._torch = _require("torch")
        transformers = _require("transformers")
        folder = Path(source).expanduser()
        self._head = _head(folder) if row.formula in ("reward", "linear") else {}
        source = encoder_source(source)
        encoder = Path(source).expanduser()
        options: dict[str, Any] = {"trust_remote_code": False, "local_files_only": encoder.is_dir()}
        name = str(encoder) if encoder.is_dir() else source
        try:
            config = transformers.AutoConfig.from_pretrained(name, **options)
            self.kind: str = config.model_type
            self._model = _model_class(transformers, config).from_pretrained(
                name, use_safetensors=True, dtype=self._torch.float32, **options
            )
            prepared = name if encoder.is_dir() else row.processor or name
            self._images = transformers.AutoImageProcessor.from_pretrained(prepared, **options)
            self._tokenizer: Any = (
                None
                if row.formula == "linear"
                else transformers.AutoTokenizer.from_pretrained(prepared, **options)
            )
        except (OSError, ValueError, KeyError) as error:
            raise UsageError(
                f"the checkpoint of {row.name} cannot be loaded: {error}",
                where=name,
                fix="give a folder with config.json, safetensors weights, tokenizer and image processor, "
                "or a hub id that can be fetched",
            ) from error
        self.device = "cuda" if self._torch.cuda.is_available() else "cpu"
        self._model = self._model.to(self.device).eval()
        self._head = {key: _on(tensor, self.device) for key, tensor in self._head.items()}
        self._name = f"{self.kind} {weights_digest(encoder) if encoder.is_dir() else source} {row.image}"
        if self._tokenizer is not None:
            self._require_fitting_tokenizer()

    @property
    def max_tokens(self) -> int:
        """The longest text in tokens."""
        text = getattr(self._model.config, "text_config", None)
        own = int(getattr(text, "max_position_embeddings", 0)) or 10**6
        if self.kind in ("siglip", "siglip2"):
            own = min(own, _SIGLIP_TOKENS)
        return min(own, self.row.text_tokens or own)

    def text(self, text: str) -> TokenizedText:
        """Return a text as the encoder receives it. A long text is truncated before its end token."""
        siglip = self.kind in ("siglip", "siglip2")
        text = text.lower() if siglip else text
        whole = self._tokenizer(text)["input_ids"]
        batch = self._tokenizer(
            text,
            truncation=True,
            max_length=self.max_tokens,
            padding="max_length" if siglip or self.row.text_tokens else False,
            return_tensors="pt",
        )
        # SigLIP was trained without a mask over the padding, and the mask changes its vectors.
        names = ("input_ids",) if siglip else ("input_ids", "attention_mask")
        details: dict[str, Primitive] = {"tokens": len(whole)}
        if len(whole) > self.max_tokens:
            details["truncated"] = True
        if unknown := self._unknown(whole):
            details["unknown_tokens"] = unknown
        if self.row.english and (script := script_of([text])) not in ("", "LATIN"):
            details["script"] = script
        return TokenizedText({name: batch[name].to(self.device) for name in names}, details)

    def picture(self, pixels: Image.Image) -> PreparedPicture:
        """Return a picture as the encoder receives it."""
        if self.row.image == "letterbox":
            side = self._side
            batch = self._images(
                letterboxed(pixels, side), do_resize=False, do_center_crop=False, return_tensors="pt"
            )
        else:
            batch = self._images(pixels, return_tensors="pt")
        inputs = {name: tensor.to(self.device) for name, tensor in batch.items()}
        return PreparedPicture(inputs, self.picture_details(pixels))

    def picture_details(self, pixels: Image.Image) -> dict[str, Primitive]:
        """Return the share of a picture that the processor crops away, if there is one."""
        crop = getattr(self._images, "do_center_crop", None)
        if not crop or self.row.image == "letterbox":
            return {}
        width, height = pixels.size
        share = 1 - min(width, height) / max(width, height)
        return {"cropped": round(share, 3)} if share >= 0.001 else {}

    def values(
        self, texts: Sequence[str], artifacts: Sequence[str], pictures: dict[str, Image.Image]
    ) -> Sequence[float]:
        """Return the value of each text with its picture."""
        if self.row.formula in ("matching", "reward"):
            together = self._match if self.row.formula == "matching" else self._reward
            return [together(text, pictures[key]) for text, key in zip(texts, artifacts, strict=True)]
        images = dict(zip(pictures, self.picture_vectors(pictures), strict=True))
        sight = np.stack([images[key] for key in artifacts])
        if self.row.formula == "linear":
            return [float(value) for value in sight @ self._head["weight"] + self._head["bias"]]
        if self.row.formula == "antonyms":
            return self._antonyms(sight)
        words = {text: self.text_vector(text) for text in dict.fromkeys(texts)}
        cosines = [float(words[text] @ image) for text, image in zip(texts, sight, strict=True)]
        return [self._formula(cosine) for cosine in cosines]

    def text_vector(self, text: str) -> Floats:
        """Return the unit vector of a text."""
        with self._torch.inference_mode():
            return _unit(self._model.get_text_features(**self.text(text).inputs)).squeeze(0)

    def picture_vectors(self, pictures: dict[str, Image.Image]) -> Floats:
        """Return the unit vectors of pictures by id. Each is computed once per checkpoint, and cached."""
        return VectorCache(_PictureVectors(self._name, self._encoded, pictures)).embed(list(pictures))

    def _encoded(self, pictures: Sequence[Image.Image]) -> Floats:
        vectors = []
        for start in range(0, len(pictures), _BATCH):
            prepared = [self.picture(pixels).inputs for pixels in pictures[start : start + _BATCH]]
            batch = {name: self._torch.cat([inputs[name] for inputs in prepared]) for name in prepared[0]}
            with self._torch.inference_mode():
                vectors.append(_unit(self._model.get_image_features(**batch)))
        return np.concatenate(vectors)

    def _formula(self, cosine: float) -> float:
        if self.row.formula == "clipscore":
            return 2.5 * max(cosine, 0.0)
        if self.row.formula == "logits":
            return float(self._model.logit_scale.exp().item()) * cosine
        return cosine

    def _antonyms(self, sight: Floats) -> list[float]:
        """Return the mean probability of the first text of each pair (the formula of CLIP-IQA)."""
        shares = []
        for pair in ANTONYMS:
            logits = 100 * sight @ np.stack([self.text_vector(text) for text in pair]).T
            shares.append(1 / (1 + np.exp(logits[:, 1] - logits[:, 0])))
        return [float(value) for value in np.mean(shares, axis=0)]

    def _match(self, text: str, pixels: Image.Image) -> float:
        with self._torch.inference_mode():
            output = self._model(
                **self.text(text).inputs, **self.picture(pixels).inputs, use_itm_head=True
            ).itm_score
        return float(output.softmax(-1)[0, 1])

    def _reward(self, text: str, pixels: Image.Image) -> float:
        """Return ImageReward's normalized reward of the first token's state."""
        torch, model = self._torch, self._model
        with torch.inference_mode():
            seen = model.vision_model(**self.picture(pixels).inputs).last_hidden_state
            mask = torch.ones(seen.shape[:2], dtype=torch.long, device=self.device)
            state = model.text_encoder(
                **self.text(text).inputs, encoder_hidden_states=seen, encoder_attention_mask=mask
            ).last_hidden_state[:, 0]
            for layer in range(len(self._head) // 2):
                state = state @ self._head[f"{layer}.weight"].T + self._head[f"{layer}.bias"]
        return (float(state[0, 0]) - REWARD_MEAN) / REWARD_SPREAD

    @property
    def _side(self) -> int:
        size = getattr(self._images, "crop_size", None) or self._images.size
        return int(size["height"] if "height" in size else size["shortest_edge"])

    def _unknown(self, ids: Sequence[int]) -> int:
        """Return the number of unknown tokens; 0 if the tokenizer spells unknown words in bytes."""
        tokenizer = self._tokenizer
        unknown = tokenizer.unk_token_id
        special = {tokenizer.eos_token_id, tokenizer.bos_token_id, tokenizer.pad_token_id}
        return 0 if unknown is None or unknown in special else list(ids).count(unknown)

    def _require_fitting_tokenizer(self) -> None:
        """Raise if the encoder would not pool at the end token of this tokenizer.

        Old checkpoints state the end token 2 and pool at the highest id. With another tokenizer, every text
        would have the vector of some other token.
        """
        if self.kind not in ("clip", "metaclip_2"):
            return
        stated = self._model.config.text_config.eos_token_id
        end = self._tokenizer.eos_token_id
        ids = self._tokenizer("a lily")["input_ids"]
        pooled = max(ids) if stated == 2 and self.kind == "clip" else stated
        if pooled != end or end not in ids:
            raise UsageError(
                f"the tokenizer of {self.row.name} ends a text with token {end}, but the encoder looks for "
                f"{pooled}",
                fix="use the tokenizer that was saved with the checkpoint",
            )


class _PictureVectors:
    """The encoder in the form that the cache of vectors expects: pictures by id instead of texts."""

    multilingual = True

    def __init__(
        self,
        name: str,
        encode: Callable[[Sequence[Image.Image]], Floats],
        pictures: dict[str, Image.Image],
    ) -> None:
        self.name = name
        self._encode = encode
        self._pictures = pictures

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of the pictures with these ids."""
        return self._encode([self._pictures[key] for key in texts])


@lru_cache(maxsize=2)
def loaded_encoder(row: Checkpoint, source: str) -> Encoder:
    """Return the encoder, loaded once in each process."""
    return Encoder(row, source)


def letterboxed(pixels: Image.Image, side: int) -> Image.Image:
    """Return the whole picture in a square of this side, with black bars."""
    scale = side / max(pixels.size)
    size = (max(1, round(pixels.width * scale)), max(1, round(pixels.height * scale)))
    square = Image.new("RGB", (side, side))
    small = pixels.resize(size, Image.Resampling.BICUBIC)
    square.paste(small, ((side - size[0]) // 2, (side - size[1]) // 2))
    return square


@lru_cache(maxsize=8)
def weights_digest(folder: Path) -> str:
    """Return the SHA-256 of a folder's weights, in their order, with those of a head."""
    digest = hashlib.sha256()
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise UsageError(
            "the folder has no safetensors weights",
            where=str(folder),
            fix="convert a pickled release with semiosis convert",
        )
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:16]


def _model_class(transformers: Any, config: Any) -> Any:
    names = {
        "clip": "CLIPModel",
        "siglip": "SiglipModel",
        "siglip2": "Siglip2Model",
        "metaclip_2": "MetaClip2Model",
        "blip": "BlipForImageTextRetrieval",
    }
    if config.model_type not in names:
        raise ValueError(f"the architecture {config.model_type!r} is none of {', '.join(names)}")
    return getattr(transformers, names[config.model_type])


def encoder_source(source: str) -> str:
    """Return where the encoder is: a converted head names another folder or hub id."""
    return str(converted_from(Path(source).expanduser()).get("encoder", source))


def _identity(source: str) -> str:
    """Return what identifies weights: the hash of those in a folder, or a hub id."""
    folder = Path(source).expanduser()
    return weights_digest(folder) if folder.is_dir() else source


def _on(tensor: Any, device: str) -> Any:
    return tensor.to(device) if hasattr(tensor, "to") else tensor


def _head(folder: Path) -> dict[str, Any]:
    """Return the layers behind the encoder: tensors for a reward, a vector and a number for a linear head."""
    file = folder / HEAD_FILE
    if not file.is_file():
        raise UsageError(
            f"there is no {HEAD_FILE} with the layers behind the encoder",
            where=str(folder),
            fix="convert the release with semiosis convert",
        )
    tensors = _require("safetensors.torch").load_file(file)
    if "weight" in tensors:
        return {"weight": tensors["weight"].numpy(), "bias": float(tensors["bias"].squeeze())}
    return dict(tensors)


def _pixels(sign: ImageSign) -> Image.Image:
    return decode_sign(sign, image_bytes(sign)).pixels.convert("RGB")


def _unit(features: Any) -> Floats:
    """Return the vectors of an encoder's output at unit length."""
    vectors = getattr(features, "pooler_output", features)
    vectors = vectors / vectors.norm(dim=-1, keepdim=True)
    return np.asarray(vectors.float().cpu().numpy(), dtype=np.float32)


def _require(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(
            f"encoders need a package that is not installed: {error.name}", "local"
        ) from error


def converted_from(folder: Path) -> dict[str, Any]:
    """Return what a converted release states about its source; empty for other folders."""
    file = folder / CONVERTED_FILE
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}
