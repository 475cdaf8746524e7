"""Requests to configured endpoints, with every way to fail mapped in one module, and what providers over HTTP share.

httpx bounds each read but neither the whole request nor the size of an answer, and unpacks nested compression without limit, so
time, wire bytes and unpacked bytes are bounded here. httpx also writes addresses with their queries into its log and its error
texts, so its log is quieted and no error text of ours is made from its own.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import ssl
import zlib
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlsplit, urlunsplit
from weakref import WeakKeyDictionary

import httpx

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.language.challenge import is_challenge
from search_core.language.redaction import quiet_libraries
from search_core.package import VERSION
from search_core.providers.kit.contract import ConfiguredProvider, retry_after, unreachable, unreadable
from search_core.providers.kit.payload import date, hit, keep_readable, rank_hits
from search_core.runtime import Clock, utc_now
from search_core.settings import Settings

MAX_RETRY_PAUSE_S = 2.0
"""Longest Retry-After that is waited for; after a longer one the request fails and the service cools down."""
MIN_RETRY_S = 0.2
"""A refused request is not tried again with less time left, as a timeout would replace the reason of the refusal."""
MAX_ANSWER_BYTES = 2 * 1024 * 1024
"""Largest answer, both compressed and unpacked; a page of fifty results has well under 200 kB."""
_PACKINGS = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})


quiet_libraries()


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpAnswer:
    """A completely read answer."""

    host: str
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes

    def text(self) -> str:
        """Return the body as text; bytes that are no UTF-8 become replacement characters."""
        return self.body.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """Return the body as JSON; raises ProviderError for anything else (BLOCKED for a CAPTCHA page)."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            if is_challenge(self.text()):
                raise ProviderError(SearchStatus.BLOCKED, f"{self.host} wants proof that a human is asking.") from None
            raise unreadable(f"{self.host} answered with something that is no JSON.") from None


Classifier = Callable[[HttpAnswer, datetime], ProviderError | None]
"""Returns the error that an answer reports by its status, headers or body; None for a good answer."""


def refusal(answer: HttpAnswer, now: datetime) -> ProviderError | None:
    """Return the general error for *answer*'s HTTP status, as 429 means a rate limit; None for 200."""
    status, host = answer.status, answer.host
    pause_s = retry_after(answer.headers.get("retry-after"), now)
    if status == 200:
        return None
    if status in (401, 403):
        return ProviderError(SearchStatus.BLOCKED, f"{host} refused the request (HTTP {status}).", retry_after_s=pause_s)
    if status == 429:
        return ProviderError(
            SearchStatus.RATE_LIMITED, f"{host} says there were too many requests (HTTP 429).", retry_after_s=pause_s
        )
    if status >= 500:
        return ProviderError(
            SearchStatus.NETWORK_ERROR,
            f"{host} is out of order (HTTP {status}).",
            retry_after_s=pause_s,
            out_of_order=True,
        )
    return unreadable(f"{host} answered with HTTP {status}.")


class Refusal(NamedTuple):
    """One way in which a service refuses a request: its HTTP status is one of *codes*, and its body matches *says*, if given."""

    codes: tuple[int, ...]
    status: SearchStatus
    meaning: str
    """What the refusal means, for logs, after the host's name: "does not accept the key"."""
    advice: str = ""
    """What the user can do, in Korean; empty if the general advice for the status is enough."""
    says: re.Pattern[str] | None = None
    """An expression that must match in the body; None for any body."""


def user_agent(contact: str) -> str:
    """Return our User-Agent; Wikimedia's policy wants a contact in it (read 2026-11)."""
    return f"Maekrak/{VERSION} ({contact or 'contact not configured'}) httpx/{httpx.__version__}"


class HttpClient:
    """Sends requests for one provider; one connection pool for each event loop, opened at the first request."""

    def __init__(
        self,
        *,
        timeout_s: float,
        agent: str,
        headers: Mapping[str, str] | None = None,
        classify: Classifier = refusal,
        now: Clock = utc_now,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        _authorities()  # now, not in the middle of the first search
        self._classify = classify
        self._transport = transport
        self._timeout_s = timeout_s
        self._headers = {"User-Agent": agent, "Accept-Encoding": "gzip, deflate", **(headers or {})}
        self._now = now
        self._pools: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()

    async def get(self, url: str, *, params: Mapping[str, str] | None = None) -> HttpAnswer:
        """Return the answer of *url* if nothing is wrong with it.

        A rate limit with a short pause is waited for once, if time allows. Raises ProviderError for every other failure.
        """
        return await self._send("GET", url, {"params": params} if params else {}, self._classify)

    async def post(self, url: str, *, json: Mapping[str, object], classify: Classifier | None = None) -> HttpAnswer:
        """Return the answer of *url* to *json*, as for ``get``; only for requests without side effects."""
        return await self._send("POST", url, {"json": json}, classify or self._classify)

    async def _send(self, method: str, url: str, content: Mapping[str, object], classify: Classifier) -> HttpAnswer:
        clock = asyncio.get_running_loop().time
        ends_s, asked_again = clock() + self._timeout_s, False
        try:
            async with asyncio.timeout_at(ends_s):
                while True:
                    answer = await self._exchange(method, url, content)
                    error = classify(answer, self._now())
                    if error is None:
                        return answer
                    pause_s, longest_s = error.retry_after_s, min(MAX_RETRY_PAUSE_S, ends_s - clock() - MIN_RETRY_S)
                    if asked_again or error.status is not SearchStatus.RATE_LIMITED or pause_s is None or pause_s > longest_s:
                        raise error
                    asked_again = True
                    await asyncio.sleep(pause_s)
        except TimeoutError:
            raise ProviderError(SearchStatus.TIMEOUT, f"{_host(url)} did not answer within {self._timeout_s:g} s.") from None

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            await pool.aclose()

    async def _exchange(self, method: str, url: str, content: Mapping[str, Any]) -> HttpAnswer:
        host = _host(url)
        try:
            async with self._pool().stream(method, url, **content) as response:
                body = await self._read(response, host)
            return HttpAnswer(host=host, status=response.status_code, headers=dict(response.headers), body=body)
        except httpx.TimeoutException:
            raise ProviderError(SearchStatus.TIMEOUT, f"{host} did not answer within {self._timeout_s:g} s.") from None
        except httpx.ConnectError as error:
            raise unreachable(host, error) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError):
            raise ProviderError(SearchStatus.NETWORK_ERROR, "The configured address is no web address.") from None
        except httpx.HTTPError as error:
            raise ProviderError(SearchStatus.NETWORK_ERROR, f"The connection to {host} broke ({type(error).__name__}).") from None

    async def _read(self, response: httpx.Response, host: str) -> bytes:
        """Return the body, unpacked (gzip, deflate) only up to the size limit."""
        packing = response.headers.get("content-encoding", "").strip().lower()
        if packing not in _PACKINGS:
            raise unreadable(f"{host} packed its answer in a way that was not asked for.")
        # 32: finds out by itself which of the two it is
        unpack = None if packing in ("", "identity") else zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
        body, sent = bytearray(), 0
        async for chunk in response.aiter_raw():
            sent += len(chunk)
            if unpack is not None:
                try:
                    chunk = unpack.decompress(chunk, MAX_ANSWER_BYTES + 1)
                except zlib.error:
                    raise unreadable(f"{host} sent a broken compressed answer.") from None
            body += chunk
            if max(sent, len(body)) > MAX_ANSWER_BYTES:
                raise unreadable(f"The answer of {host} is larger than {MAX_ANSWER_BYTES} bytes.")
        return bytes(body)

    def _pool(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None:
            pool = httpx.AsyncClient(
                headers=self._headers,
                timeout=self._timeout_s,
                follow_redirects=False,
                verify=_authorities(),
                transport=self._transport,
            )
            self._pools[loop] = pool
        return pool


@lru_cache(maxsize=1)
def _authorities() -> ssl.SSLContext:
    """Return the trusted authorities, loaded once: loading takes some 20 ms."""
    return httpx.create_ssl_context()


def _host(url: str) -> str:
    """Return the host of *url*, the only part of an address allowed in errors."""
    try:
        return urlsplit(url).hostname or "The service"
    except ValueError:
        return "The service"


logger = logging.getLogger(__name__)

COUNTRIES = {"ko": "KR", "en": "US"}
"""Countries to search for (ISO 3166-1 alpha-2), by the language of the question."""


class HttpProvider(ConfiguredProvider):
    """Asks a service at a base address; its keys are sent in headers, never in an address."""

    address: ClassVar[str]
    """Name of the setting that holds the base address."""
    headers: ClassVar[Mapping[str, str]] = {"Accept": "application/json"}
    """Headers of every request; ``{NAME}`` stands for the key in the setting NAME."""
    names_contact: ClassVar[bool] = False
    """Whether the service is told WIKIPEDIA_CONTACT."""
    not_set_up: ClassVar[str] = ""
    """Korean sentence how to switch the provider on while an address or a key is missing."""
    refusals: ClassVar[tuple[Refusal, ...]] = ()
    """How the service refuses requests; the first one that fits an answer counts. If none does, ``refusal`` reads the status."""
    url_field: ClassVar[str] = "url"
    snippet_field: ClassVar[str] = "content"
    date_field: ClassVar[str] = ""
    """``url_field``, ``snippet_field`` and ``date_field`` name the fields of an entry with its address, text and date."""

    def __init__(self, settings: Settings, *, now: Clock = utc_now) -> None:
        super().__init__(settings, now=now)
        keys = {name: settings.text_of(name) for name in self.keys}
        self._base_url: str = getattr(settings, self.address)
        self._is_set_up = all((self._base_url, *keys.values()))
        self._client = HttpClient(
            timeout_s=self._timeout_s,
            agent=user_agent(settings.wikipedia_contact if self.names_contact else ""),
            headers={name: form.format_map(keys) for name, form in self.headers.items()},
            classify=self._classify,
            now=now,
        )

    def absent_because(self) -> str | None:
        """Return how to switch the provider on while an address or a key is missing."""
        return None if self._is_set_up else self.not_set_up

    def cache_key(self) -> dict[str, str]:
        """Return the address without credentials."""
        return {"base_url": without_credentials(self._base_url)}

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def _classify(self, answer: HttpAnswer, now: datetime) -> ProviderError | None:
        """Return the error that *answer* reports, without any of its text; None for a good answer."""
        if answer.status == 200:
            return None
        status, text = answer.status, answer.text()
        fitting = (each for each in self.refusals if status in each.codes and (each.says is None or each.says.search(text)))
        found = None if status == 403 and is_challenge(text) else next(fitting, None)
        if found is None:
            return refusal(answer, now)
        message, pause_s = f"{answer.host} {found.meaning} (HTTP {status}).", retry_after(answer.headers.get("retry-after"), now)
        return ProviderError(found.status, message, retry_after_s=pause_s, advice=found.advice)

    def _ranked(self, entries: Sequence[dict[str, Any]], limit: int) -> tuple[SearchResult, ...]:
        """Return the first *limit* readable entries of an answer as results; raises ProviderError if there are only others."""
        return rank_hits(keep_readable([self._result(entry) for entry in entries]), self.name, limit)

    def _result(self, entry: dict[str, Any]) -> SearchResult | None:
        return hit(
            title=entry.get("title"),
            url=entry.get(self.url_field),
            snippet=entry.get(self.snippet_field),
            published=date(entry.get(self.date_field), self._now()),
        )


def without_credentials(address: str) -> str:
    """Return *address* without user name and password."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


async def ask_several(service: str, requests: Mapping[str, Coroutine[Any, Any, Sequence[SearchResult]]]) -> list[SearchResult]:
    """Return the results of all of *requests*, interleaved; one successful request is enough.

    If none succeeded, raises the first refusal; other errors are always raised.
    """
    outcomes = await asyncio.gather(*requests.values(), return_exceptions=True)
    lists: list[Sequence[SearchResult]] = []
    refusals: list[ProviderError] = []
    for name, outcome in zip(requests, outcomes, strict=True):
        if isinstance(outcome, ProviderError):
            logger.warning("%s did not answer for %s: %s", service, name, outcome)
            refusals.append(outcome)
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            lists.append(outcome)
    results = interleave(lists)
    if not results and refusals:
        raise refusals[0]
    return results


def interleave(lists: Iterable[Sequence[SearchResult]]) -> list[SearchResult]:
    """Return the first of each of *lists*, then the second of each, and so on."""
    return [result for result in chain.from_iterable(zip_longest(*lists)) if result is not None]
