"""The reader of answers: talks, pages and snippets asked the same question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from search_core.answers.reader import READ_TOGETHER, order_sentences, read, read_together, weigh_together
from search_core.answers.reading import AskedQuestion, Rows, Said, hold_names
from search_core.models.embedding.model_embedder import Placed

SAID = (
    "HBM4 표준은 2025년 4월에 발표되었습니다.",
    "오늘은 날씨가 좋아서 산책을 했습니다.",
    "HBM4의 대역폭은 초당 2테라바이트입니다.",
)


@pytest.mark.parametrize(("asked", "place"), [("HBM4 대역폭이 얼마야?", 2), ("HBM4 표준은 언제 발표됐어?", 0)])
def test_the_sentence_with_what_is_asked_for_is_the_likeliest(asked: str, place: int):
    """Of sentences about one thing that one answers which has the amount, or the day, that is asked for."""
    reading = read(AskedQuestion(asked), [Said(text, bearing=0.5) for text in SAID], None, spoken=True)
    assert reading.order[0] == place
    assert order_sentences(SAID, asked, None)[0] == place


class _Answers:
    """Gives odds by what a sentence holds, and notes what it was given."""

    def __init__(self, held: str = "") -> None:
        self.held = held
        self.read: list[Placed] = []

    def __call__(self, question: str, placed: Sequence[Placed]) -> Rows:
        self.read += placed
        return np.array([9.0 if self.held and self.held in each.sentence else -9.0 for each in placed])


def test_what_the_model_reads_as_the_answer_comes_first():
    """A sentence that shares no word with the question is the likeliest where the model is sure of it, and so is an answer."""
    question = AskedQuestion("기분 전환은 어떻게 해?")
    reading = read(question, [Said(text, bearing=0.5) for text in SAID], None, spoken=True)
    sure, unsure = (weigh_together(reading, read_together(reading, question, _Answers(held))) for held in ("산책", ""))
    assert sure.order[0] == 1
    assert sure.answered > unsure.answered


def test_the_likeliest_sentences_are_read_behind_the_one_before_them():
    """Of a long talk the likeliest alone, behind nothing where a part begins; others count as the least; no model, no odds."""
    question = AskedQuestion("HBM4 대역폭이 얼마야?")
    said = [*(Said(text) for text in SAID), *(Said(f"{number}번째 이야기입니다.", source=1) for number in range(40))]
    reading = read(question, said, None, spoken=True)
    answers = _Answers("2테라바이트")
    odds = read_together(reading, question, answers)
    assert len(answers.read) == READ_TOGETHER
    assert Placed(SAID[1], SAID[2]) in answers.read
    assert Placed(SAID[2], "0번째 이야기입니다.") not in answers.read
    assert list(odds) == [-9.0, -9.0, 9.0, *[-9.0] * 40]
    assert read_together(reading, question, lambda *_: None) is None
    assert read_together(read(question, [], None, spoken=True), question, answers) is None


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("ASML 장비는 한 대에 얼마야?", [True, False, False]),
        ("에이에스엠엘이 아니라 삼성전자 매출은?", [False, True, False]),
        ("이 부품은 한 대에 얼마야?", [True, True, True]),
    ],
)
def test_a_text_about_somebody_else_holds_no_name_of_the_question(asked: str, held: list[bool]):
    """What a question is about has to be named; a question without names leaves that open."""
    texts = ["ASML은 장비 한 대를 5천억 원에 판다.", "삼성전자의 장비 값은 1억 원이다.", "SK하이닉스가 한 대에 1억 원을 냈다."]
    assert hold_names(asked, texts) == held
