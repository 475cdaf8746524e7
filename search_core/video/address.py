"""Addresses of YouTube videos, and why something could not be learnt of one."""

from __future__ import annotations

import re
from enum import StrEnum
from urllib.parse import parse_qs, urlsplit

from search_core.errors import UNTRUSTED, VideoReadError

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


class YouTubeCause(StrEnum):
    """Names why YouTube, or a tool that asks it, gave no usable answer."""

    BLOCKED = "blocked"
    RATE_LIMITED = "rate_limited"
    NOT_FOUND = "not_found"
    PRIVATE = "private"
    AGE_RESTRICTED = "age_restricted"
    UNPLAYABLE = "unplayable"
    NO_CAPTIONS = "no_captions"
    INVALID_KEY = "invalid_api_key"
    QUOTA = "quota_exhausted"
    UNTRUSTED = "untrusted_certificate"
    NETWORK = "network_error"
    TIMEOUT = "timeout"
    UNREADABLE = "invalid_response"
    TOO_LARGE = "too_large"
    NOT_INSTALLED = "not_installed"


_KOREAN = {
    YouTubeCause.BLOCKED: "YouTube가 이 서버의 요청을 막았어요.",
    YouTubeCause.RATE_LIMITED: "YouTube에 너무 자주 물었어요.",
    YouTubeCause.NOT_FOUND: "없거나 지워진 영상이에요.",
    YouTubeCause.PRIVATE: "비공개 영상이에요.",
    YouTubeCause.AGE_RESTRICTED: "나이 제한이 걸린 영상이에요.",
    YouTubeCause.UNPLAYABLE: "지금은 볼 수 없는 영상이에요.",
    YouTubeCause.NO_CAPTIONS: "이 영상에는 자막이 없어요.",
    YouTubeCause.INVALID_KEY: "YouTube API 키를 쓸 수 없어요.",
    YouTubeCause.QUOTA: "YouTube API의 오늘 사용량을 다 썼어요.",
    YouTubeCause.UNTRUSTED: f"YouTube에 연결하지 못했어요. {UNTRUSTED}",
    YouTubeCause.NETWORK: "YouTube에 연결하지 못했어요.",
    YouTubeCause.TIMEOUT: "YouTube가 제때 답하지 않았어요.",
    YouTubeCause.UNREADABLE: "YouTube의 답을 읽지 못했어요.",
    YouTubeCause.TOO_LARGE: "이 영상의 글이 너무 길어요.",
    YouTubeCause.NOT_INSTALLED: "yt-dlp가 설치되어 있지 않아요.",
}


class YouTubeError(VideoReadError):
    """Says by its ``cause`` why a source gave nothing about a video; neither text holds addresses or keys."""

    def __init__(self, cause: YouTubeCause, message: str) -> None:
        super().__init__(f"{message} ({cause.value})", korean=_KOREAN[cause])
        self.cause = cause
