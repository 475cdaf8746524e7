"""The publishers of pages: one publisher's sources are one witness, whatever their addresses."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

from tld import get_tld

from search_core.domain.result import SearchResult
from search_core.text.korean.wordlist import words
from search_core.text.web_address import host_name

_HOUSES = (
    "chosun.com tvchosun.com itchosun.com chosunonline.com",
    "joongang.co.kr joins.com jtbc.co.kr",
    "donga.com ichannela.com",
    "mk.co.kr mbn.co.kr maekyung.com",
    "hankyung.com wowtv.co.kr kedglobal.com",
    "mt.co.kr mtn.co.kr news1.kr newsis.com moneys.co.kr",
    "heraldcorp.com koreaherald.com",
    "sedaily.com sentv.co.kr",
    "yna.co.kr yonhapnewstv.co.kr yonhapnews.co.kr",
    "imbc.com imnews.com",
    "asiae.co.kr asiaetv.co.kr",
    "bbc.com bbc.co.uk",
    "theguardian.com guardian.co.uk",
    "wsj.com marketwatch.com barrons.com dowjones.com nypost.com thetimes.com thetimes.co.uk thesun.co.uk",
    "reuters.com thomsonreuters.com",
    "apnews.com ap.org",
    "nikkei.com ft.com",
    "wired.com arstechnica.com newyorker.com vanityfair.com",
    "businessinsider.com politico.com politico.eu bild.de welt.de",
    "cnet.com zdnet.com pcmag.com mashable.com ign.com",
    "tomshardware.com techradar.com tomsguide.com anandtech.com pcgamer.com space.com livescience.com",
    "washingtonpost.com wapo.st",
    "nytimes.com nyti.ms",
)
"""Registered domains of one house, as their imprints name it (November 2026)."""
_HOUSE_OF = {domain: house.split()[0] for house in _HOUSES for domain in house.split()}
_PLATFORMS = words(
    """
    naver.com daum.net kakao.com nate.com zum.com msn.com yahoo.com yahoo.co.jp google.com bing.com flipboard.com smartnews.com
    youtube.com youtu.be x.com twitter.com facebook.com instagram.com threads.net tiktok.com linkedin.com reddit.com
    medium.com substack.com tistory.com wordpress.com blogspot.com brunch.co.kr velog.io egloos.com archive.org archive.today
    github.com scribd.com slideshare.net quora.com
    """
)
"""Sites with many publishers: two of their pages may be by different ones."""
_OF_USERS = words(
    "x.com twitter.com facebook.com instagram.com threads.net tiktok.com medium.com brunch.co.kr velog.io github.com"
)
"""Platforms on which the first part of an address names who writes."""
_ARCHIVED = re.compile(r"^https?://(?:web\.archive\.org/web/\w+|archive\.(?:today|ph|is|org)/\w+)/(https?://.+)$", re.IGNORECASE)
_NAVER_NEWS = re.compile(r"/article/(?:\w+/)?(\d{3})/\d+")
_ADDRESS = re.compile(r"[\d.]+|\[.*\]|localhost")


def publisher_of(result: SearchResult) -> str:
    """Return a key shared by one publisher's results; a unique one if the publisher is unknown."""
    url = original_address(result.url)
    domain = registered_domain(url)
    if not domain:
        return url
    if domain in _PLATFORMS:
        return _on_platform(result, url, domain)
    return _HOUSE_OF.get(domain, domain)


def original_address(url: str) -> str:
    """Return the original address of a web archive's copy, or *url* itself."""
    match = _ARCHIVED.match(url)
    return match[1] if match else url


@lru_cache(maxsize=4096)
def registered_domain(url: str) -> str:
    """Return the registered domain of an address (``mt.co.kr`` of ``news.mt.co.kr``), or the host if it is unlisted.

    Empty for numeric addresses, which name no publisher.
    """
    host = host_name(url)
    if not host or _ADDRESS.fullmatch(host):
        return ""
    domain = get_tld(f"https://{host}", as_object=True, fail_silently=True, search_private=True)
    return str(getattr(domain, "fld", "") or host)


def site_label(url: str) -> str:
    """Return the distinctive part of *url*'s registered domain ("nvidia"); empty without one."""
    return registered_domain(url).partition(".")[0]


def _on_platform(result: SearchResult, url: str, domain: str) -> str:
    """Return the publisher on a platform: the outlet, the press number, the user or the subdomain."""
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
