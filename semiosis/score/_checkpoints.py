"""The table of encoder checkpoints, and the scorers that cannot be loaded honestly, with the reason."""

from dataclasses import dataclass
from typing import Literal

from semiosis.score._scorer import Family

Formula = Literal["cosine", "clipscore", "logits", "matching", "reward", "linear", "antonyms"]
"""How the number follows: the cosine; 2.5 times the cosine, at least 0 (CLIPScore); the cosine times the
model's scale (PickScore); the probability of a match (BLIP); a reward head (ImageReward); a linear head on
the picture's vector (LAION); or the mean probability of the first text of antonym pairs."""
ImageRule = Literal["processor", "letterbox"]
"""How a picture becomes square: as the checkpoint's own processor does it, or with black bars."""


@dataclass(frozen=True)
class Checkpoint:
    """One row of the table: all that distinguishes a scorer from the others."""

    name: str
    """The short name, such as `pickscore`."""
    about: str
    """What the score is."""
    formula: Formula
    """How the number follows from the encoder's output."""
    hub: str = ""
    """The hub id of the weights; empty if the release has to be converted first."""
    processor: str = ""
    """The hub id of the tokenizer and the image processor, if the weights come without them."""
    image: ImageRule = "processor"
    """How a picture becomes square."""
    text_tokens: int = 0
    """The longest text in tokens, if it is shorter than the encoder's own limit."""
    english: bool = True
    """Whether the text encoder was trained on English only."""
    licence: str = ""
    """The licence of the weights, as their publisher states it."""
    faults: str = ""
    """Known faults."""

    @property
    def family(self) -> Family:
        """How the scorer arrives at its number."""
        if self.formula in ("linear", "antonyms"):
            return "context-free"
        return "reward" if self.formula in ("logits", "matching", "reward") else "cosine"


ANTONYMS: tuple[tuple[str, str], ...] = (
    ("a good photo", "a bad photo"),
    ("a beautiful picture", "an ugly picture"),
    ("a sharp picture", "a blurry picture"),
)
"""Pairs of opposite texts for `clip-antonyms`. They are ours: CLIP-IQA's own pairs were chosen for another
network."""

CHECKPOINTS: dict[str, Checkpoint] = {
    row.name: row
    for row in (
        Checkpoint(
            "clipscore",
            "2.5 times the cosine of prompt and picture, at least 0 (Hessel et al., 2021)",
            "clipscore",
            hub="openai/clip-vit-base-patch32",
            licence="MIT",
            faults="ignores word order and negation; texts end at 77 tokens; pictures are cropped",
        ),
        Checkpoint(
            "siglip",
            "the cosine of prompt and picture",
            "cosine",
            hub="google/siglip-so400m-patch14-384",
            licence="Apache-2.0",
            faults="texts end at 64 tokens; pictures are squashed",
        ),
        Checkpoint(
            "siglip2",
            "the cosine of prompt and picture",
            "cosine",
            hub="google/siglip2-so400m-patch14-384",
            english=False,
            licence="Apache-2.0",
            faults="texts end at 64 tokens; pictures are squashed",
        ),
        Checkpoint(
            "siglip2-naflex",
            "the cosine of prompt and picture, in the picture's own proportions",
            "cosine",
            hub="google/siglip2-so400m-patch16-naflex",
            english=False,
            licence="Apache-2.0",
            faults="texts end at 64 tokens",
        ),
        Checkpoint(
            "metaclip2",
            "the cosine of prompt and picture",
            "cosine",
            hub="facebook/metaclip-2-worldwide-huge-quickgelu",
            english=False,
            licence="CC BY-NC 4.0",
            faults="texts end at 77 tokens; pictures are cropped",
        ),
        Checkpoint(
            "pickscore",
            "the scaled cosine of an encoder trained on people's choices (Kirstain et al., 2023)",
            "logits",
            hub="yuvalkirstain/PickScore_v1",
            processor="laion/CLIP-ViT-H-14-laion2B-s32B-b79K",
            licence="MIT",
            faults="about 15 to 25; compares pictures of one prompt only; texts end at 77 tokens",
        ),
        Checkpoint(
            "hpsv2",
            "the cosine of an encoder trained on people's choices (Wu et al., 2023)",
            "cosine",
            image="letterbox",
            licence="Apache-2.0",
            faults="versions 2.0 and 2.1 do not compare; two prompts do not compare; texts end at 77 tokens",
        ),
        Checkpoint(
            "imagereward",
            "a reward trained on people's rankings (Xu et al., 2023)",
            "reward",
            text_tokens=35,
            licence="Apache-2.0",
            faults="texts end at 35 tokens, which cuts most prompts of artists; pictures are cropped",
        ),
        Checkpoint(
            "blip-itm",
            "the probability that text and picture match",
            "matching",
            hub="Salesforce/blip-itm-base-coco",
            licence="BSD-3-Clause",
            faults="close to 0 or 1 for most pairs",
        ),
        Checkpoint(
            "aesthetic",
            "the LAION aesthetic predictor, without the prompt",
            "linear",
            licence="Apache-2.0",
            faults="prefers polished pictures of any content; pictures are cropped",
        ),
        Checkpoint(
            "clip-antonyms",
            "the mean probability of the first of two opposite texts, without the prompt",
            "antonyms",
            hub="openai/clip-vit-base-patch32",
            licence="MIT",
            faults="not CLIP-IQA, which was published on another network",
        ),
    )
}
"""Every checkpoint by its short name."""

REFUSED: dict[str, str] = {
    "clip-iqa": "it was published on a ResNet without position embedding, which transformers does not have; "
    "clip-antonyms has the same formula on another network",
    "eva-clip-18b": "its code is not part of transformers, and no code from a model's folder is run; "
    "use siglip2 or metaclip2",
    "q-align": "it needs its own model code and an old transformers; import its scores",
    "deqa-score": "it needs its own model code and an old transformers; import its scores",
    "lmm4lmm": "its fine-tuned model needs its own code and an old transformers; import its scores",
    "gallerygpt": "no weights are published that transformers loads; import its answers",
    "artimuse": "no weights are published that transformers loads; import its scores",
    "hyperiqa": "its weights need their own network code; import its scores, or use clip-antonyms",
    "wscnet": "no weights are published; import its scores",
}
"""Scorers of the papers that cannot be loaded honestly, with the reason and the nearest alternative. Imported
scores stand in tables as imported."""
