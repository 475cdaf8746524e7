"""Documents cut into passages, and queries as words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from search_core.storage.library_documents import (
    PASSAGE_CHARS,
    SECTION_CHARS,
    from_first_said,
    passages,
    query_words,
    sections,
)


@given(st.text(alphabet=st.sampled_from("가나다 .?!\nab…\"'"), max_size=3000))
def test_no_word_is_lost_and_no_passage_too_long(text: str):
    """Passages hold every character but white space, in order, and keep to the length; sections hold every passage."""
    cut = passages(text)
    assert "".join("".join(cut).split()) == "".join(text.split())
    assert all(0 < len(passage) <= PASSAGE_CHARS for passage in cut)
    parts = sections(text)
    assert [passage for part in parts for passage in part] == cut
    assert all(sum(map(len, part)) <= SECTION_CHARS or len(part) == 1 for part in parts)


def test_sentences_stay_whole():
    """A passage ends where a sentence ends; a number with a point is no end."""
    first, second = "가" * 250 + " 3.35테라바이트이다.", "나" * 250 + "이다."
    assert passages(f"{first} {second}") == [first, second]


def test_a_query_is_left_with_its_telling_words():
    """Particles, endings, light verbs and English function words are no search words."""
    assert query_words("메모리 대역폭은 왜 있나요?").terms[:2] == ("메모리", "대역폭")
    assert query_words("What is the sunshield of the telescope").terms == ("sunshield", "telescope")
    assert query_words("대역폭").bigrams == ("대역", "역폭")


def test_a_passage_begins_where_the_question_is_first_spoken_of():
    """Sentences before the first that holds a word of the query are left out; without any the passage stays whole."""
    passage = "엔비디아는 회사이다. 1993년에 세워졌다. 제품에는 HBM이 쓰인다. 값은 비싸다."
    assert from_first_said(passage, query_words("HBM 대역폭")) == "제품에는 HBM이 쓰인다. 값은 비싸다."
    assert from_first_said(passage, query_words("김치찌개")) == passage
