"""Which addresses pages may be read from: the public Internet, and those the operator allows.

A list of what is public, not of what is forbidden: ``ipaddress.is_private`` and ``is_global`` know neither the addresses that
carry another address inside (NAT64, 6to4, Teredo, ISATAP) nor, in older Python, the whole registry. Of the former only NAT64 is
unpacked, which networks without IPv4 need for every IPv4 page. Sources: the IANA registries of special-purpose addresses for
IPv4 and IPv6 and of IPv6 global unicast assignments, read 2026-11.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import httpx2

from search_core.errors import PageFailure, PageReadError
from search_core.language.web_address import MAX_HOST_CHARS

PORTS = frozenset({80, 443})
MAX_URL_CHARS = 2_048
_NO_IPV4_SITE = tuple(
    map(
        IPv4Network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
            *("192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
            *("224.0.0.0/4", "240.0.0.0/4"),
        ),
    )
)
_IPV6_SITES = IPv6Network("2000::/3")
_NO_IPV6_SITE = tuple(
    map(
        IPv6Network,
        # Protocol assignments (Teredo among them), 6to4, documentation (twice), and what no registry has been given yet.
        ("2001::/23", "2002::/16", "2001:db8::/32", "2d00::/8", "2e00::/7", "3000::/4"),
    )
)
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = 0x5EFE
"""Upper half of an ISATAP interface identifier, without its "universal" bit (RFC 5214)."""
_UNIVERSAL = 0x0200_0000
_UNSAID = re.compile(r"[\x00-\x20\x7f-\xa0\\]")
"""Characters on which parsers differ about where a host ends."""
_NUMBER = re.compile(r"\d+|0[xX][0-9a-fA-F]*")
_HOST_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?")


def is_public(text: str) -> bool:
    """Return whether *text* is a public address, IPv4 or IPv6."""
    address = _parse_address(text)
    if isinstance(address, IPv6Address):
        return _is_public_ipv6(address)
    return address is not None and _is_public_ipv4(address)


def _is_public_ipv4(address: IPv4Address) -> bool:
    return not any(address in network for network in _NO_IPV4_SITE)


def _is_public_ipv6(address: IPv6Address) -> bool:
    if address.scope_id is not None:
        return False
    number = int(address)
    if address in _MAPPED or address in _NAT64:
        return _is_public_ipv4(IPv4Address(number & 0xFFFF_FFFF))
    if address not in _IPV6_SITES or any(address in network for network in _NO_IPV6_SITE):
        return False
    return number >> 32 & 0xFFFF_FFFF & ~_UNIVERSAL != _ISATAP


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressRule:
    """The rule for hosts that pages may be read from."""

    admitted: Collection[tuple[str, int]] = frozenset()
    """Hosts, in lower case, and ports that the operator opened (READING_ALLOW_PRIVATE)."""
    ports: Collection[int] = PORTS

    def check_url(self, url: str) -> httpx2.URL:
        """Return *url* parsed, for checking and connecting alike.

        Raises PageReadError (REFUSED_ADDRESS) for anything but http and https without credentials, with a host name or a
        canonical address that is public. The addresses of a name are checked after its lookup.
        """
        if len(url) > MAX_URL_CHARS or _UNSAID.search(url):
            raise _refusal("The address is too long or holds characters no web address has.")
        try:
            parsed = httpx2.URL(url)
            host = parsed.raw_host.decode("ascii").lower()
            unusable = len(host) > MAX_HOST_CHARS or not parsed.host  # ``host`` is decoded when it is asked for, and may fail
        except (httpx2.InvalidURL, ValueError):
            raise _refusal("The address is no web address.") from None
        if parsed.scheme not in ("http", "https") or unusable:
            raise _refusal("Only http and https addresses are read.")
        if parsed.userinfo:
            raise _refusal("Addresses with credentials are not read.")
        self.check_place(host, (443 if parsed.scheme == "https" else 80) if parsed.port is None else parsed.port)
        return parsed

    def check_place(self, host: str, port: int) -> None:
        """Raise PageReadError (REFUSED_ADDRESS) if *host* or *port* is refused before any lookup."""
        if self._admits(host, port):
            return
        if port not in self.ports:
            raise _refusal(f"Pages are not read from port {port}.")
        if _parse_address(host) is not None:
            self.check_answer(host, port, (host,))
        elif _NUMBER.fullmatch(host.rstrip(".").rsplit(".", 1)[-1]):
            raise _refusal("The host is a number that is written in no usual way.")
        elif not _HOST_NAME.fullmatch(host):
            raise _refusal("The host is no host name.")

    def check_answer(self, host: str, port: int, addresses: Collection[str]) -> None:
        """Raise PageReadError (REFUSED_ADDRESS) if one of *host*'s *addresses* is not public.

        A single address that is not public refuses the host.
        """
        if not self._admits(host, port) and not all(map(is_public, addresses)):
            raise _refusal(f"{host} leads to an address that is not of the public Internet.")

    def _admits(self, host: str, port: int) -> bool:
        return (host.lower().rstrip("."), port) in self.admitted


def _refusal(message: str) -> PageReadError:
    return PageReadError(PageFailure.REFUSED_ADDRESS, message)


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None
