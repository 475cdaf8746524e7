"""What foreign results are about, in Korean."""

from __future__ import annotations

from search_core.domain.result import SearchResult
from search_core.search.gist import korean_gists


def foreign(title: str, snippet: str) -> SearchResult:
    return SearchResult(title=title, url="https://example.com", snippet=snippet, source="example.com")


def test_asked_words_names_and_figures_of_a_foreign_text_are_said():
    """Words of the question stand first, in Korean; names as they are known here; figures with their units, as written."""
    result = foreign("Seoul subway strike", "Workers of Seoul Metro walked out, and trains ran at 80 percent of 2024's service.")
    assert korean_gists([result], "파업 때문에 열차가 얼마나 줄었어?") == ["파업 · 열차 · Seoul Metro · 80 percent"]


def test_a_word_in_another_of_its_senses_is_not_said_to_be_there():
    """원전 is the source of a text, too; a page on a light source says nothing of nuclear plants. Acronyms stay as they are."""
    result = foreign("ASML results", "ASML sold more EUV sources than ever, for 7.5 billion euros.")
    assert korean_gists([result], "원전은 몇 기나 지어?") == ["ASML · EUV · 7.5 billion euros"]


def test_nothing_is_said_of_a_text_that_holds_nothing_of_it():
    """A text without an asked word, a name or a measure has an empty line, in its place among the others."""
    plain = foreign("on gardens", "flowers like water and light.")
    named = foreign("on vaccines", "the CDC recommends a booster dose after six months.")
    assert korean_gists([plain, named], "금리는 언제 내려?") == ["", "CDC · six months"]
