"""Addresses of well-known sites and of AMP that lead to one page."""

from __future__ import annotations

import re

from search_core.merging.tracking import Fields

Address = tuple[str, str, Fields]
"""Host, path and query fields."""

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
