"""Documents cut into passages, and queries as words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from search_core.library.documents import PASSAGE_CHARS, SECTION_CHARS, query_words, shown_passage, split_passages, split_sections


@given(st.text(alphabet=st.sampled_from("가나다 .?!\nab…\"'"), max_size=3000))
def test_no_word_is_lost_and_no_passage_too_long(text: str):
    """Passages hold every character but white space, in order, and keep to the length; sections hold every passage."""
    cut = split_passages(text)
    assert "".join("".join(cut).split()) == "".join(text.split())
    assert all(0 < len(passage) <= PASSAGE_CHARS for passage in cut)
    parts = split_sections(text)
    assert [passage for part in parts for passage in part] == cut
    assert all(sum(map(len, part)) <= SECTION_CHARS or len(part) == 1 for part in parts)


def test_sentences_stay_whole():
    """A passage ends where a sentence ends; a number with a point is no end."""
    first, second = "가" * 250 + " 3.35테라바이트이다.", "나" * 250 + "이다."
    assert split_passages(f"{first} {second}") == [first, second]


def test_a_paragraph_begins_a_passage():
    """What stands before it ends there, but a heading, which belongs to the paragraph it is above."""
    first, second = "가" * 100 + "이다.", "나" * 100 + "이다."
    assert split_passages(f"{first}\n\n제목\n\n{second}") == [first, f"제목\n{second}"]


def test_a_later_passage_is_shown_before_the_first():
    """The first passage of a section names what the others are on, and is shown once."""
    assert [shown_passage(["TSV란", "구리로 채운다."], place) for place in (0, 1)] == ["TSV란", "구리로 채운다. … TSV란"]


def test_a_query_is_left_with_its_telling_words():
    """Particles, endings, light verbs and English function words are no search words."""
    assert query_words("메모리 대역폭은 왜 있나요?").terms[:2] == ("메모리", "대역폭")
    assert query_words("What is the sunshield of the telescope").terms == ("sunshield", "telescope")
    assert query_words("대역폭").bigrams == ("대역", "역폭")
