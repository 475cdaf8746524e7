"""What providers over HTTP share: a base address, one client, and for most of them a key in a header."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any, ClassVar
from urllib.parse import urlsplit, urlunsplit

from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.providers.kit.contract import ConfiguredProvider
from search_core.providers.kit.http import HttpClient, user_agent
from search_core.runtime import Clock, utc_now
from search_core.settings import Settings

logger = logging.getLogger(__name__)

COUNTRIES = {"ko": "KR", "en": "US"}
"""The countries, ISO 3166-1 alpha-2, that searches in the languages of questions are for."""


class HttpProvider(ConfiguredProvider):
    """Asks the service at a base address through one HTTP client."""

    def __init__(
        self, settings: Settings, *, base_url: str, headers: Mapping[str, str], contact: str = "", now: Clock = utc_now
    ) -> None:
        """Take the address, the headers of every request and a contact for the service."""
        super().__init__(settings, now=now)
        self._base_url = base_url
        self._client = HttpClient(timeout_s=self._timeout_s, agent=user_agent(contact), headers=headers, now=now)

    def cache_key(self) -> dict[str, str]:
        """Return the address, without credentials it may hold."""
        return {"base_url": without_credentials(self._base_url)}

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


class KeyedHttpProvider(HttpProvider):
    """Asks a service that wants a key; the key travels in a header, never in an address."""

    without_key: ClassVar[str]
    """Korean sentence how to turn the provider on."""

    def __init__(self, settings: Settings, *, base_url: str, key_headers: Mapping[str, str], now: Clock = utc_now) -> None:
        """Take the address, and the headers that hold the key."""
        super().__init__(settings, base_url=base_url, headers={"Accept": "application/json", **key_headers}, now=now)
        self._is_set_up = all(settings.text_of(name) for name in self.keys)

    def absent_because(self) -> str | None:
        """Return how to turn the provider on while its key is missing."""
        return None if self._is_set_up else self.without_key


def without_credentials(address: str) -> str:
    """Return *address* without the name and password it may hold."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


async def ask_several(service: str, asked: Mapping[str, Coroutine[Any, Any, Sequence[SearchResult]]]) -> list[SearchResult]:
    """Return what all of *asked* bring, taken in turn; one that brings something is enough.

    Where nothing came, raises the first refusal; what is no refusal is always raised.
    """
    outcomes = await asyncio.gather(*asked.values(), return_exceptions=True)
    lists: list[Sequence[SearchResult]] = []
    refusals: list[ProviderError] = []
    for name, outcome in zip(asked, outcomes, strict=True):
        if isinstance(outcome, ProviderError):
            logger.warning("%s did not answer for %s: %s", service, name, outcome)
            refusals.append(outcome)
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            lists.append(outcome)
    found = interleave(lists)
    if not found and refusals:
        raise refusals[0]
    return found


def interleave(lists: Iterable[Sequence[SearchResult]]) -> list[SearchResult]:
    """Return the first of each of *lists*, then the second of each, and so on."""
    return [result for result in chain.from_iterable(zip_longest(*lists)) if result is not None]
