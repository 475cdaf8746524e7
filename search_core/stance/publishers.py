"""Who publishes a page: sources of one publisher are one witness, whatever their addresses."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

from tld import get_tld

from search_core.domain.result import SearchResult
from search_core.text.korean.wordlist import words
from search_core.text.web_address import host_name

_PLATFORMS = words(
    """
    naver.com daum.net kakao.com nate.com zum.com msn.com yahoo.com yahoo.co.jp google.com bing.com flipboard.com smartnews.com
    youtube.com youtu.be x.com twitter.com facebook.com instagram.com threads.net tiktok.com linkedin.com reddit.com
    medium.com substack.com tistory.com wordpress.com blogspot.com brunch.co.kr velog.io egloos.com archive.org archive.today
    github.com scribd.com slideshare.net quora.com
    """
)
"""Sites on which many others publish: two pages of one of them may be of two publishers."""
_OF_USERS = words(
    "x.com twitter.com facebook.com instagram.com threads.net tiktok.com medium.com brunch.co.kr velog.io github.com"
)
"""Platforms on which the first part of an address names who writes."""
_ARCHIVED = re.compile(r"^https?://(?:web\.archive\.org/web/\w+|archive\.(?:today|ph|is|org)/\w+)/(https?://.+)$", re.IGNORECASE)
_NAVER_NEWS = re.compile(r"/article/(?:\w+/)?(\d{3})/\d+")
_ADDRESS = re.compile(r"[\d.]+|\[.*\]|localhost")


def publisher_of(result: SearchResult) -> str:
    """Return a key that results of one publisher share; a unique one where the publisher is unknown."""
    url = original_address(result.url)
    domain = registered_domain(url)
    if not domain:
        return url
    if domain in _PLATFORMS:
        return _on_platform(result, url, domain)
    return domain


def original_address(url: str) -> str:
    """Return the address that a copy in an archive of the web was taken from, or *url* itself."""
    found = _ARCHIVED.match(url)
    return found[1] if found else url


@lru_cache(maxsize=4096)
def registered_domain(url: str) -> str:
    """Return the registered domain of an address (``mt.co.kr`` of ``news.mt.co.kr``), or the host where no list knows its end.

    Empty for numeric addresses, which name no publisher.
    """
    host = host_name(url)
    if not host or _ADDRESS.fullmatch(host):
        return ""
    found = get_tld(f"https://{host}", as_object=True, fail_silently=True, search_private=True)
    return str(getattr(found, "fld", "") or host)


def site_label(url: str) -> str:
    """Return the part of the registered domain of *url* that names who it belongs to ("nvidia"); empty where there is none."""
    return registered_domain(url).partition(".")[0]


def _on_platform(result: SearchResult, url: str, domain: str) -> str:
    """Return who publishes on a platform: the outlet that the search names, the press number, the user, the subdomain."""
    host = host_name(url)
    named = result.source.strip().casefold()
    if named and "." not in named:
        return named
    path = urlsplit(url).path
    if press := _NAVER_NEWS.search(path):
        return f"naver press {press[1]}"
    first = path.strip("/").partition("/")[0].casefold()
    if (domain in _OF_USERS and first) or first.startswith("@") or host.startswith("blog."):
        return f"{domain}/{first}"
    if host.count(".") > domain.count(".") and domain in ("substack.com", "tistory.com", "wordpress.com", "blogspot.com"):
        return host
    return url
