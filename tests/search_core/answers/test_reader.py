"""The reader of answers: talks, pages and snippets asked the same question."""

from __future__ import annotations

import pytest

from search_core.answers.reader import TextKind, embedded_of_each, order_sentences, read
from search_core.answers.reading import AskedQuestion, Said, hold_names
from search_core.embedding import KiwiEmbedder

SAID = (
    "HBM4 표준은 2025년 4월에 발표되었습니다.",
    "오늘은 날씨가 좋아서 산책을 했습니다.",
    "HBM4의 대역폭은 초당 2테라바이트입니다.",
)


@pytest.mark.parametrize(("asked", "place"), [("HBM4 대역폭이 얼마야?", 2), ("HBM4 표준은 언제 발표됐어?", 0)])
def test_the_sentence_with_what_is_asked_for_is_the_likeliest(asked: str, place: int):
    """Of sentences about one thing that one answers which has the amount, or the day, that is asked for."""
    reading = read(AskedQuestion(asked), [Said(text, bearing=0.5) for text in SAID], None, kind=TextKind.TALK)
    assert reading.order[0] == place
    assert order_sentences(SAID, asked, None)[0] == place


def test_what_is_left_out_answers_nothing():
    """A sentence that only asks is the likeliest of none, and nothing read is nothing found."""
    said = [Said(text) for text in SAID]
    reading = read(AskedQuestion("HBM4 대역폭이 얼마야?"), said, None, kind=TextKind.TALK, left_out=[False, False, True])
    assert reading.likely[2] == 0
    assert reading.order[-1] == 2
    assert read(AskedQuestion("HBM4 대역폭이 얼마야?"), [], None, kind=TextKind.TALK).answered < 0


class _CountingEmbedder(KiwiEmbedder):
    """Notes how many passages it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.passages: list[str] = []

    def embed(self, texts, kind="passage"):
        if kind == "passage":
            self.passages += texts
        return super().embed(texts, kind)


def test_the_meaning_of_the_best_by_words_alone_is_read():
    """Of a page in another language so many sentences are embedded as there is time for, and none of one in the same."""
    said = [f"Sentence number {number} is about gardens." for number in range(30)]
    embedder = _CountingEmbedder()
    order_sentences(SAID, "HBM4 대역폭이 얼마야?", embedder)
    assert embedder.passages == []
    assert sorted(order_sentences(said, "정원은 몇 개야?", embedder, at_most=4)) == list(range(30))
    assert len([text for text in embedder.passages if "gardens" in text]) == 4
    assert (embedded_of_each(1), embedded_of_each(4), embedded_of_each(100)) == (120, 30, 8)


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
