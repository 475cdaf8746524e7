"""What providers over HTTP share: a base address, one client, and for most of them a key in a header."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime
from typing import ClassVar

from pydantic import SecretStr

from search_core.provider_kit.address import without_credentials
from search_core.provider_kit.contract import ConfiguredProvider
from search_core.provider_kit.http import HttpClient, user_agent


class HttpProvider(ConfiguredProvider):
    """Asks the service at a base address through one HTTP client."""

    def __init__(self, *, base_url: str, client: HttpClient, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._base_url = base_url
        self._client = client
        self._now = now

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

    def __init__(
        self, *, key: SecretStr, base_url: str, timeout_s: float, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        secret = key.get_secret_value().strip()
        self._is_set_up = bool(secret)
        headers = {"Accept": "application/json", **self._key_headers(secret)}
        client = HttpClient(timeout_s=timeout_s, agent=user_agent(""), headers=headers, now=now)
        super().__init__(base_url=base_url, client=client, now=now)

    @abstractmethod
    def _key_headers(self, key: str) -> dict[str, str]:
        """Return the headers that tell the service *key*."""

    def absent_because(self) -> str | None:
        """Return how to turn the provider on while its key is missing."""
        return None if self._is_set_up else self.without_key
