"""Types of settings: several values in one text, rates, addresses, keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import ip_address
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, SecretStr

T = TypeVar("T")
MIN_TOKEN_CHARS = 16
_RATE = re.compile(r"[1-9]\d{0,6}/(second|minute|hour|day)")
_SCHEME_AND_PORT = re.compile(r"^https?://|:\d{0,5}/?$|/$")
_HOST_NAME = re.compile(r"\*|(?:\*\.)?[^\s:/@*?#\[\]]+")
_HOST_AND_PORT = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[^\s:/@\[\]]+):(?P<port>\d{1,5})")


def split_domains(domains: str) -> tuple[str, ...]:
    """Return *domains* as a list, in lower case, without ``www.`` and duplicates."""
    return tuple(dict.fromkeys(name.strip().lower().removeprefix("www.") for name in domains.split(",") if name.strip()))


def named_tokens(tokens: SecretStr) -> dict[str, str]:
    """Return the name of each token in *tokens*; raises ValueError for invalid input, without repeating it."""
    names: dict[str, str] = {}
    for pair in filter(None, (pair.strip() for pair in tokens.get_secret_value().split(","))):
        name, _, token = (part.strip() for part in pair.partition(":"))
        if not name or len(token) < MIN_TOKEN_CHARS or not (pair.isascii() and token.isprintable()):
            raise ValueError(f"must be name:token with a comma between them, each token of {MIN_TOKEN_CHARS} characters or more")
        if token in names or name in names.values():
            raise ValueError("holds a name or a token twice")
        names[token] = name
    return names


def host_names(names: str) -> tuple[str, ...]:
    """Return the host names in *names*, in lower case without scheme and port; entries without one are left out.

    Raises ValueError for anything but a host name, a host name after ``*.``, or ``*``.
    """
    hosts: dict[str, None] = {}
    for entry in filter(None, (entry.strip().lower() for entry in names.split(","))):
        name = _SCHEME_AND_PORT.sub("", entry).rstrip(".")
        if name and not _HOST_NAME.fullmatch(name):
            raise ValueError("must be host names with a comma between them, as in maekrak.example.com,*.example.org")
        if name:
            hosts[name] = None
    return tuple(hosts)


def hosts_with_ports(places: str) -> frozenset[tuple[str, int]]:
    """Return each (host, port) in *places*; raises ValueError for invalid ones."""
    hosts = set()
    for place in filter(None, (place.strip().lower() for place in places.split(","))):
        match = _HOST_AND_PORT.fullmatch(place)
        if match is None or not 0 < int(match["port"]) < 65_536:
            raise ValueError("must be host:port, with a comma between them")
        hosts.add((match["host"].strip("[]").rstrip("."), int(match["port"])))
    return frozenset(hosts)


def _rate(text: str) -> str:
    rate = "".join(text.lower().split())
    if rate == "none":
        return ""
    if rate and not _RATE.fullmatch(rate):
        raise ValueError("must be like 60/minute, per second, minute, hour or day")
    return rate


_LOCAL_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
"""Names that no public DNS has (RFC 6761, RFC 6762, RFC 8375, ICANN 2024 for ``.internal``; ``.lan`` by custom)."""


def is_private_host(address: str) -> bool:
    """Return whether the host of *address* is this machine or in a private network, judged without DNS.

    A name without a dot counts as private: only the own network resolves it.
    """
    try:
        host = (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return False
    try:
        ip = ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_LOCAL_ENDINGS))
    plain = getattr(ip, "ipv4_mapped", None) or ip
    return bool(plain.is_private or plain.is_loopback or plain.is_link_local)


Rate = Annotated[str, AfterValidator(_rate)]
"""A number of requests in a time, as in "60/minute", or "none" for no limit, which becomes an empty text."""


def _web_address(text: str) -> str:
    address = text.strip().rstrip("/")
    if address and not address.startswith(("http://", "https://")):
        raise ValueError("must start with http:// or https://")
    return address


WebAddress = Annotated[str, AfterValidator(_web_address)]
"""An address of http or https without a slash at its end; empty for none."""


def _read_by(parse: Callable[[Any], object]) -> AfterValidator:
    """Return a validator that refuses values for which *parse* raises ValueError and leaves the others unchanged."""

    def check(value: T) -> T:
        parse(value)
        return value

    return AfterValidator(check)


HostList = Annotated[str, _read_by(hosts_with_ports)]
HostNames = Annotated[str, _read_by(host_names)]
TokenList = Annotated[SecretStr, _read_by(named_tokens)]


def _sendable(text: SecretStr) -> SecretStr:
    key = text.get_secret_value().strip()
    if not key.isascii() or not key.isprintable():
        raise ValueError("holds letters no key has, copy it again")
    return SecretStr(key)


Key = Annotated[SecretStr, AfterValidator(_sendable)]
"""A key that can travel in a header; empty for none."""


def _postgres_address(text: SecretStr) -> SecretStr:
    address = text.get_secret_value().strip()
    if address and not address.startswith(("postgresql://", "postgres://")):
        raise ValueError("must start with postgresql://")
    return SecretStr(address)


PostgresAddress = Annotated[SecretStr, AfterValidator(_postgres_address)]
"""The address of a PostgreSQL database; empty for none."""
