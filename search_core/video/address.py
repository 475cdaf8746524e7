"""Addresses of YouTube videos."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

_VIDEO_ID = re.compile(r"[A-Za-z0-9_-]{11}")
_HOSTS = frozenset(
    f"{prefix}{site}" for site in ("youtube.com", "youtube-nocookie.com") for prefix in ("", "www.", "m.", "music.")
)
_SHORT_HOSTS = frozenset({"youtu.be", "www.youtu.be"})
_PATHS = frozenset({"shorts", "live", "embed", "v", "e"})


def youtube_video_id(url: str) -> str | None:
    """Return the id of the YouTube video at *url* (watch, youtu.be, shorts, live, embed), or None when it is no such address."""
    url = url.strip()
    if "://" not in url:
        url = f"https://{url}"
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme not in ("http", "https"):
        return None
    steps = [step for step in parts.path.split("/") if step]
    candidate = ""
    if host in _SHORT_HOSTS and steps:
        candidate = steps[0]
    elif host in _HOSTS and steps[:1] == ["watch"]:
        candidate = parse_qs(parts.query).get("v", [""])[0]
    elif host in _HOSTS and len(steps) >= 2 and steps[0] in _PATHS:
        candidate = steps[1]
    return candidate if _VIDEO_ID.fullmatch(candidate) else None


def watch_url(video_id: str) -> str:
    """Return the address of the page of a video."""
    return f"https://www.youtube.com/watch?v={video_id}"
