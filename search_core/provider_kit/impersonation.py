"""Requests that look like a browser's, for result pages that turn other clients away.

The transport is primp, the one the ddgs package itself uses. It runs on threads of its own, yet cancelling the waiting task
closes the socket (tried with primp 2.0.1, 2026-11). Its error texts hold whole addresses, so none of ours is made from them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import urlsplit

import primp

from search_core.domain import SearchStatus
from search_core.errors import SettingsError
from search_core.provider_kit.failures import failure, unreadable
from search_core.provider_kit.http import MAX_ANSWER_BYTES, HttpAnswer
from search_core.redaction import quiet_libraries

quiet_libraries()


class ImpersonatingClient:
    """Sends requests with the TLS and header habits of a random current browser; redirects are not followed."""

    def __init__(self, *, timeout_s: float, proxy: str = "", ca_file: str = "", max_bytes: int = MAX_ANSWER_BYTES) -> None:
        self._timeout_s = timeout_s
        self._max_bytes = max_bytes
        try:
            self._client = primp.AsyncClient(
                proxy=proxy or None,
                ca_cert_file=ca_file or None,
                timeout=timeout_s,
                impersonate="random",
                impersonate_os="random",
                follow_redirects=False,
                cookie_store=False,
            )
        except primp.BuilderError:
            raise SettingsError(
                "DDGS_PROXY is no proxy address, or DDGS_CA_FILE cannot be read.",
                korean="DDGS_PROXY 주소나 DDGS_CA_FILE 파일을 쓸 수 없어요. 값을 확인해 주세요.",
            ) from None

    async def post(self, url: str, data: Mapping[str, str], headers: Mapping[str, str]) -> HttpAnswer:
        """Return the answer to a form, whatever its status; raises ProviderError when there is none or it is too large."""
        host = urlsplit(url).hostname or ""
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await self._client.request("POST", url, data=dict(data), headers=dict(headers), stream=True)
                try:
                    body = await self._read(response, host)
                finally:
                    await response.aclose()
                names = {str(name).lower(): str(value) for name, value in response.headers.items()}
                return HttpAnswer(host=host, status=response.status_code, headers=names, body=body)
        except (TimeoutError, primp.TimeoutError):
            raise failure(SearchStatus.TIMEOUT, f"{host} did not answer within {self._timeout_s:g} s.") from None
        except (primp.ConnectError, primp.DNSError):
            raise failure(SearchStatus.NETWORK_ERROR, f"{host} could not be reached.") from None
        except primp.PrimpError as error:
            raise failure(SearchStatus.NETWORK_ERROR, f"The connection to {host} broke ({type(error).__name__}).") from None

    async def _read(self, response: primp.AsyncResponse, host: str) -> bytes:
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > self._max_bytes:
                raise unreadable(f"The answer of {host} is larger than {self._max_bytes} bytes.")
        return bytes(body)
