"""Which results are of certain domains, and the links on DuckDuckGo's result pages (read 2026-11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated
from urllib.parse import parse_qs, urlsplit

from pydantic import AfterValidator, Field

from search_core.text.web_address import MAX_HOST_CHARS, host_name, web_address

MAX_DOMAINS = 50


def is_within(url: str, domains: Sequence[str]) -> bool:
    """Return whether *url* is on one of *domains* or under it; domains are as ``domain_name`` returns them."""
    host = host_name((web_address(url) or url) if domains else "")
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def domain_name(text: str) -> str:
    """Return *text* as a domain that results are held to: lower case, ASCII, without ``www.``; raises ValueError for others."""
    domain = host_name(web_address(f"https://{text.strip().lower()}") or "")
    if "." not in domain or any(sign in text for sign in "/:?#"):
        raise ValueError("must be the name of a domain, such as example.org")
    return domain


Domains = Annotated[
    list[Annotated[str, Field(max_length=MAX_HOST_CHARS), AfterValidator(domain_name)]] | None, Field(max_length=MAX_DOMAINS)
]
"""Domains that a caller names, as ``domain_name`` returns them; None where it names none."""


def unwrap_link(href: str) -> str:
    """Return where *href* leads: the target of DuckDuckGo's redirect link, or the address itself."""
    address = f"https:{href}" if href.startswith("//") else href
    try:
        parts = urlsplit(address)
    except ValueError:
        return href
    if (parts.hostname or "").endswith("duckduckgo.com") and parts.path == "/l/":
        return parse_qs(parts.query).get("uddg", [""])[0]
    return address


def is_advertisement(href: str) -> bool:
    """Return whether *href* leads to an advertiser."""
    return "duckduckgo.com/y.js" in href
