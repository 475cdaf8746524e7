"""What every search provider promises, and how it says that it could not ask or could not read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, ClassVar, Protocol, Self

from search_core.domain.query import QueryVariant
from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import UNTRUSTED, ProviderError, is_untrusted
from search_core.runtime import Clock, utc_now
from search_core.settings import Settings

MAX_RETRY_AFTER_S = 3600.0
"""Longest pause taken from a header, so that one odd value does not switch a service off for days."""


def unreachable(host: str, error: Exception) -> ProviderError:
    """Return the error of a failed connection to *host*: it is out of reach, or its certificate is not trusted."""
    if is_untrusted(error):
        message = f"The certificate of {host} is not trusted."
        return ProviderError(SearchStatus.NETWORK_ERROR, message, advice=UNTRUSTED)
    return ProviderError(SearchStatus.NETWORK_ERROR, f"{host} could not be reached.")


def unreadable(message: str) -> ProviderError:
    """Return the error for an answer that came but could not be read."""
    return ProviderError(SearchStatus.INVALID_RESPONSE, message)


def retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header, in [0, ``MAX_RETRY_AFTER_S``]; None without a readable one.

    RFC 9110 §10.2.3: seconds or an HTTP date; a date in the past asks for no pause.
    """
    if not value:
        return None
    value = value.strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            when = parsedate_to_datetime(value)
        except ValueError:
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return min(max((when - now).total_seconds(), 0.0), MAX_RETRY_AFTER_S)
    return min(seconds, MAX_RETRY_AFTER_S) if seconds >= 0 else None  # not-a-number compares false, too


MONTH = timedelta(days=31)
SAFE_SEARCH = "moderate"
"""How strictly services leave out content for adults, where they can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A request to one provider."""

    query: str
    translated: str | None = None
    """The query in the other script, for providers with texts in that language; others ignore it."""
    question: str = ""
    """The question as a sentence, for comparing meanings; empty if there is only a query."""
    broader: tuple[str, ...] = ()
    """Broader queries, narrow to broad; a service that matches every word tries them itself if ``query`` finds nothing."""
    also: tuple[QueryVariant, ...] = ()
    """Other wordings of the query; a provider gets each as a request of its own, where it is ``free_to_ask_twice``."""
    limit: int = 10
    language: str = "ko"
    """ISO 639-1 code of the language results are wanted in: ``ko`` or ``en``."""
    fresh: bool = False
    """Ask only for results of the last month."""
    news: bool = False
    """Ask for news, if a service has a separate news search."""
    exclude_domains: tuple[str, ...] = ()
    """Results in and below these domains are removed from answers; services are not told."""
    samples: bool = True
    """Whether documents that ship with the app may answer; for the library."""

    def in_other_words(self, variant: QueryVariant) -> Self:
        """Return the request with *variant* as its query, to be asked once, unchanged."""
        return replace(self, query=variant.text, translated=variant.translated, question=variant.text, broader=(), also=())


class DocumentIndex(Protocol):
    """Finds the user's documents, for the library provider."""

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        """Return the best *limit* documents for *query*; *samples* False leaves out shipped ones."""
        ...

    def search_by_meaning(
        self, question: str, limit: int, *, samples: bool = True
    ) -> tuple[list[SearchResult], list[SearchResult]]:
        """Return the *limit* documents nearest in meaning to *question*: those in its language, and those in others.

        Both are empty if no model can compare meanings.
        """
        ...

    def count(self, *, samples: bool = True) -> int:
        """Return the number of documents, with or without shipped ones."""
        ...


class SearchProvider(ABC):
    """The contract of every search service in ``providers/``.

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
    """False if answers are never stored, because asking costs nothing and the documents may change at any moment."""
    web: ClassVar[bool] = True
    """False for the user's own documents, which do not replace a web that could not be asked."""
    paid: ClassVar[bool] = False
    """True for a service that charges for searches, if only for those beyond a free allowance."""
    free_to_ask_twice: ClassVar[bool] = False
    """True for a free service that does not block a client for sending several wordings at once."""
    keys: ClassVar[tuple[str, ...]] = ()
    """Names of the settings with its keys; if they are empty, the service counts as switched off, not as failing."""
    timeout_s: float | None = None
    """Seconds that one search may take; None for WEB_SEARCH_TIMEOUT."""

    @abstractmethod
    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Ask for *request* and return its results, best first, at most ``request.limit``.

        An empty tuple means the service answered readably and found none. Raises ProviderError for everything else; being
        cancelled closes the sockets.
        """

    def absent_because(self) -> str | None:
        """Return a Korean sentence on why this provider is switched off, or None."""
        return None

    def cannot_answer(self, request: SearchRequest) -> str | None:  # noqa: ARG002 - most providers take every request
        """Return a Korean sentence on why this provider cannot answer *request*, such as an empty library; None if it can."""
        return self.absent_because()

    def fault(self) -> str:
        """Return a Korean sentence about a broken dependency of this provider; empty without one."""
        return ""

    def is_available(self) -> bool:
        """Return whether the provider is configured; sends no request."""
        return self.absent_because() is None

    def cache_key(self) -> dict[str, Any]:
        """Return the settings that affect the answer (base address, region), for the cache; never a secret."""
        return {}

    async def aclose(self) -> None:
        """Close connections and files."""
        return


class ConfiguredProvider(SearchProvider):
    """A provider that needs nothing but the settings."""

    def __init__(self, settings: Settings, *, now: Clock = utc_now) -> None:
        """Set up by *settings*; never touches the network. Raises SettingsError for one that cannot be used."""
        self._now = now
        self._timeout_s = settings.web_search_timeout
