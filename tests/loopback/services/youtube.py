"""The YouTube Data API: its list of found videos, with titles as escaped as the real ones, and its error body."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from typing import Any

from tests.loopback.played import Asked, PlayedService, json_answer

KEY = "CANARY-youtube-AIzaSyB8nT3mK6qJ5s"
_VIDEO_ID = re.compile(r"https://www\.youtube\.com/watch\?v=([\w-]{11})")
SPENT = json_answer(
    {
        "error": {
            "code": 403,
            "message": 'The request cannot be completed because you have exceeded your <a href="/youtube/v3/">quota</a>.',
            "errors": [{"message": "quota", "domain": "youtube.quota", "reason": "quotaExceeded"}],
        }
    },
    403,
)
BAD_KEY = json_answer(
    {
        "error": {
            "code": 400,
            "message": "API key not valid. Please pass a valid API key.",
            "errors": [{"message": "bad", "domain": "global", "reason": "badRequest"}],
            "status": "INVALID_ARGUMENT",
        }
    },
    400,
)


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
    return {
        "kind": "youtube#searchResult",
        "id": {"kind": "youtube#video", "videoId": video_id(fields.get("url"))},
        "snippet": {
            "publishedAt": f"{published}Z" if isinstance(published, str) and published else None,
            "channelId": "UC0000000000000000000000",
            "title": escape(title) if isinstance(title, str) else title,
            "description": fields.get("snippet"),
            "channelTitle": "공부하는 채널",
            "liveBroadcastContent": "none",
        },
    }


def _envelope(entries: Any, asked: Asked) -> dict[str, Any]:
    if isinstance(entries, list):
        entries = entries[: int(asked.params.get("maxResults", 5))]
    total = len(entries) if isinstance(entries, list) else 0
    page = {"totalResults": total, "resultsPerPage": total}
    return {"kind": "youtube#searchListResponse", "regionCode": "KR", "pageInfo": page, "items": entries}


SERVICE = PlayedService(
    name="youtube",
    settings=lambda base_url: {"youtube_api_key": KEY, "youtube_data_base_url": base_url},
    entry=_entry,
    envelope=_envelope,
    answers={"bad-key": BAD_KEY, "quota": SPENT},
    keys=(KEY,),
    dated=True,
)
