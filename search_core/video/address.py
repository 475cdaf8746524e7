"""Addresses of YouTube videos, and reasons for missing facts."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from urllib.parse import parse_qs, unquote, urljoin, urlsplit

from search_core.errors import UNTRUSTED, VideoReadError

_VIDEO_ID = re.compile(r"[A-Za-z0-9_-]{11}")
_HOSTS = frozenset(
    f"{prefix}{site}" for site in ("youtube.com", "youtube-nocookie.com") for prefix in ("", "www.", "m.", "music.", "studio.")
)
_SHORT_HOSTS = frozenset({"youtu.be", "www.youtu.be"})
_PATHS = frozenset({"shorts", "live", "embed", "v", "e", "video"})
_REDIRECTS = {"url": ("q", "url"), "attribution_link": ("u",), "redirect": ("q",)}
"""Redirecting pages of Google and YouTube, each with the query fields that may hold the target address."""
_GOOGLE = re.compile(r"(?:www\.)?google\.[a-z.]{2,6}")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_RUN = re.compile(r"[^\s<>\"'`|{}()\[\]\\]+")
"""A run of characters that may be an address: no spaces, quotes or brackets."""
_NEAR = re.compile(r"youtu\.?be|google\.", re.IGNORECASE)
_ASCII = re.compile(r"[!-~]+")
_BEFORE_ADDRESS = re.compile(r"^[*_~.,:;!=-]*(?:\w{1,20}[:=](?=https?://))?")
_BEHIND_ADDRESS = ".,;:!?*~"
_EMPTY_BRACKETS = re.compile(r"""\[([^\[\]]*)\]\(\s*\)|[(<\[]\s*[)>\]]|"\s*"|'\s*'""")
_MOST_CHARS = 20_000
_MOST_TURNS = 3
"""Most redirects and percent-encodings nested in one address."""


@dataclass(frozen=True, slots=True)
class FoundVideo:
    """The one video whose address is in a text."""

    video_id: str
    rest: str
    """The text without the address."""


def youtube_video_id(text: str) -> str | None:
    """Return the id of the one YouTube video whose address is in *text*; None for no or several videos."""
    video = find_video(text)
    return video.video_id if video else None


def find_video(text: str) -> FoundVideo | None:
    """Return the one YouTube video whose address is in *text*, in any form, and the rest of the text.

    Knows watch pages, youtu.be, shorts, live, embed, the studio, and redirects to one of these. None if there are addresses of
    several videos.
    """
    plain = _INVISIBLE.sub("", text[:_MOST_CHARS])
    if not _NEAR.search(unicodedata.normalize("NFKC", plain)):
        return None
    ids: dict[str, None] = {}
    rest: list[str] = []
    place = 0
    for run in _RUN.finditer(plain):
        whole = html.unescape(unicodedata.normalize("NFKC", run[0]))
        for part in _ASCII.finditer(whole):
            address = _BEFORE_ADDRESS.sub("", part[0])
            ends = (address.rstrip(f"{_BEHIND_ADDRESS}_"), address.rstrip(_BEHIND_ADDRESS))  # an id may end in an underscore
            if video_id := next(filter(None, (_id_at(end, _MOST_TURNS) for end in ends)), None):
                ids[video_id] = None
                rest += (plain[place : run.start()], whole[: part.start()], whole[part.end() :])
                place = run.end()
                break
    if len(ids) != 1:
        return None
    left = _EMPTY_BRACKETS.sub(r"\1", "".join((*rest, plain[place:], text[_MOST_CHARS:])))
    return FoundVideo(next(iter(ids)), " ".join(left.split()))


def _id_at(url: str, turns: int) -> str | None:
    """Return the video id in *url*, or None; *turns* limits how many redirects and encodings inside each other are undone."""
    if not turns or not _NEAR.search(url):
        return None
    if "://" not in url:
        if "%3A%2F%2F" in url.upper():
            return _id_at(unquote(url), turns - 1)
        url = f"https://{url}"
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme not in ("http", "https"):
        return None
    steps = [step for step in parts.path.split("/") if step]
    fields = parse_qs(parts.query)
    if steps and steps[-1] in _REDIRECTS and (host in _HOSTS or _GOOGLE.fullmatch(host)):
        target = next((fields[name][0] for name in _REDIRECTS[steps[-1]] if name in fields), "")
        return _id_at(urljoin("https://www.youtube.com/", target), turns - 1)
    if host in _HOSTS and "%3" in parts.path.upper():
        return _id_at(unquote(url), turns - 1)
    candidate = _named_id(host, steps, fields)
    return candidate if _VIDEO_ID.fullmatch(candidate) else None


def _named_id(host: str, steps: Sequence[str], fields: Mapping[str, Sequence[str]]) -> str:
    """Return the part of an address where the video id should be; empty if there is none."""
    if host in _SHORT_HOSTS and steps:
        return steps[0]
    if host in _HOSTS and steps[:1] == ["watch"]:
        return fields.get("v", [""])[0]
    return steps[1] if host in _HOSTS and len(steps) >= 2 and steps[0] in _PATHS else ""


def is_video_id(text: str) -> bool:
    """Return whether *text* has the form of a video id, which any word of eleven letters has."""
    return _VIDEO_ID.fullmatch(text) is not None


def watch_url(video_id: str) -> str:
    """Return the address of the page of a video."""
    return f"https://www.youtube.com/watch?v={video_id}"


class YouTubeCause(Enum):
    """Why YouTube, or a tool that asks it, gave no usable answer, in Korean."""

    BLOCKED = "YouTube가 이 서버의 요청을 막았어요."
    RATE_LIMITED = "YouTube에 너무 자주 물었어요."
    NOT_FOUND = "없거나 지워진 영상이에요."
    PRIVATE = "비공개 영상이에요."
    AGE_RESTRICTED = "나이 제한이 걸린 영상이에요."
    UNPLAYABLE = "지금은 볼 수 없는 영상이에요."
    NO_CAPTIONS = "이 영상에는 자막이 없어요."
    UNTRUSTED = f"YouTube에 연결하지 못했어요. {UNTRUSTED}"
    NETWORK = "YouTube에 연결하지 못했어요."
    TIMEOUT = "YouTube가 제때 답하지 않았어요."
    UNREADABLE = "YouTube의 답을 읽지 못했어요."
    TOO_LARGE = "이 영상의 글이 너무 길어요."
    NOT_INSTALLED = "yt-dlp가 설치되어 있지 않아요."


class YouTubeError(VideoReadError):
    """Says by its ``cause`` why a source told nothing about a video; its texts hold no address and no key."""

    def __init__(self, cause: YouTubeCause, message: str) -> None:
        super().__init__(f"{message} ({cause.name.lower()})", korean=cause.value)
        self.cause = cause
