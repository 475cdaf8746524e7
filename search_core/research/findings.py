"""The stored findings of a run: its plan, searches and pages, which runs that continue it reuse.

Findings outlive versions: they are read as 0.3.0 wrote them.
"""

from __future__ import annotations

from dataclasses import dataclass

from search_core.domain import ResearchSource
from search_core.gathering import canonical_url
from search_core.research.outcomes import SearchOutcome
from search_core.storage.json_codec import JsonCodec


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """The text of a page."""

    text: str
    shortened: bool = False
    """True when the page is longer."""


SEARCH = JsonCodec(SearchOutcome)
PAGE = JsonCodec(PageText)


def search_key(text: str, *, own_only: bool) -> str:
    """Return the key of what was found for *text*.

    It does not begin with "search:", as it did up to 0.3.0: those findings do not say which results are own documents.
    """
    return f"{'own' if own_only else 'web'} search:{text}"


def page_key(url: str, *, own: bool = False) -> str:
    """Return the key of the text of a page, however its address is written.

    A document of the library has a key of its own even where it is a copy of a page: who may be sent its text differs.
    """
    return f"document:{url}" if own else f"page:{canonical_url(url) or url}"


def source_key(source: ResearchSource) -> str:
    """Return the key of the text of *source*."""
    return page_key(source.url, own=source.own)
