"""Results in the sections they are shown in: of the web and own documents, in each those with names of the video first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_core.domain import SearchResult

OWN_DOCUMENTS = "내 자료에서"
NAMED, OTHERS = "이 영상의 인물·기업·행사가 나온 결과", "그 밖의 결과"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Results that stand together, in order."""

    own: bool
    """Whether they are documents of the library, which stand apart from pages of the web."""
    line: str
    """Heading where results that name an entity of the video come before the others; else empty."""
    results: tuple[SearchResult, ...]


def sections(results: Sequence[SearchResult], *, entity_first: bool = False) -> list[Section]:
    """Return *results* as they are shown: those of the web, then documents of the library.

    With *entity_first* those that name an entity of the video are listed apart, where there are any.
    """
    return list(_sections(results, entity_first))


def _sections(results: Sequence[SearchResult], entity_first: bool) -> Iterator[Section]:
    for own in (False, True):
        group = tuple(result for result in results if result.own is own)
        named = tuple(result for result in group if result.entity_matches)
        others = tuple(result for result in group if not result.entity_matches)
        if entity_first and named:
            yield Section(own=own, line=NAMED, results=named)
            if others:
                yield Section(own=own, line=OTHERS, results=others)
        elif group:
            yield Section(own=own, line="", results=group)
