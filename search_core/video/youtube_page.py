"""What YouTube's open services state about a video: oEmbed, and the Data API when a key is set.

oEmbed: ``GET /oembed?url=…&format=json``, plain text errors. Data API v3: ``GET /videos?part=snippet,contentDetails&id=…``, an
unknown or private video is an empty ``items``. Read November 2026.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx

from search_core.dates import read_date
from search_core.redaction import quiet_libraries
from search_core.settings import Settings
from search_core.video.address import watch_url
from search_core.video.mapping import text_of
from search_core.video.youtube_failure import YouTubeCause, YouTubeError

MAX_ANSWER_BYTES = 1 << 20
"""The facts of one video take some kilobytes."""
_ISO_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
_OEMBED_CAUSES = {
    400: YouTubeCause.NOT_FOUND,
    404: YouTubeCause.NOT_FOUND,
    401: YouTubeCause.PRIVATE,
    403: YouTubeCause.PRIVATE,
    429: YouTubeCause.RATE_LIMITED,
}

quiet_libraries()  # the Data API takes its key in the address, and httpx logs addresses


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFacts:
    """What one source states about a video, apart from its words; empty where it is silent."""

    title: str = ""
    channel: str = ""
    description: str = ""
    published_at: datetime | None = None
    language: str = ""
    spoken: str = ""
    """Language code of the sound."""
    thumbnail_url: str = ""
    duration_s: float | None = None


def ask_oembed(settings: Settings, video_id: str) -> PageFacts:
    """Return title, channel and thumbnail from oEmbed; raises YouTubeError."""
    status, body = _get(settings, settings.youtube_oembed_url, {"url": watch_url(video_id), "format": "json"})
    if status != 200:
        raise YouTubeError(_OEMBED_CAUSES.get(status, YouTubeCause.UNREADABLE), f"oEmbed answered {status}")
    answer = _object(status, body)
    facts = PageFacts(
        title=text_of(answer.get("title")),
        channel=text_of(answer.get("author_name")),
        thumbnail_url=text_of(answer.get("thumbnail_url")),
    )
    if not facts.title:
        raise YouTubeError(YouTubeCause.UNREADABLE, "oEmbed gave no title")
    return facts


def ask_data_api(settings: Settings, video_id: str) -> PageFacts:
    """Return what the Data API states; raises YouTubeError. A key must be set."""
    key = settings.youtube_api_key.get_secret_value()
    address = f"{settings.youtube_data_base_url}/videos"
    status, body = _get(settings, address, {"part": "snippet,contentDetails", "id": video_id, "key": key})
    answer = _object(status, body)
    if status != 200:
        raise YouTubeError(_data_cause(status, answer), f"the Data API answered {status}")
    items = answer.get("items")
    if not isinstance(items, list):
        raise YouTubeError(YouTubeCause.UNREADABLE, "the Data API gave no items")
    if not items:
        raise YouTubeError(YouTubeCause.NOT_FOUND, "the Data API knows no such video")
    return _facts_of(items[0] if isinstance(items[0], Mapping) else {})


def _get(settings: Settings, address: str, parameters: dict[str, str]) -> tuple[int, bytes]:
    """Return status and body of an answer."""
    timeout_s = settings.web_search_timeout
    ends, body = time.monotonic() + timeout_s, bytearray()
    try:
        with (
            httpx.Client(timeout=timeout_s, follow_redirects=False, headers={"Accept-Encoding": "identity"}) as client,
            client.stream("GET", address, params=parameters) as response,
        ):
            for part in response.iter_raw():
                body += part
                if len(body) > MAX_ANSWER_BYTES:
                    raise YouTubeError(YouTubeCause.UNREADABLE, f"an answer of more than {MAX_ANSWER_BYTES} bytes")
                if time.monotonic() > ends:
                    raise YouTubeError(YouTubeCause.TIMEOUT, f"no whole answer within {timeout_s:g} s")
            return response.status_code, bytes(body)
    except httpx.TimeoutException as error:
        raise YouTubeError(YouTubeCause.TIMEOUT, f"no answer within {timeout_s:g} s") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise YouTubeError(YouTubeCause.NETWORK, type(error).__name__) from error


def _object(status: int, body: bytes) -> Mapping[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise YouTubeError(YouTubeCause.UNREADABLE, f"{status} without readable JSON") from error
    return answer if isinstance(answer, Mapping) else {}


def _data_cause(status: int, answer: Mapping[str, Any]) -> YouTubeCause:
    text = str(answer)
    if "quotaExceeded" in text or "dailyLimitExceeded" in text:
        return YouTubeCause.QUOTA
    if status == 429 or "rateLimitExceeded" in text:
        return YouTubeCause.RATE_LIMITED
    if status in (401, 403) or "API_KEY_INVALID" in text or "API key" in text or "keyInvalid" in text:
        return YouTubeCause.INVALID_KEY
    return YouTubeCause.UNREADABLE


def _facts_of(item: Mapping[str, Any]) -> PageFacts:
    snippet, details = _part(item, "snippet"), _part(item, "contentDetails")
    thumbnails = _part(snippet, "thumbnails")
    sizes = ("maxres", "standard", "high", "medium", "default")
    pictures = (text_of(_part(thumbnails, size).get("url")) for size in sizes)
    return PageFacts(
        title=text_of(snippet.get("title")),
        channel=text_of(snippet.get("channelTitle")),
        description=text_of(snippet.get("description")),
        published_at=read_date(snippet.get("publishedAt")),
        language=text_of(snippet.get("defaultAudioLanguage") or snippet.get("defaultLanguage"))[:2].lower(),
        spoken=text_of(snippet.get("defaultAudioLanguage"))[:2].lower(),
        thumbnail_url=next((picture for picture in pictures if picture), ""),
        duration_s=_iso_seconds(text_of(details.get("duration"))),
    )


def _part(mapping: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    part = mapping.get(key)
    return part if isinstance(part, Mapping) else {}


def _iso_seconds(text: str) -> float | None:
    found = _ISO_DURATION.fullmatch(text)
    if found is None or not any(found.groups()):
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
