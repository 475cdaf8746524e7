"""Web pages fetched from untrusted hosts, only over connections to public addresses.

A name is resolved once, every address of the answer is checked, and one of these is dialled. The guard sits where sockets are
opened, so that redirects and second connections pass it as well and there is no moment between checking and connecting in
which a name could move. TLS still verifies the name. Every bound is ours: httpx2 bounds each read but neither the whole
request nor the size of an answer. There is no client around the transport, so nothing keeps cookies, follows redirects or
adds credentials.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import zlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import httpcore2
import httpx2

from search_core.errors import UNTRUSTED, PageFailure, PageReadError, is_untrusted
from search_core.language.challenge import is_challenge
from search_core.language.redaction import quiet_libraries
from search_core.package import VERSION
from search_core.reading.public_address import AddressRule
from search_core.runtime import run_in_thread

MAX_DIALLED = 4
"""Most addresses of one host name that are tried."""
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a host; raises OSError when it has none."""
MAX_REDIRECTS = 5
MAX_PAGE_BYTES = 4 << 20
"""Largest page, both as sent and decompressed."""
MAX_CHUNKS = 16_384
"""Most pieces of a page: as many as the largest page has in pieces of 256 bytes."""
_CHUNKS_AT_ONCE = 4
"""Pieces read in a row before other tasks on the event loop get a turn."""
CONNECT_S = 3.0
USER_AGENT = f"Maekrak/{VERSION} (reads pages for a person who asked; no crawler)"
TYPES: Final = frozenset({"text/html", "application/xhtml+xml", "text/plain"})
_REDIRECTS = (301, 302, 303, 307, 308)
_REFUSING = (401, 402, 403, 407, 429, 451)
_PACKINGS = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})

quiet_libraries()


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of *host* in the system resolver's order.

    Each look-up has a thread of its own: it cannot be cancelled, and a silent name server must not hold up other names.
    """
    return await asyncio.wrap_future(run_in_thread(lambda: _look_up(host, port), "maekrak-resolver"))


def _look_up(host: str, port: int) -> Sequence[str]:
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError:
        raise socket.gaierror(socket.EAI_NONAME, "no host name") from None
    return tuple(dict.fromkeys(str(row[4][0]) for row in rows))


class GuardedNetwork(httpcore2.AsyncNetworkBackend):
    """Opens connections for httpcore2, only to addresses that pages may be read from."""

    def __init__(self, rule: AddressRule, resolver: Resolver = resolve) -> None:
        self._rule = rule
        self._resolver = resolver
        self._dialler = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - so httpcore2 calls it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Return a connection to an address of *host*; *timeout* limits the lookup and each attempt, in seconds.

        Raises PageReadError (REFUSED_ADDRESS) for a host that may not be read, and httpcore2's ConnectError and ConnectTimeout.
        """
        self._rule.check_place(host, port)
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._resolver(host, port)
        except TimeoutError:
            raise httpcore2.ConnectTimeout("the name was not resolved in time") from None
        except OSError as error:
            raise httpcore2.ConnectError("the name was not resolved") from error
        self._rule.check_answer(host, port, addresses)
        last: Exception = httpcore2.ConnectError("the name has no address")
        for address in addresses[:MAX_DIALLED]:
            try:
                return await self._dialler.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                last = error
        raise last


def guarded_transport(network: GuardedNetwork, authorities: ssl.SSLContext) -> httpx2.AsyncHTTPTransport:
    """Return httpx2's transport over *network*, which ignores proxies in the environment; *authorities* verify servers."""
    transport = httpx2.AsyncHTTPTransport(verify=authorities, trust_env=False)
    # httpx2 2.16 has no argument for the network; the pool it has made holds no connection yet.
    transport._pool = httpcore2.AsyncConnectionPool(
        ssl_context=authorities, max_connections=1, max_keepalive_connections=0, http2=False, network_backend=network
    )
    return transport


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """A page as received."""

    url: str
    """Its final address, after redirects."""
    content_type: str
    """The Content-Type header with its character set; empty if there is none."""
    body: bytes
    """The content, decompressed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFetcher:
    """Fetches pages from public addresses; safe to use for many pages at the same time."""

    timeout_s: float
    """Most seconds for one page with its redirects (WEB_SCRAPER_TIMEOUT)."""
    rule: AddressRule = field(default_factory=AddressRule)
    resolver: Resolver = resolve
    authorities: ssl.SSLContext | None = field(default=None, repr=False)
    """Certificate authorities that verify servers; None for those that this machine trusts."""

    async def fetch(self, url: str) -> FetchedPage:
        """Return the page at *url*; cancelling closes its connection. Raises PageReadError with its ``kind``."""
        network = GuardedNetwork(self.rule, self.resolver)
        host = "The page"
        try:
            async with (
                asyncio.timeout(self.timeout_s),
                guarded_transport(network, self.authorities or _authorities()) as transport,
            ):
                for _ in range(MAX_REDIRECTS + 1):
                    place = self.rule.check_url(url)
                    host = place.host
                    answer = await self._ask(transport, place)
                    if isinstance(answer, FetchedPage):
                        return answer
                    url = answer
        except httpx2.ConnectTimeout:
            raise PageReadError(PageFailure.NETWORK, f"{host} could not be connected to within {CONNECT_S:g} s.") from None
        except (TimeoutError, httpx2.TimeoutException):
            raise PageReadError(PageFailure.TIMEOUT, f"{host} did not answer in time.") from None
        except httpx2.InvalidURL:
            raise PageReadError(PageFailure.REFUSED_ADDRESS, f"{host} redirects to something that is no address.") from None
        except (httpx2.HTTPError, ssl.SSLError) as error:
            if is_untrusted(error):
                message = f"The certificate of {host} is not trusted."
                raise PageReadError(PageFailure.NETWORK, message, korean=f"페이지를 읽지 못했어요. {UNTRUSTED}") from None
            raise PageReadError(PageFailure.NETWORK, f"{host} could not be read from ({type(error).__name__}).") from None
        raise PageReadError(PageFailure.UNREADABLE, f"{host} redirects more than {MAX_REDIRECTS} times.")

    async def _ask(self, transport: httpx2.AsyncHTTPTransport, place: httpx2.URL) -> FetchedPage | str:
        """Return the page at *place*, or the address it redirects to."""
        request = httpx2.Request(
            "GET",
            place.copy_with(fragment=None),
            headers={
                "User-Agent": USER_AGENT,
                "Accept": "text/html,application/xhtml+xml,text/plain;q=0.8",
                "Accept-Language": "ko,en;q=0.8",
                "Accept-Encoding": "gzip",
                "Connection": "close",
            },
            extensions={"timeout": httpx2.Timeout(self.timeout_s, connect=CONNECT_S).as_dict()},
        )
        response = await transport.handle_async_request(request)
        try:
            if response.status_code in _REDIRECTS and "location" in response.headers:
                return str(place.join(response.headers["location"]))
            if response.status_code == 200:
                media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
                if media_type and media_type not in TYPES:
                    raise PageReadError(PageFailure.WRONG_TYPE, f"{place.host} sent something that is no page of text.")
            body = await _body(response, place.host)
        finally:
            await response.aclose()
        if response.status_code != 200:
            raise _refusal(response.status_code, body, place.host)
        return FetchedPage(url=str(place), content_type=response.headers.get("content-type", ""), body=body)


async def _body(response: httpx2.Response, host: str) -> bytes:
    """Return the whole body, decompressed once; raises PageReadError above the size limit."""
    packing = response.headers.get("content-encoding", "").strip().lower()
    if packing not in _PACKINGS:
        raise PageReadError(PageFailure.UNREADABLE, f"{host} packed its page in a way that was not asked for.")
    unpack = None if packing in ("", "identity") else zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # 32: finds out which it is
    body, sent, chunks = bytearray(), 0, 0
    async for chunk in response.aiter_raw():
        sent += len(chunk)
        chunks += 1
        if chunks > MAX_CHUNKS:
            raise PageReadError(PageFailure.TOO_LARGE, f"The page of {host} comes in more than {MAX_CHUNKS} pieces.")
        if chunks % _CHUNKS_AT_ONCE == 0:
            await asyncio.sleep(0)
        if unpack is not None:
            try:
                chunk = unpack.decompress(chunk, MAX_PAGE_BYTES + 1 - len(body))
            except zlib.error:
                raise PageReadError(PageFailure.UNREADABLE, f"{host} sent a broken packed page.") from None
        body += chunk
        if max(sent, len(body)) > MAX_PAGE_BYTES:
            raise PageReadError(PageFailure.TOO_LARGE, f"The page of {host} is larger than {MAX_PAGE_BYTES >> 20} MiB.")
    return bytes(body)


def _refusal(status: int, body: bytes, host: str) -> PageReadError:
    if status in _REFUSING or is_challenge(body[: 64 << 10].decode("utf-8", "replace")):
        return PageReadError(PageFailure.BLOCKED, f"{host} refuses automated readers (HTTP {status}).")
    kind = PageFailure.OUT_OF_ORDER if status >= 500 else PageFailure.UNREADABLE
    return PageReadError(kind, f"{host} answered with HTTP {status}.")


@lru_cache(maxsize=1)
def _authorities() -> ssl.SSLContext:
    """Return the trusted authorities, loaded once: loading takes some 20 ms."""
    return httpx2.create_ssl_context()
