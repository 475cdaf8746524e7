"""One key for every address under which a page can be reached.

The key distinguishes pages; it is not an address to show or to fetch. Percent-encoding, IDN, dot segments, IPv6 hosts and the
order of query fields are w3lib's (2.5, ``canonicalize_url``), after the URL Standard; what makes two addresses one page is
said here.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from w3lib.url import canonicalize_url

MAX_UNWRAPPED = 5
"""Addresses inside addresses (an AMP cache of an AMP cache) are followed this deep."""

_MAX_REMEMBERED = 4096
_EDGE = "".join(map(chr, range(0x21)))
_INSIDE = re.compile(r"[\t\r\n]")
_WEB = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_DEFAULT_PORT = re.compile(r":(?:80|443)?$")
_JAMO_BYTES = re.compile(r"%E1%8[4-7]|%CC%8|%CC%9", re.IGNORECASE)
"""First bytes of conjoining Hangul letters and accents, as file systems that decompose text put them into addresses."""
_SECOND_LEVEL = frozenset({"co", "com", "or", "org", "go", "gov", "ne", "net", "ac", "edu", "re", "pe"})
_DEVICE_LABELS = frozenset({"www", "m", "mobile", "amp", "wap"})
_WIKI_MOBILE = re.compile(r"^([a-z-]+)\.m\.(wik[a-z]+\.org)$")
_AMP_CACHE = re.compile(r"^/(?:[a-z]/)?(?:s/)?([a-z0-9.-]+\.[a-z0-9-]+)(/.*)?$", re.IGNORECASE)
_GOOGLE_AMP = re.compile(r"^/amp/(?:s/)?([a-z0-9.-]+\.[a-z]{2,})(/.*)?$", re.IGNORECASE)
_AMP_LAST = re.compile(r"(?<=[^/])(?:/amp/?|\.amp(?:\.html)?|/amp\.html)$")
_AMP_FIRST = re.compile(r"^/amp(?=/[^/])")
_NAVER_NEWS_HOST = re.compile(r"^(?:[a-z]+\.)*(?:news|sports|entertain)\.naver\.com$")
_NAVER_ARTICLE = re.compile(r"/article/(?:[a-z]+/)?(\d{3})/(\d{10})(?:/|$)")
_NAVER_BLOG = re.compile(r"^/PostView\.(?:naver|nhn)$")
_DAUM_NEWS_HOST = re.compile(r"^(?:[a-z]+\.)?v\.daum\.net$")
_YOUTUBE_HOSTS = frozenset({"youtube.com", "music.youtube.com", "youtube-nocookie.com"})
_YOUTUBE_PATH = re.compile(r"^/(?:shorts|embed|live|v)/([\w-]{11})/?$")
_YOUTUBE_ID = re.compile(r"^/?([\w-]{11})/?$")
Fields = list[tuple[str, str]]
Address = tuple[str, str, Fields]
"""Host, path and query fields."""
_LISTED = """
fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid twclid ttclid li_fat_id igshid igsh mc_cid mc_eid spm scm _ga _gl _openstat
ref_src ref_url vero_id vero_conv oly_enc_id oly_anon_id wickedid s_kwcid ef_id rb_clickid mkt_tok trk trkcampaign cmpid ncid
ito srnd smid smtyp sr_share __twitter_impression guccounter guce_referrer guce_referrer_sig wt.mc_id wt_mc xtor n_media n_query
n_rank n_match n_network napm nvar cx_testid cx_testvariant cx_artpos cx_experienceid ocid cvid soc_src soc_trk share_id sharer
"""
"""From the published rule sets of ClearURLs and Firefox's query stripping, with Naver's advertising fields."""
_TRACKING_NAMES = frozenset(_LISTED.split())
_TRACKING_PREFIXES = (
    *("utm_", "pk_", "mtm_", "hsa_", "_hs", "matomo_", "piwik_", "ga_", "at_campaign", "at_medium"),
    *("n_ad", "n_camp", "n_keyword"),
)
_SITE_NAMES = re.compile(r"(^|\.)(github|gitlab|bitbucket|codeberg)\.")
"""Sites where ``ref`` names a version of the page."""
_AMP_VALUES = frozenset({"", "1", "true", "amp"})


@lru_cache(maxsize=_MAX_REMEMBERED)
def canonical_url(url: str) -> str:
    """Return the identity key of *url*; never raises, and the key of a key is the key itself.

    Other schemes than http and https (``library:``) and addresses that cannot be parsed come back as they are, without white
    space around them.
    """
    key = url.strip(_EDGE)
    for _ in range(MAX_UNWRAPPED):
        found = _key(key)
        if found == key:
            break
        key = found
    return key


def _key(url: str) -> str:
    """Return *url* brought one step nearer to its key."""
    bare = _INSIDE.sub("", url).strip(_EDGE)
    if not _WEB.match(bare):
        return bare
    try:
        normal = canonicalize_url(unicodedata.normalize("NFC", bare), keep_fragments=True)
        parts = urlsplit(normal)
        host = _plain_host(parts.netloc)
    except ValueError:
        return bare
    if not host:
        return bare
    path = _compose(parts.path) if _JAMO_BYTES.search(parts.path) else parts.path
    given = parse_qsl(parts.query, keep_blank_values=True, errors="surrogateescape")
    query = [(name, value) for name, value in given if not _tracks(host, name.lower(), value)]
    host, path, query = same_page(host, path, query)
    fields = "&".join(f"{_quote(name)}={_quote(value)}" for name, value in sorted(query))
    fragment = f"#{parts.fragment}" if parts.fragment.startswith("!") else ""
    return f"https://{host}{path.rstrip('/') or '/'}{'?' + fields if fields else ''}{fragment}"


def _plain_host(netloc: str) -> str:
    """Return *netloc* in lower case without default port, final dot and the labels that only name a device."""
    login, _, host = netloc.rpartition("@")
    login = login.removesuffix(":")
    host = _DEFAULT_PORT.sub("", host.lower())
    name, colon, port = host.partition(":") if not host.startswith("[") else (host, "", "")
    name = _WIKI_MOBILE.sub(r"\1.\2", name.rstrip("."))
    labels = name.split(".")
    while labels[0] in _DEVICE_LABELS and _is_site(labels[1:]):
        labels = labels[1:]
    return f"{login}{'@' if login else ''}{'.'.join(labels)}{colon}{port}"


def _is_site(labels: list[str]) -> bool:
    """Return whether a host of *labels* can be a site by itself, not only a registry such as ``co.kr``."""
    return len(labels) > 2 or (len(labels) == 2 and not (labels[0] in _SECOND_LEVEL and len(labels[1]) == 2))


def _compose(path: str) -> str:
    """Return *path* with decomposed letters put together, or as it is when its bytes are no UTF-8."""
    try:
        return quote(unicodedata.normalize("NFC", unquote(path, errors="strict")), safe="/!$&'()*+,;=:@~%")
    except UnicodeDecodeError:
        return path


def _quote(text: str) -> str:
    return quote(text, safe="~", errors="surrogateescape")


def same_page(host: str, path: str, fields: Fields) -> Address:
    """Return the one address that represents all addresses of this page."""
    if host == "cdn.ampproject.org" or host.endswith(".cdn.ampproject.org"):
        return _unwrap_address(_AMP_CACHE, host, path, fields)
    if re.fullmatch(r"google\.[a-z.]+", host) and path.startswith("/amp/"):
        return _unwrap_address(_GOOGLE_AMP, host, path, fields)
    if host.endswith("naver.com"):
        return _naver(host, path, fields)
    if host == "youtu.be" or host in _YOUTUBE_HOSTS:
        return _youtube(host, path, fields)
    if _DAUM_NEWS_HOST.match(host):
        host = "v.daum.net"
    return host, _without_amp(path), fields


def _unwrap_address(pattern: re.Pattern[str], host: str, path: str, fields: Fields) -> Address:
    inner = pattern.match(path)
    return (inner[1].lower(), inner[2] or "/", fields) if inner else (host, path, fields)


def _without_amp(path: str) -> str:
    while (shorter := _AMP_FIRST.sub("", _AMP_LAST.sub("", path))) != path:
        path = shorter
    return path


def _naver(host: str, path: str, fields: Fields) -> Address:
    values = dict(fields)
    if _NAVER_NEWS_HOST.match(host):
        article = _NAVER_ARTICLE.search(path)
        office, number = article.groups() if article else (values.get("oid", ""), values.get("aid", ""))
        if office and number:
            return "n.news.naver.com", f"/article/{office}/{number}", []
    if host == "blog.naver.com" and _NAVER_BLOG.match(path) and values.get("blogId") and values.get("logNo"):
        return host, f"/{values['blogId']}/{values['logNo']}", []
    return host, path, fields


def _youtube(host: str, path: str, fields: Fields) -> Address:
    short = _YOUTUBE_ID.match(path) if host == "youtu.be" else _YOUTUBE_PATH.match(path)
    video = short[1] if short else dict(fields).get("v", "") if path.rstrip("/") == "/watch" else ""
    return ("youtube.com", "/watch", [("v", video)]) if video else (host, path, fields)


def _tracks(host: str, name: str, value: str) -> bool:
    if name in ("ref", "referrer", "referer"):
        return _SITE_NAMES.search(host) is None
    if name == "amp":
        return value.lower() in _AMP_VALUES
    if name == "outputtype":
        return value.lower() == "amp"
    return name in _TRACKING_NAMES or name.startswith(_TRACKING_PREFIXES)
