"""Transcripts from YouTube, by youtube-transcript-api 1.2.

The package has no timeout of its own, is not thread-safe (one instance a call), and lets errors of requests, of XML and of
unexpected JSON through; all of them end here as YouTubeError.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import ParseError

import requests
from youtube_transcript_api import YouTubeTranscriptApi
from youtube_transcript_api import _errors as refusals
from youtube_transcript_api._transcripts import FetchedTranscript, Transcript, TranscriptList

from search_core.settings import Settings
from search_core.video.cues import Cue, Subtitles, arrange
from search_core.video.youtube_failure import YouTubeCause, YouTubeError

_LANGUAGES = ("ko", "en")
_TRIES = 3  # tracks tried when one cannot be read; more would look like a robot
_CAUSES: tuple[tuple[type[Exception], YouTubeCause], ...] = (
    (refusals.RequestBlocked, YouTubeCause.BLOCKED),
    (refusals.PoTokenRequired, YouTubeCause.BLOCKED),
    (refusals.TranscriptsDisabled, YouTubeCause.NO_CAPTIONS),
    (refusals.NoTranscriptFound, YouTubeCause.NO_CAPTIONS),
    (refusals.VideoUnavailable, YouTubeCause.NOT_FOUND),
    (refusals.InvalidVideoId, YouTubeCause.NOT_FOUND),
    (refusals.AgeRestricted, YouTubeCause.AGE_RESTRICTED),
    (refusals.VideoUnplayable, YouTubeCause.UNPLAYABLE),
    (refusals.YouTubeTranscriptApiException, YouTubeCause.UNREADABLE),
    (requests.Timeout, YouTubeCause.TIMEOUT),
    (requests.exceptions.JSONDecodeError, YouTubeCause.UNREADABLE),
    (requests.RequestException, YouTubeCause.NETWORK),
    (ParseError, YouTubeCause.UNREADABLE),
    (ValueError, YouTubeCause.UNREADABLE),
    (LookupError, YouTubeCause.UNREADABLE),
    (TypeError, YouTubeCause.UNREADABLE),
    (AttributeError, YouTubeCause.UNREADABLE),
)
_KNOWN = tuple(kind for kind, _ in _CAUSES)


class _TimedSession(requests.Session):
    """A session whose every request has a timeout."""

    def __init__(self, timeout_s: float) -> None:
        super().__init__()
        self._timeout_s = timeout_s

    def request(self, *args: Any, **options: Any) -> requests.Response:
        options.setdefault("timeout", self._timeout_s)
        return super().request(*args, **options)


def fetch_captions(settings: Settings, video_id: str) -> Subtitles:
    """Return the words of a video, Korean before English before any language, written by people before automatic.

    Raises YouTubeError.
    """
    with _TimedSession(settings.web_search_timeout) as session:
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
    subtitles = arrange(cues, fetched.language_code[:2].lower())
    if not subtitles.segments:
        raise YouTubeError(YouTubeCause.NO_CAPTIONS, "the transcript holds no words")
    return subtitles


def _first_readable(tracks: TranscriptList) -> FetchedTranscript:
    last: Exception | None = None
    for _, track in zip(range(_TRIES), _by_preference(tracks), strict=False):
        try:
            return track.fetch()
        except (refusals.PoTokenRequired, ParseError) as error:  # this track only; another may be open
            last = error
    raise last or YouTubeError(YouTubeCause.NO_CAPTIONS, "no transcript is listed")


def _by_preference(tracks: TranscriptList) -> Iterator[Transcript]:
    def place(track: Transcript) -> tuple[int, bool]:
        code = track.language_code.lower().partition("-")[0]
        return _LANGUAGES.index(code) if code in _LANGUAGES else len(_LANGUAGES), track.is_generated

    yield from sorted(tracks, key=place)


def _failure(error: Exception) -> YouTubeError:
    if isinstance(error, YouTubeError):
        return error
    if isinstance(error, refusals.YouTubeRequestFailed) and "429" in str(error):
        return YouTubeError(YouTubeCause.RATE_LIMITED, "the transcript request was refused with 429")
    cause = next(cause for kind, cause in _CAUSES if isinstance(error, kind))
    return YouTubeError(cause, f"the transcript could not be read: {type(error).__name__}")
