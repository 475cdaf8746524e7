"""A model of entailment that a setting names, as a tiny cross-encoder of that architecture that the test writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

from search_core.models.embedding.entailment import BELIEVED, ClassThresholds, known_pairs
from search_core.models.embedding.host import EmbedderHost
from search_core.models.embedding.model_embedder import ModelEmbedder, ModelState
from tests.search_core.search.ranking.conftest import Shelf

LOAD_S = 240
PAIR = [("비가 온다.", "비가 온다.")]
THREE = {0: "contradiction", 1: "ENTAILMENT", 2: "neutral"}
TWO = {0: "not_entailment", 1: "entailment"}
pytestmark = pytest.mark.timeout(300)


def written(folder: Path, labels: Mapping[int, str], biases: Sequence[float]) -> str:
    """Write a model that gives every pair the same odds, those of *biases*, and return its folder."""
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "비", "온다")), encoding="utf-8")
    sizes = {"vocab_size": 7, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
    places = {label: place for place, label in labels.items()}
    model = BertForSequenceClassification(BertConfig(**sizes, num_labels=len(labels), id2label=dict(labels), label2id=places))
    with torch.no_grad():
        model.classifier.weight.zero_()
        model.classifier.bias.copy_(torch.tensor(biases))
    model.save_pretrained(folder)
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)


@pytest.mark.parametrize(
    ("labels", "biases", "expected"),
    [(THREE, (0.0, 2.0, 1.0), (2.0, 1.0, 0.0)), (TWO, (0.0, 2.0), (2.0, 0.0, -np.inf))],
)
def test_the_order_of_classes_is_read_from_the_model(
    tmp_path: Path, labels: Mapping[int, str], biases: Sequence[float], expected: Sequence[float]
):
    """Of three classes and of two, whatever their order; one that knows no denial denies nothing."""
    model = ModelEmbedder(written(tmp_path / "nli", labels, biases), worker="serve_cross_encoder")
    model.start()
    assert model.wait(LOAD_S) is ModelState.READY
    odds = np.exp(expected)
    assert model.judge(PAIR)[0] == pytest.approx(odds / odds.sum(), abs=1e-5)
    assert model.judge([]).shape == (0, 3)
    model.close()


def test_a_named_model_judges_once_it_is_calibrated(tmp_path: Path):
    """What it makes of the known pairs is kept; one that gives all the same odds is never believed."""
    shelf, folder = Shelf(), written(tmp_path / "nli", THREE, (0.0, 2.0, 1.0))
    for _ in range(2):
        host = EmbedderHost(model="kiwi", entailment=folder, vectors=shelf)
        (found,) = host.entailment.judge(PAIR)
        assert found.bears_out < 0.5 > found.denies
        assert found.bears_out + found.silent + found.denies == pytest.approx(1, abs=1e-5)
        host.close()
    assert len(shelf.kept) == len(known_pairs())


def test_probabilities_are_put_on_the_scale_of_the_shipped_model():
    """Where a model is right often enough, its probability counts as much as the shipped one's does where that is believed."""
    right = [0] * 100 + [1] * 100 + [2] * 100
    sure = np.linspace(0.5, 1.0, 100)
    bears_out = np.concatenate([0.4 * sure, np.zeros(200)])
    denies = np.concatenate([np.zeros(200), sure])
    found = np.stack([bears_out, 1 - bears_out - denies, denies], axis=1).astype(np.float32)
    calibration = ClassThresholds.of(found, right)
    assert calibration.starts == (pytest.approx(0.2), pytest.approx(0.5))
    scaled = calibration.apply(np.array([[0.2, 0.8, 0.0], [0.1, 0.4, 0.5], [1.0, 0.0, 0.0]], dtype=np.float32))
    assert scaled[0, 0] == pytest.approx(BELIEVED[0], abs=1e-3)
    assert scaled[1] == pytest.approx([BELIEVED[0] / 2, 0.0, BELIEVED[1]], abs=0.25)
    assert scaled[2, 0] == 1.0


def test_a_model_of_other_classes_is_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """The log names the classes that it has, and nothing is judged by it."""
    model = ModelEmbedder(written(tmp_path / "ranker", {0: "LABEL_0", 1: "LABEL_1"}, (0.0, 1.0)), worker="serve_cross_encoder")
    model.start()
    assert model.wait(LOAD_S) is ModelState.FAILED
    assert "ranker has the classes label_0, label_1, and no entailment" in caplog.text
    model.close()
