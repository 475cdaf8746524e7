"""The library as a provider: both scripts searched, emptiness explained, trouble typed."""

from __future__ import annotations

import asyncio

import pytest

from search_core.providers.kit.contract import SearchRequest
from search_core.providers.library import LibraryProvider
from tests.search_core.providers.provider_calls import ScriptedLibrary


def test_query_and_translation_are_both_searched_and_taken_in_turn():
    """Documents found by either are results, once each, with ranks of one list; without a question the query is what is meant."""
    library = ScriptedLibrary(대역폭=["a", "b", "c"], bandwidth=["b", "d"])
    found = asyncio.run(LibraryProvider(library).search(SearchRequest(query="대역폭", translated="bandwidth", limit=3)))
    assert [(result.title, result.ranks) for result in found] == [
        ("a", (("library", 1),)),
        ("b", (("library", 2),)),
        ("d", (("library", 3),)),
    ]
    assert found[0].providers == ("library",)
    assert library.questions == ["대역폭"]


def test_the_words_of_the_question_are_searched_before_those_of_the_query():
    """What the video adds to a query hides no document that holds what is asked."""
    library = ScriptedLibrary(**{"루프라인이 뭐야?": ["roofline"], "HBM 대역폭 루프라인": ["hbm", "roofline"]})
    request = SearchRequest(query="HBM 대역폭 루프라인", question="루프라인이 뭐야?", limit=2)
    assert [result.title for result in asyncio.run(LibraryProvider(library).search(request))] == ["roofline", "hbm"]


def test_an_empty_library_says_how_to_fill_it():
    """It is absent by choice, and the command stands in the sentence."""
    assert "python -m search_core index" in (LibraryProvider(ScriptedLibrary()).absent_because() or "")
    assert LibraryProvider(ScriptedLibrary(x=["a"])).is_available()


def found(library: ScriptedLibrary, limit: int = 10) -> list[tuple[str, str]]:
    """Ask for the words 대역폭 with a question beside them."""
    request = SearchRequest(query="대역폭", question="대역폭은 왜 중요한가?", limit=limit)
    return [(result.title, result.snippet) for result in asyncio.run(LibraryProvider(library).search(request))]


def test_what_words_and_meaning_agree_on_comes_first():
    """B is second by words and first by meaning (1/7 + 1/6), before a, first by words alone; its passage is that of meaning."""
    library = ScriptedLibrary(대역폭=["a", "b"], near="bc")
    assert found(library) == [("b", "by meaning"), ("a", "by words"), ("c", "by meaning")]
    assert library.questions == ["대역폭은 왜 중요한가?"]


@pytest.mark.parametrize(
    ("words", "near", "across", "limit", "order"),
    [
        # No words bear the passage in another language out: it stands beside their first, and after what both find.
        ("abc", "b", "x", 10, "baxc"),
        # The third in both lists of two is among the first two, though neither list alone has it there.
        ("abc", "xyc", "", 2, "ca"),
        # What words find first stays, though ten documents that they find in other places are near as well.
        ("abcdefghijk", "bcdefghijk", "xyz", 10, "bcdefgaxhi"),
    ],
)
def test_places_by_words_and_by_meaning_are_weighed(words: str, near: str, across: str, limit: int, order: str):
    """Each list gives its places, deep ones too, and passages of another language take turns with what words alone find."""
    assert "".join(name for name, _ in found(ScriptedLibrary(대역폭=list(words), near=near, across=across), limit)) == order
