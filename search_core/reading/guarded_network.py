"""Connections to public addresses alone.

A name is resolved once, every address of the answer is checked, and one of these is dialled. The guard
sits where sockets are opened, so that redirects and second connections pass it as well and there is no moment between checking
and connecting in which a name could move. TLS still verifies the name.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import httpcore2
import httpx2

from search_core.reading.public_address import AddressRule
from search_core.runtime import call_on

MAX_DIALLED = 4
"""Addresses of one name that are tried."""

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a host; raises OSError when it has none."""


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of *host* in the order of the system's resolver.

    Each look-up has a thread of its own: it cannot be called off, and a name server that is silent must not hold up other names.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[str]] = loop.create_future()

    def settle(found: Sequence[str], error: OSError | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(found)
        else:
            answer.set_exception(error)

    def ask() -> None:
        found: Sequence[str] = ()
        error: OSError | None = None
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found = tuple(dict.fromkeys(str(row[4][0]) for row in rows))
        except OSError as failure:
            error = failure
        except UnicodeError:
            error = socket.gaierror(socket.EAI_NONAME, "no host name")
        call_on(loop, settle, found, error)

    threading.Thread(target=ask, name="maekrak-resolver", daemon=True).start()
    return await answer


class GuardedNetwork(httpcore2.AsyncNetworkBackend):
    """Opens connections for httpcore2 to places that pages may be read from, and to no other, no socket files among them."""

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
        """Return a connection to an address of *host*; *timeout*, in seconds, bounds looking up and each dialling.

        Raises PageReadError (REFUSED_ADDRESS) as the rule says, and httpcore2's ConnectError and ConnectTimeout as its own
        network does.
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


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """Httpx2's transport over a ``GuardedNetwork``; the environment names no proxy for it."""

    def __init__(self, network: GuardedNetwork, authorities: Any) -> None:
        """Take the network and the SSL context that verifies servers."""
        super().__init__(verify=authorities, trust_env=False)
        # httpx2 2.16 has no argument for the network; the pool it has made holds no connection yet.
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=authorities, max_connections=1, max_keepalive_connections=0, http2=False, network_backend=network
        )
