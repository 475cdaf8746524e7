"""What every search provider promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Protocol, Self

from search_core.domain.query import QueryVariant
from search_core.domain.report import Freshness
from search_core.domain.result import SearchResult
from search_core.runtime import Clock, utc_now
from search_core.settings import Settings

_AGES: dict[Freshness, timedelta] = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}
SAFE_SEARCH = "moderate"
"""How strictly services that can leave out what is for adults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """What one provider is asked."""

    query: str
    translated: str | None = None
    """The query in the other script; for providers that also hold texts in that language, others ignore it."""
    question: str = ""
    """The question as a sentence, for what compares meaning; empty where the query is all there is."""
    broader: tuple[str, ...] = ()
    """Broader queries, narrow to broad; for services that match every word to try themselves when ``query`` finds nothing."""
    also: tuple[QueryVariant, ...] = ()
    """Other wordings of the query; a provider gets each as a request of its own, where it is ``free_to_ask_twice``."""
    limit: int = 10
    language: str = "ko"
    """ISO 639-1 code of the language results are wanted in: ``ko`` or ``en``."""
    freshness: Freshness | None = None
    """Ask only for results of the last day, week, …; None asks for all."""
    news: bool = False
    """Ask for news, where a service keeps them apart."""
    exclude_domains: tuple[str, ...] = ()
    """Results of these domains, and of what is under them, are left out of each answer; no service hears of them."""
    samples: bool = True
    """Whether documents that ship with the app may answer; for the library."""

    def in_other_words(self, variant: QueryVariant) -> Self:
        """Return the request with *variant* for its query, to be asked once, as it is."""
        return replace(self, query=variant.text, translated=variant.translated, question=variant.text, broader=(), also=())

    def earliest(self, now: datetime) -> datetime | None:
        """Return the moment after which results are of the last day, week, month (31 days) or year (366 days); None for all."""
        return now - _AGES[self.freshness] if self.freshness else None


class DocumentIndex(Protocol):
    """Finds documents the user has given; the library provider asks it."""

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        """Return the best *limit* documents for *query*, best first; *samples* False leaves out those that ship with the app."""
        ...

    def search_by_meaning(
        self, question: str, limit: int, *, samples: bool = True
    ) -> tuple[list[SearchResult], list[SearchResult]]:
        """Return the *limit* documents nearest to *question* in meaning, in its own language and in others, nearest first.

        Both are empty where no model can compare meanings.
        """
        ...

    def count(self, *, samples: bool = True) -> int:
        """Return how many documents there are, with those that ship with the app or without them."""
        ...


class SearchProvider(ABC):
    """Can be asked for results: the contract of every file in ``providers/``.

    A provider keeps no state about single queries; many may be under way at once.
    """

    name: ClassVar[str]
    """Unique, equal to the file name, used in settings, exports and logs."""
    label: ClassVar[str]
    """What the page calls it, in Korean."""
    max_query_chars: ClassVar[int] = 400
    storable: ClassVar[bool] = True
    """False when the terms of the service forbid keeping results on disk."""
    cacheable: ClassVar[bool] = True
    """False when answers are never stored: asking costs nothing and what is asked may change at any moment."""
    web: ClassVar[bool] = True
    """False for what the user has given: its hits do not replace a web that could not be asked."""
    paid: ClassVar[bool] = False
    """True for a service that charges for searches, if only for those beyond a free allowance."""
    free_to_ask_twice: ClassVar[bool] = False
    """True for a service that neither costs nor blocks who asks it in several wordings at once."""
    keys: ClassVar[tuple[str, ...]] = ()
    """Names of the settings that hold its keys; without them it is absent by choice."""
    timeout_s: float | None = None
    """Seconds one search may take where that is not WEB_SEARCH_TIMEOUT."""

    @abstractmethod
    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Ask for *request* and return its results, best first, at most ``request.limit``.

        An empty tuple means the service answered readably and found none. Raises ProviderError for everything else; being
        cancelled closes the sockets.
        """

    def absent_because(self) -> str | None:
        """Return a Korean sentence why this provider is off by choice, or None when it can be asked."""
        return None

    def cannot_answer(self, request: SearchRequest) -> str | None:  # noqa: ARG002 - most providers take every request
        """Return a Korean sentence why this provider has nothing to say to *request*, or None when it can be asked."""
        return self.absent_because()

    def fault(self) -> str:
        """Return a Korean sentence about what this provider rests on and cannot be used; empty where nothing is known of one."""
        return ""

    def is_available(self) -> bool:
        """Return whether the provider is set up; does not ask it."""
        return self.absent_because() is None

    def cache_key(self) -> dict[str, Any]:
        """Return settings that change the answer (base address, region), for the cache; never a secret."""
        return {}

    async def aclose(self) -> None:
        """Close what the provider holds open."""
        return


class ConfiguredProvider(SearchProvider):
    """A provider that needs nothing but the settings."""

    def __init__(self, settings: Settings, *, now: Clock = utc_now) -> None:
        """Set up by *settings*; never touches the network. Raises SettingsError for one that cannot be used."""
        self._now = now
        self._timeout_s = settings.web_search_timeout
