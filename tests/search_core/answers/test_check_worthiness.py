from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from search_core.answers.check_worthiness import CHECK_WORTHY, score_check_worthiness, shipped_weights
from search_core.errors import EmbeddingError
from search_core.language.vectors import TRAINED, TextKind, Vectors

CLAIM = "서울의 1인 가구 비율은 2022년에 38퍼센트였습니다."
ENGLISH_CLAIM = "Unemployment fell to 3.5 percent in 2019, the lowest rate in fifty years."


class Reader:
    """An embedder that notes what it is given and answers with *vector*, or fails."""

    limits = TRAINED
    label = "reader"

    def __init__(self, name: str, vector: np.ndarray | None) -> None:
        self.name = name
        self.asked: list[str] = []
        self._vector = vector

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        self.asked += texts
        if self._vector is None:
            raise EmbeddingError("gone", korean="없어요.")
        return np.tile(self._vector.astype(np.float32), (len(texts), 1))


@pytest.mark.parametrize(
    ("sentence", "worthy"),
    [
        (CLAIM, True),
        (ENGLISH_CLAIM, True),
        ("안녕하세요, 구독과 좋아요 부탁드려요!", False),
        ("여러분은 2030년에 뭘 하고 계실까요?", False),
        ("저는 내년에 구독자 10만 명을 꼭 넘기고 싶습니다.", False),
        ("Should taxes be raised by 5 percent?", False),
    ],
)
def test_what_can_be_looked_up_is_check_worthy(sentence: str, worthy: bool):
    """Figures, dates and deeds are, by words alone; numbers make no claim of a question, a plan or what the video shows."""
    assert (score_check_worthiness([sentence]).scores[0] > CHECK_WORTHY) is worthy


def test_meaning_takes_the_place_of_words_where_the_model_read():
    """A vector along the learnt direction raises a score, one against it lowers it, and all likely sentences were read."""
    weights = shipped_weights()
    direction = weights.vector / np.linalg.norm(weights.vector)
    higher = score_check_worthiness([CLAIM], Reader(weights.model, direction))
    lower = score_check_worthiness([CLAIM], Reader(weights.model, -direction))
    assert higher.scores[0] > lower.scores[0]
    assert higher.by_meaning == 1


@pytest.mark.parametrize("reader", [Reader("another", np.zeros(384)), Reader(shipped_weights().model, None)])
def test_words_alone_decide_where_the_model_of_the_weights_is_not_there(reader: Reader):
    """Vectors of another model say something else, and a dead model costs nothing but its say."""
    worth = score_check_worthiness([CLAIM], reader)
    assert (worth.scores, worth.by_meaning) == (score_check_worthiness([CLAIM]).scores, 0)


def test_the_model_is_asked_no_longer_than_it_may_be():
    """After its time the rest is judged by words, the likeliest claims having been read first."""
    sentences = [f"매출이 {number}억 원으로 늘었습니다." for number in range(100)]
    ticks = iter(range(1000))
    reader = Reader(shipped_weights().model, np.zeros(384))
    worth = score_check_worthiness(sentences, reader, within_s=1.5, clock=lambda: float(next(ticks)))
    assert 0 < len(reader.asked) < len(sentences)
    assert worth.by_meaning == len(reader.asked) / len(sentences)
