"""Refuses requests for foreign host names, as a protection against DNS rebinding.

In such an attack the name of a hostile web page first leads to its own server, then to 127.0.0.1, so that a visitor's browser
lets the page read this server's answers. Its requests have that foreign name in their Host header, by which they are refused.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import logging
import platform
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from search_core.api.problems import ApiError

CALLER = "maekrak.caller"
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers of proxies, which call on behalf of another client."""
_ONE_NETWORK = 64
"""Bits of an IPv6 address that identify a customer's network; customers can change the other bits at will."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller of the API."""

    owner: str
    """The name of their token; empty for callers on this machine, as on pages without a login."""
    key: str
    """Key by which their requests are counted."""


def caller_of(scope: Scope) -> Caller:
    """Return the caller of a request, as the guard determined it."""
    caller: Caller = scope[CALLER]
    return caller


def is_bearer(header: str, expected: bytes) -> bool:
    """Return whether an Authorization header has the token whose digest is *expected*.

    The comparison takes the same time for every token, right or wrong, so it reveals nothing.
    """
    scheme, _, token = header.partition(" ")
    right = hmac.compare_digest(hashlib.sha256(token.strip().encode("latin-1", "replace")).digest(), expected)
    return right and scheme.lower() == "bearer"


def digest(token: str) -> bytes:
    """Return a token's digest, for comparison."""
    return hashlib.sha256(token.encode()).digest()


def address_key(scope: Scope) -> str:
    """Return the caller's address, IPv6 as its network; empty if unknown."""
    address = _client(scope)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, _ONE_NETWORK), strict=False))
    return str(address or "")


def is_on_this_machine(scope: Scope) -> bool:
    """Return whether a request comes from this machine, to a name of this machine, without a proxy."""
    address = _client(scope)
    headers = Headers(scope=scope)
    if address is None or not address.is_loopback or any(name in headers for name in _FORWARDED):
        return False
    hosts = headers.getlist("host")
    if len(hosts) != 1:
        return False
    name = host_name(hosts[0])
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def host_name(host: str) -> str:
    """Return the name in a Host header in lower case without a final dot; empty if invalid."""
    try:
        parts = urlsplit(f"//{host}")
        if parts.netloc != host or "@" in host or (parts.port is not None and not parts.port):
            return ""
        return (parts.hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_same_origin(scope: Scope) -> bool:
    """Return whether a request's Origin is its own host; True for requests without Origin, which no page of another site sent."""
    headers = Headers(scope=scope)
    origins, hosts = headers.getlist("origin"), headers.getlist("host")
    if not origins:
        return True
    if len(origins) != 1 or len(hosts) != 1:
        return False
    try:
        origin = urlsplit(origins[0])
        host = urlsplit(f"{origin.scheme}://{hosts[0]}")
        default = {"http": 80, "https": 443}[origin.scheme]
        same_port = (origin.port or default) == (host.port or default)
    except (ValueError, KeyError):
        return False
    return same_port and bool(origin.hostname) and origin.hostname == host.hostname


def _client(scope: Scope) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address((scope.get("client") or ("",))[0].partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


logger = logging.getLogger(__name__)

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that pages of other sites may use, as they change nothing and such a page cannot read the answer."""
_FOR_PROGRAMS = "/api/"


class AllowedHosts:
    """Passes on requests to *app* for its own host names, and refuses the others; pure ASGI.

    This machine's names and literal addresses always pass: no DNS can point them elsewhere. *listed* returns the names of
    ALLOWED_HOSTS and is called at the first request for another name; ``*.example.com`` stands for all names below, ``*`` for
    any. Requests that change something, and websockets, must come from a page of the same host.
    """

    def __init__(self, app: ASGIApp, listed: Callable[[], tuple[str, ...]]) -> None:
        self._app = app
        self._ask_listed = listed
        self._refused: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with a reason."""
        problem = self._problem(scope) if scope["type"] in ("http", "websocket") else None
        if problem is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008, str(problem)[:120])(scope, receive, send)  # 1008: policy violation
        else:
            await _response(scope, problem)(scope, receive, send)

    def _problem(self, scope: Scope) -> ApiError | None:
        names = [host_name(value) for value in Headers(scope=scope).getlist("host")]
        name = names[0] if len(names) == 1 else ""
        if not name:
            return ApiError(
                400, "no_host", "A request needs one Host header that names a host.", "요청에 서버 이름(Host)이 하나 있어야 해요."
            )
        if not (_is_this_machine(name) or any(_matches(name, pattern) for pattern in self._listed)):
            self._note(name)
            return ApiError(
                403,
                "unknown_host",
                f"This server does not go by the name {name[:100]!a}. If it should, add the name to ALLOWED_HOSTS and start it "
                "again.",
                f"이 서버는 '{name[:100]}' 이름으로 열 수 없어요. 이 이름으로 쓰려면 ALLOWED_HOSTS 설정에 넣고 다시 시작해 "
                "주세요.",
            )
        if not _comes_from_own_page(scope):
            return ApiError(
                403,
                "foreign_origin",
                "Pages of other sites may not do this. A proxy in front of the server must pass the Host header on unchanged.",
                "다른 사이트의 페이지에서는 쓸 수 없어요. 앞에 프록시가 있다면 Host 머리글을 바꾸지 않고 넘겨야 해요.",
            )
        return None

    @cached_property
    def _listed(self) -> tuple[str, ...]:
        return self._ask_listed()

    def _note(self, name: str) -> None:
        if name not in self._refused and len(self._refused) < 100:
            self._refused.add(name)
            logger.warning("Refused a request for the host %r; if the server bears this name, add it to ALLOWED_HOSTS.", name)


def _response(scope: Scope, problem: ApiError) -> Response:
    if f"{scope['path']}/".startswith(_FOR_PROGRAMS):
        return problem.response()
    return PlainTextResponse(f"{problem.korean}\n\n{problem}\n", problem.status, headers={"Cache-Control": "no-store"})


def _comes_from_own_page(scope: Scope) -> bool:
    if scope["type"] == "websocket":
        return "origin" in Headers(scope=scope) and is_same_origin(scope)  # browsers always send one with a websocket
    if scope["method"] in _READING or f"{scope['path']}/".startswith(_FOR_PROGRAMS):
        return True  # their own guard checks the origin of every request
    return is_same_origin(scope)


def _is_this_machine(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    own = platform.node().lower()
    if own and name in (own, f"{own}.local"):
        return True
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def _matches(name: str, pattern: str) -> bool:
    if pattern.startswith("*."):
        return name.endswith(pattern[1:])
    return bool(name) and pattern in ("*", name)
