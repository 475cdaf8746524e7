"""Transcripts from YouTube, by youtube-transcript-api 1.2.

The package bounds neither time nor size, is not thread-safe (one instance a call), and lets errors of requests, of XML and of
unexpected JSON through; all of them end here as YouTubeError.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import ParseError

import requests
import urllib3
from requests.adapters import HTTPAdapter
from youtube_transcript_api import YouTubeTranscriptApi
from youtube_transcript_api import _errors as refusals
from youtube_transcript_api._transcripts import FetchedTranscript, Transcript, TranscriptList

from search_core.domain import TranscriptOrigin
from search_core.errors import VideoReadError
from search_core.settings import Settings
from search_core.text.captions import Cue
from search_core.video.address import YouTubeCause, YouTubeError
from search_core.video.record import base_language
from search_core.video.subtitles import Subtitles, arrange

MAX_ANSWER_BYTES = 10 << 20
"""A watch page has one or two megabytes, the captions of a day as much."""
_PART_BYTES = 64 << 10
_LANGUAGES = ("ko", "en")
_TRIES = 3  # tracks tried when one cannot be read; more would look like a robot
_CAUSES: tuple[tuple[YouTubeCause, tuple[type[Exception], ...]], ...] = (
    (YouTubeCause.BLOCKED, (refusals.RequestBlocked, refusals.PoTokenRequired)),
    (YouTubeCause.NO_CAPTIONS, (refusals.TranscriptsDisabled, refusals.NoTranscriptFound)),
    (YouTubeCause.NOT_FOUND, (refusals.VideoUnavailable, refusals.InvalidVideoId)),
    (YouTubeCause.AGE_RESTRICTED, (refusals.AgeRestricted,)),
    (YouTubeCause.UNPLAYABLE, (refusals.VideoUnplayable,)),
    (YouTubeCause.TIMEOUT, (requests.Timeout,)),
    (YouTubeCause.UNREADABLE, (refusals.YouTubeTranscriptApiException, ParseError)),
    (YouTubeCause.UNREADABLE, (requests.exceptions.ContentDecodingError, requests.exceptions.JSONDecodeError)),
    (YouTubeCause.NETWORK, (requests.RequestException,)),
    (YouTubeCause.UNREADABLE, (ValueError, LookupError, TypeError, AttributeError)),
)
_KNOWN = tuple(kind for _, kinds in _CAUSES for kind in kinds)


class _BoundedAdapter(HTTPAdapter):
    """Sends requests whose every answer, redirects among them, is bounded in time and size."""

    def __init__(self, timeout_s: float) -> None:
        super().__init__()
        self._timeout_s = timeout_s

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        ends = time.monotonic() + self._timeout_s
        response = super().send(request, *args, **{**options, "timeout": self._timeout_s, "stream": True})
        response._content = _read_body(response, ends)  # what ``content`` returns without reading further
        return response


def _read_body(response: requests.Response, ends: float) -> bytes:
    """Return the unpacked body; raises requests.RequestException."""
    body = bytearray()
    try:
        while part := response.raw.read1(_PART_BYTES, decode_content=True):
            body += part
            if len(body) > MAX_ANSWER_BYTES:
                raise requests.exceptions.ContentDecodingError(f"more than {MAX_ANSWER_BYTES} bytes")
            if time.monotonic() > ends:
                raise requests.ReadTimeout
    except urllib3.exceptions.ReadTimeoutError as error:
        raise requests.ReadTimeout from error
    except urllib3.exceptions.HTTPError as error:
        raise requests.exceptions.ContentDecodingError(type(error).__name__) from error
    finally:
        response.close()
    return bytes(body)


def fetch_captions(settings: Settings, video_id: str) -> Subtitles:
    """Return the words of a video: in the language that is spoken before translations, written by people before automatic.

    Nothing is translated for it. Where the spoken language is not known, Korean comes before English before any other. Raises
    YouTubeError.
    """
    with requests.Session() as session:
        for scheme in ("https://", "http://"):
            session.mount(scheme, _BoundedAdapter(settings.web_search_timeout))
        if settings.youtube_proxy or settings.youtube_ca_file:
            session.trust_env = False  # REQUESTS_CA_BUNDLE in the environment would override ``verify``
        if settings.youtube_proxy:
            session.proxies = {"http": settings.youtube_proxy, "https": settings.youtube_proxy}
        if settings.youtube_ca_file:
            session.verify = settings.youtube_ca_file
        try:
            tracks = YouTubeTranscriptApi(http_client=session).list(video_id)
            fetched = _first_readable(tracks)
        except _KNOWN as error:
            raise _failure(error) from error
    cues = [Cue(snippet.start, snippet.start + snippet.duration, snippet.text) for snippet in fetched.snippets]
    try:
        subtitles = arrange(cues, fetched.language_code[:2].lower())
    except VideoReadError as error:
        raise YouTubeError(YouTubeCause.TOO_LARGE, str(error)) from error
    if not subtitles.segments:
        raise YouTubeError(YouTubeCause.NO_CAPTIONS, "the transcript holds no words")
    return replace(subtitles, origin=TranscriptOrigin.AUTOMATIC if fetched.is_generated else TranscriptOrigin.PEOPLE)


def _first_readable(tracks: TranscriptList) -> FetchedTranscript:
    last: Exception | None = None
    for _, track in zip(range(_TRIES), _by_preference(tracks), strict=False):
        try:
            return track.fetch()
        except (refusals.PoTokenRequired, ParseError) as error:  # this track only; another may be open
            last = error
    raise last or YouTubeError(YouTubeCause.NO_CAPTIONS, "no transcript is listed")


def _by_preference(tracks: TranscriptList) -> Iterator[Transcript]:
    recognised = {base_language(track.language_code) for track in tracks if track.is_generated}
    # dubs are recognised, too: of several languages none is known to be the first
    spoken = recognised.pop() if len(recognised) == 1 else ""

    def place(track: Transcript) -> tuple[bool, bool, int, bool]:
        code = base_language(track.language_code)
        language = _LANGUAGES.index(code) if code in _LANGUAGES else len(_LANGUAGES)
        return code != spoken, not spoken and track.is_generated, language, track.is_generated

    yield from sorted(tracks, key=place)


def _failure(error: Exception) -> YouTubeError:
    if isinstance(error, YouTubeError):
        return error
    if isinstance(error, refusals.YouTubeRequestFailed) and "429" in str(error):
        return YouTubeError(YouTubeCause.RATE_LIMITED, "the transcript request was refused with 429")
    cause = next(cause for cause, kinds in _CAUSES if isinstance(error, kinds))
    return YouTubeError(cause, f"the transcript could not be read: {type(error).__name__}")
