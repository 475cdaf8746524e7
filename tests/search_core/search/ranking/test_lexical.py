"""How much of a question a text holds."""

from __future__ import annotations

import pytest

from search_core.search.ranking.lexical import AskedWords


def scores(question, *bodies, titles=None):
    return AskedWords(question).scores(list(titles or [""] * len(bodies)), list(bodies))


FILLER = "그리고 마을에는 오래된 우물과 돌담과 넓은 논이 펼쳐져 있다. " * 2


@pytest.mark.parametrize(
    ("question", "better", "worse", "least", "most"),
    [
        ("메모리 대역폭은 왜 중요한가?", "메모리 대역폭이 넓어야 중요하다.", "김치찌개는 신김치로 끓인다.", 0.35, 0.1),
        ("은행이 금리를 올렸나", "금리는 은행에서 올리는 것이다.", "동네 꽃집에 튤립이 피었다.", 0.5, 0.1),
        ("Which company accused stores of cooling?", "The companies were accusing a store.", "Tulips bloom in May.", 0.3, 0),
        ("윌리엄 브래드포드는 몇 년 동안 총독이었나?", "William Bradford served as governor.", "Bread dough rises.", 0.2, 1),
        ("사람의 신장 결석", "결석을 없애는 약이 있다.", "사람을 만나는 일이 있다.", 0, 1),
        ("병원비", "의료비 지원", "튤립 화단", 0, 1),
        ("제로 금리 정책", f"{FILLER} 제로 금리 정책을 폈다.", f"제로 {FILLER} 금리 {FILLER} 정책을 폈다.", 0, 1),
    ],
)
def test_a_text_with_the_asked_words_beats_one_without(question: str, better: str, worse: str, least: float, most: float):
    """Words in any inflection, script or order count; rarer words, words close in meaning and words side by side for more."""
    high, low = scores(question, better, worse)
    assert high > low
    assert high >= least
    assert low <= most


def test_a_word_in_the_title_counts_more():
    """The same word is worth more in the title than in the text."""
    in_title, in_text = scores("대역폭", "칩이 기다리는 시간", "대역폭 칩이 기다리는 시간", titles=["대역폭", "소식"])
    assert in_title > in_text


def test_a_question_without_words_holds_nothing():
    """Signs alone can be found nowhere; no text, no score."""
    assert scores("???", "메모리 대역폭") == [0.0]
    assert scores("메모리") == []
