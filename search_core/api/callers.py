"""Callers of the API: the owner of a token, or this machine where no tokens are set."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

_CALLER = "maekrak.caller"
"""Key of the caller in the scope of a request."""
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers of proxies, which call on behalf of another client."""
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ONE_NETWORK = 64
"""Bits of an IPv6 address that one customer has; the others are theirs to change."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller of the API."""

    owner: str
    """The name of their token; empty for callers on this machine, as on pages without a login."""
    key: str
    """Key by which their requests are counted."""


def put_caller(scope: Scope, caller: Caller) -> None:
    """Store the caller of a request in its scope."""
    scope[_CALLER] = caller


def caller_of(scope: Scope) -> Caller:
    """Return who makes the request, as the guard found out."""
    caller: Caller = scope[_CALLER]
    return caller


class Tokens:
    """Holds digests of the tokens: neither the time a comparison takes nor the length of a token says anything about it."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = {digest(token): name for token, name in names.items()}

    def __bool__(self) -> bool:
        return bool(self._names)

    def name_of(self, header: str) -> str | None:
        """Return the name of the token that an Authorization header holds, or None."""
        found = None
        for known, name in self._names.items():
            if is_bearer(header, known):
                found = name
        return found


def is_bearer(header: str, known: bytes) -> bool:
    """Return whether an Authorization header holds the token of the digest *known*."""
    scheme, _, given = header.partition(" ")
    right = hmac.compare_digest(hashlib.sha256(given.strip().encode("latin-1", "replace")).digest(), known)
    return right and scheme.lower() == "bearer"


def digest(token: str) -> bytes:
    """Return what a token is compared by."""
    return hashlib.sha256(token.encode()).digest()


def address_key(scope: Scope) -> str:
    """Return the address of the caller, IPv6 as its network; empty when it is not known."""
    address = _client(scope)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, _ONE_NETWORK), strict=False))
    return str(address or "")


def is_forwarded(scope: Scope) -> bool:
    """Return whether a proxy passed the call on."""
    headers = Headers(scope=scope)
    return any(name in headers for name in _FORWARDED)


def is_on_this_machine(scope: Scope) -> bool:
    """Return whether the call comes from this machine, names it as the host, and was not forwarded by a proxy."""
    address = _client(scope)
    if address is None or not address.is_loopback or is_forwarded(scope):
        return False
    hosts = Headers(scope=scope).getlist("host")
    return len(hosts) == 1 and _names_this_machine(hosts[0])


def host_name(host: str) -> str:
    """Return the name in a Host header, in lower case without a dot at its end; empty when it is none."""
    try:
        parts = urlsplit(f"//{host}")
        if parts.netloc != host or "@" in host or (parts.port is not None and not parts.port):
            return ""
        return (parts.hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_same_origin(scope: Scope) -> bool:
    """Return whether the page that calls, if it is a page, is one of the host it calls."""
    headers = Headers(scope=scope)
    origins, hosts = headers.getlist("origin"), headers.getlist("host")
    if not origins:
        return True
    if len(origins) != 1 or len(hosts) != 1:
        return False
    try:
        origin = urlsplit(origins[0])
        host = urlsplit(f"{origin.scheme}://{hosts[0]}")
        default = _DEFAULT_PORTS[origin.scheme]
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


def _names_this_machine(host: str) -> bool:
    name = host_name(host)
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
