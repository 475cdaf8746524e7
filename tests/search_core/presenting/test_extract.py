"""Facts about a foreign text."""

from __future__ import annotations

import pytest

from search_core.presenting import extract_summary, foreign_language
from search_core.presenting.extract import MAX_QUOTE_CHARS, best_sentence, key_terms, korean_sentences

from .conftest import english_hit, korean_hit


@pytest.mark.parametrize(
    ("title", "snippet", "language", "found"),
    [
        ("한국은행 금리", "동결했다", "en", ""),
        ("Nvidia", "A new chip was shown today", "", "en"),
        ("Nvidia", "Une nouvelle puce a été présentée", "fr", "fr"),
        ("Nvidia", "A new chip was shown today", "ko", "en"),
        ("日本銀行", "金利を据え置きました", "", "ja"),
        ("12 + 3", "2026", "en", ""),
        ("Nvidia GTC", "Nvidia showed new chips today. The price was not told. “두 배로 넓히겠다”고 밝혔다.", "en", "en"),
        ("NVIDIA GTC 2026 Keynote", "NVIDIA CEO Jensen Huang이 GTC 2026에서 Rubin GPU를 공개했다. HBM4를 쓴다.", "en", ""),
    ],
)
def test_the_text_decides_what_is_foreign(title: str, snippet: str, language: str, found: str):
    """The letters decide whether a text is foreign; which language it is, the service may know better."""
    assert foreign_language(korean_hit(title=title, snippet=snippet, language=language)) == found


def test_the_sentence_about_the_title_is_quoted():
    """Of several sentences the one that shares most with the title is quoted, an abbreviation ending none."""
    snippet = (
        "Sign up for our newsletter now. Dr. Kim of SK hynix said HBM4 samples shipped in March. Markets were calm that day."
    )
    assert best_sentence("SK hynix ships HBM4 samples", snippet) == "Dr. Kim of SK hynix said HBM4 samples shipped in March."


def test_a_long_sentence_is_cut_at_a_word():
    """A quotation is at most as long as set and says that it was cut."""
    quote = best_sentence("Long", "word " * 100)
    assert len(quote) <= MAX_QUOTE_CHARS
    assert quote.endswith("word…")


def test_without_a_snippet_the_title_is_quoted():
    """A result without text is quoted by its title."""
    assert best_sentence("Nvidia unveils HBM4", "  ") == "Nvidia unveils HBM4"


def test_names_come_before_words():
    """Names lead the key terms; no term repeats another."""
    terms = key_terms("Nvidia unveils HBM4 roadmap at GTC", english_hit().snippet)
    assert any("Jensen Huang" in term for term in terms)
    assert len(terms) <= 6
    assert len({term.casefold() for term in terms}) == len(terms)
    assert all(". " not in term for term in terms)


def test_the_site_itself_is_no_key_term():
    """The name of the site stands once in the line, as its source; at most five terms follow."""
    result = english_hit(
        title="CNN reports Nvidia roadmap", snippet="CNN said Nvidia met Samsung in Seoul. CNN said so.", source="cnn.com"
    )
    terms = extract_summary(result).partition("핵심어: ")[2].partition(". 원문")[0].split(", ")
    assert "CNN" not in terms
    assert "Nvidia" in terms
    assert len(terms) <= 5


def test_unknown_facts_are_left_out():
    """Without date and source the line does not invent them."""
    assert extract_summary(english_hit(publish_date=None, source="")).startswith("출처가 적히지 않은 곳에서 전한 내용이에요.")


def test_quotation_marks_inside_do_not_end_the_quotation():
    """The sentence's own curly quotation marks become straight ones."""
    summary = extract_summary(english_hit(snippet="The company said “HBM4 will ship this year” on Monday."))
    assert summary.endswith('원문: “The company said "HBM4 will ship this year" on Monday.”')


MIXED = (
    "SK hynix said it will ship HBM4 this year. "
    "“올해 안에 HBM4를 양산하겠다”고 회사는 밝혔다.  The CEO, Kwak (곽노정), spoke in Seoul."
    " Analysts at several banks, who had expected the announcement later in the year, raised their price targets on the news."
    " 값은 공개하지 않았다."
)


def test_korean_sentences_of_a_foreign_text_are_kept_letter_for_letter():
    """Sentences with Korean words come back as they are and in order; one that only holds a name in Korean is not one of them."""
    assert korean_sentences(MIXED) == ("“올해 안에 HBM4를 양산하겠다”고 회사는 밝혔다.", "값은 공개하지 않았다.")
    assert korean_sentences("Only English. Kim (김철수) said so.") == ()
