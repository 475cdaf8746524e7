"""The library as a provider: both scripts searched, emptiness explained, trouble typed."""

from __future__ import annotations

import asyncio

from search_core.domain import SearchResult
from search_core.errors import StorageError
from search_core.provider_kit import SearchRequest
from search_core.providers.library import LibraryProvider


class Shelf:
    """Finds documents by exact query."""

    def __init__(self, **found: list[str]) -> None:
        self.found = found

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        return [
            SearchResult(title=name, url=f"https://library.example/{name}", snippet="", source="내 자료", collection="user")
            for name in self.found.get(query, [])[:limit]
        ]

    def count(self, *, samples: bool = True) -> int:
        return sum(len(names) for names in self.found.values())


def test_query_and_translation_are_both_searched_and_taken_in_turn():
    """Documents found by either are kept, once each, with places of one list."""
    provider = LibraryProvider(Shelf(대역폭=["a", "b", "c"], bandwidth=["b", "d"]))
    found = asyncio.run(provider.search(SearchRequest(query="대역폭", translated="bandwidth", limit=3)))
    assert [(result.title, result.ranks) for result in found] == [
        ("a", (("library", 1),)),
        ("b", (("library", 2),)),
        ("d", (("library", 3),)),
    ]
    assert found[0].providers == ("library",)


def test_an_empty_library_says_how_to_fill_it():
    """It is absent by choice, and the command stands in the sentence."""
    assert "python -m search_core index" in (LibraryProvider(Shelf()).absent_because() or "")
    assert LibraryProvider(Shelf(x=["a"])).is_available()


def test_a_library_that_cannot_be_counted_is_asked_all_the_same():
    """Trouble with the index must show as a failed request, not as an empty library."""

    class Broken(Shelf):
        def count(self, *, samples: bool = True) -> int:
            raise StorageError("locked", korean="잠겨 있어요.")

    assert LibraryProvider(Broken()).is_available()


def test_it_is_never_kept():
    """The library answers at once and may be filled at any moment, so its answers are not cached."""
    assert not LibraryProvider.cacheable
