"""What providers over HTTP share: a base address, one client, and for most of them a key in a header."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar
from urllib.parse import urlsplit, urlunsplit

from search_core.provider_kit.contract import ConfiguredProvider
from search_core.provider_kit.http import HttpClient, user_agent
from search_core.runtime import Clock, utc_now
from search_core.settings import Settings


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
