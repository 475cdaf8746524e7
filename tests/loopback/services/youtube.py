"""The YouTube Data API: its list of found videos, with titles as escaped as the real ones, and its error body."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from typing import Any

from tests.loopback.played import Asked, PlayedService
from tests.loopback.services import google

KEY = "CANARY-youtube-AIzaSyB8nT3mK6qJ5s"
_VIDEO_ID = re.compile(r"https://www\.youtube\.com/watch\?v=([\w-]{11})")


def video_id(url: Any) -> Any:
    """Return the id of the video that stands for *url*: the one in a watch address, one made from any other."""
    if not isinstance(url, str):
        return url
    found = _VIDEO_ID.fullmatch(url)
    if found:
        return found[1]
    return sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:11] if url.startswith("https://") else url


def _entry(fields: Mapping[str, Any]) -> dict[str, Any]:
    title, published = fields.get("title"), fields.get("published")
    snippet = {
        "publishedAt": f"{published}Z" if isinstance(published, str) and published else None,
        "title": escape(title) if isinstance(title, str) else title,
        "description": fields.get("snippet"),
        "channelTitle": "공부하는 채널",
    }
    return {"id": {"kind": "youtube#video", "videoId": video_id(fields.get("url"))}, "snippet": snippet}


def _envelope(entries: Any, asked: Asked) -> dict[str, Any]:
    if isinstance(entries, list):
        entries = entries[: int(asked.params.get("maxResults", 5))]
    return {"kind": "youtube#searchListResponse", "regionCode": "KR", "items": entries}


SERVICE = PlayedService(
    name="youtube",
    settings=lambda base_url: {"youtube_api_key": KEY, "youtube_data_base_url": base_url},
    entry=_entry,
    envelope=_envelope,
    answers={
        "bad-key": google.error(400, "INVALID_ARGUMENT", "API key not valid.", "badRequest"),
        "quota": google.error(403, "", 'you have exceeded your <a href="/youtube/v3/">quota</a>.', "quotaExceeded"),
    },
    keys=(KEY,),
    dated=True,
)
