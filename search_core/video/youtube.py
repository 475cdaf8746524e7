"""The video behind a YouTube address: oEmbed, yt-dlp, and captions.

oEmbed: ``GET /oembed?url=…&format=json``, plain text errors. Read November 2026. Captions come by youtube-transcript-api 1.2,
which bounds neither time nor size, is not thread-safe (one instance a call), and lets errors of requests, of XML and of
unexpected JSON through; all of them end here as YouTubeError.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors as expat_errors

import requests
import urllib3
from requests.adapters import HTTPAdapter
from youtube_transcript_api import YouTubeTranscriptApi
from youtube_transcript_api import _errors as refusals
from youtube_transcript_api._transcripts import FetchedTranscript, Transcript, TranscriptList

from search_core.domain.video import TranscriptOrigin, VideoContext
from search_core.errors import VideoReadError, is_untrusted
from search_core.language.captions import Cue
from search_core.runtime import run_in_thread
from search_core.settings import Settings
from search_core.video.address import YouTubeCause, YouTubeError, is_video_id, watch_url, youtube_video_id
from search_core.video.discovery import chapters_in, discover
from search_core.video.json_transcript import text_of
from search_core.video.limits import limit_video
from search_core.video.mapping import base_language
from search_core.video.subtitles import arrange
from search_core.video.yt_dlp import DEADLINE_S, extract_facts

_OEMBED_CAUSES = {
    400: YouTubeCause.NOT_FOUND,
    404: YouTubeCause.NOT_FOUND,
    401: YouTubeCause.PRIVATE,
    403: YouTubeCause.PRIVATE,
    429: YouTubeCause.RATE_LIMITED,
}
_NOTHING = expat_errors.codes[expat_errors.XML_ERROR_NO_ELEMENTS]
"""XML error for an empty text: YouTube sends one with status 200 to clients without its token."""
_CAPTION_REQUESTS = 3
_SPARE_S = 2.0  # for starting threads and a child process on a busy machine
_UPLOAD_INSTEAD = "자막 파일을 올리거나 YouTube의 스크립트 창에서 복사해 붙여 넣으면 그 내용까지 살펴볼 수 있어요."
_TYPE_INSTEAD = "필요하면 직접 적어 주세요."

MAX_ANSWER_BYTES = 10 << 20
"""Largest answer; a watch page has one or two megabytes, and so have the captions of a day."""
_PART_BYTES = 64 << 10
_LANGUAGES = ("ko", "en")
_TRACKS_TRIED = 3  # tracks tried when one cannot be read; more would look like a robot
_CAUSES: tuple[tuple[YouTubeCause, tuple[type[Exception], ...]], ...] = (
    (YouTubeCause.BLOCKED, (refusals.RequestBlocked, refusals.PoTokenRequired, refusals.FailedToCreateConsentCookie)),
    (YouTubeCause.NO_CAPTIONS, (refusals.TranscriptsDisabled, refusals.NoTranscriptFound)),
    (YouTubeCause.NOT_FOUND, (refusals.VideoUnavailable, refusals.InvalidVideoId)),
    (YouTubeCause.AGE_RESTRICTED, (refusals.AgeRestricted,)),
    (YouTubeCause.UNPLAYABLE, (refusals.VideoUnplayable,)),
    (YouTubeCause.TIMEOUT, (requests.Timeout,)),
    (YouTubeCause.UNREADABLE, (refusals.YouTubeTranscriptApiException, ParseError)),
    (YouTubeCause.UNREADABLE, (requests.exceptions.ContentDecodingError, requests.exceptions.JSONDecodeError)),
    (YouTubeCause.NETWORK, (requests.RequestException,)),
    (YouTubeCause.UNREADABLE, (ValueError, LookupError, TypeError, AttributeError, RecursionError)),
)
_FAILURES = tuple(kind for _, kinds in _CAUSES for kind in kinds)


def ask_oembed(settings: Settings, video_id: str) -> VideoContext:
    """Return title and channel from oEmbed; raises YouTubeError."""
    with _session(settings) as session:
        try:
            answer = session.get(
                settings.youtube_oembed_url, params={"url": watch_url(video_id), "format": "json"}, allow_redirects=False
            )
            if answer.status_code != 200:
                cause = _OEMBED_CAUSES.get(answer.status_code, YouTubeCause.UNREADABLE)
                raise YouTubeError(cause, f"oEmbed answered {answer.status_code}")
            stated = answer.json()
            facts = VideoContext(title=text_of(stated.get("title")), channel=text_of(stated.get("author_name")))
        except _FAILURES as error:
            raise _failure(error, "oEmbed") from error
    if not facts.title:
        raise YouTubeError(YouTubeCause.UNREADABLE, "oEmbed gave no title")
    return facts


@contextmanager
def _session(settings: Settings) -> Iterator[requests.Session]:
    """Provide a session whose requests are bounded and go through the proxy of the settings."""
    with requests.Session() as session:
        for scheme in ("https://", "http://"):
            session.mount(scheme, _BoundedAdapter(settings.web_search_timeout))
        if settings.youtube_proxy or settings.proxy_ca_file:
            session.trust_env = False  # REQUESTS_CA_BUNDLE in the environment would override ``verify``
        if settings.youtube_proxy:
            session.proxies = {"http": settings.youtube_proxy, "https": settings.youtube_proxy}
        if settings.proxy_ca_file:
            session.verify = settings.proxy_ca_file
        yield session


class _BoundedAdapter(HTTPAdapter):
    """Sends requests whose answers, redirects included, are limited in time and size."""

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


def fetch_captions(settings: Settings, video_id: str) -> VideoContext:
    """Return the best captions of a video: spoken language before others, written by people before automatic.

    No translation is requested. If the spoken language is unknown, Korean comes first, then English, then any other. Raises
    YouTubeError.
    """
    with _session(settings) as session:
        try:
            fetched = _first_readable(YouTubeTranscriptApi(http_client=session).list(video_id))
        except _FAILURES as error:
            raise _failure(error, "the transcript") from error
    cues = [Cue(snippet.start, snippet.start + snippet.duration, snippet.text) for snippet in fetched.snippets]
    try:
        subtitles = arrange(cues, fetched.language_code[:2].lower())
    except VideoReadError as error:
        raise YouTubeError(YouTubeCause.TOO_LARGE, str(error)) from error
    if not subtitles.transcript:
        raise YouTubeError(YouTubeCause.NO_CAPTIONS, "the transcript holds no words")
    return replace(subtitles, transcript_origin=TranscriptOrigin.AUTOMATIC if fetched.is_generated else TranscriptOrigin.PEOPLE)


def _first_readable(tracks: TranscriptList) -> FetchedTranscript:
    last: Exception | None = None
    for _, track in zip(range(_TRACKS_TRIED), _by_preference(tracks), strict=False):
        try:
            return track.fetch()
        except (refusals.PoTokenRequired, ParseError) as error:  # this track only; another may be open
            last = error
    raise last or YouTubeError(YouTubeCause.NO_CAPTIONS, "no transcript is listed")


def _by_preference(tracks: TranscriptList) -> Iterator[Transcript]:
    recognised = {base_language(track.language_code) for track in tracks if track.is_generated}
    # dubs have automatic captions, too, so of several languages none is known to be the original
    spoken = recognised.pop() if len(recognised) == 1 else ""

    def place(track: Transcript) -> tuple[bool, bool, int, bool]:
        code = base_language(track.language_code)
        language = _LANGUAGES.index(code) if code in _LANGUAGES else len(_LANGUAGES)
        return code != spoken, not spoken and track.is_generated, language, track.is_generated

    yield from sorted(tracks, key=place)


def _failure(error: Exception, source: str) -> YouTubeError:
    """Return why *source* ("the transcript") could not be read."""
    if isinstance(error, refusals.YouTubeRequestFailed) and "429" in str(error):
        return YouTubeError(YouTubeCause.RATE_LIMITED, f"{source} was refused with 429")
    if isinstance(error, ParseError) and error.code == _NOTHING:
        return YouTubeError(YouTubeCause.BLOCKED, f"{source} is withheld: an answer without a word of it")
    if is_untrusted(error):
        return YouTubeError(YouTubeCause.UNTRUSTED, "the certificate is not trusted")
    cause = next(cause for cause, kinds in _CAUSES if isinstance(error, kinds))
    return YouTubeError(cause, f"{source} could not be read: {type(error).__name__}")


@dataclass(slots=True)
class _Page:
    """Collects the facts about a video, and the errors of sources that did not tell any."""

    facts: VideoContext = field(default_factory=VideoContext)
    described: bool = False
    """Whether yt-dlp returned the description and date."""
    failures: list[YouTubeError] = field(default_factory=list)


class YouTubeReader:
    """Reads videos by address: oEmbed, yt-dlp for what that does not say, and the transcript."""

    def __init__(self, settings: Settings, *, extractor_deadline_s: float = DEADLINE_S) -> None:
        self._settings = settings
        self._extractor_deadline_s = extractor_deadline_s

    def read(self, url: str) -> VideoContext:
        """Return the video at *url* (a text with one address, or an id), with a warning for each missing part.

        Raises VideoReadError when the address is not one of a video, or states more than is read; YouTubeError when
        nothing at all could be learnt.
        """
        video_id = youtube_video_id(url) or (url.strip() if is_video_id(url.strip()) else None)
        if video_id is None:
            raise VideoReadError(
                "Not the address of a YouTube video.",
                korean="YouTube 영상 주소가 아니에요. 영상 페이지의 주소를 그대로 붙여 넣거나 자막 파일을 올려 주세요.",
            )
        captions = run_in_thread(lambda: fetch_captions(self._settings, video_id), "youtube")
        page = run_in_thread(lambda: self._ask_page(video_id), "youtube")
        under_way: list[Future[Any]] = [captions, page]
        wait(under_way, timeout=self._deadline_s())
        return discover(limit_video(_merge(video_id, page, captions)))

    def _deadline_s(self) -> float:
        """Return the longest possible reading time in seconds: the sum of its requests' timeouts."""
        timeout_s = self._settings.web_search_timeout
        return max(_CAPTION_REQUESTS * timeout_s, 2 * timeout_s + self._extractor_deadline_s) + _SPARE_S

    def _ask_page(self, video_id: str) -> _Page:
        page = _Page()
        try:
            page.facts = ask_oembed(self._settings, video_id)
        except YouTubeError as failure:
            page.failures.append(failure)
            if failure.cause is YouTubeCause.NOT_FOUND:
                return page
        try:
            record = extract_facts(self._settings, video_id, self._extractor_deadline_s)
        except YouTubeError as failure:
            page.failures.append(failure)
        else:
            title, channel = page.facts.title or record.title, page.facts.channel or record.channel
            page.facts, page.described = replace(record, title=title, channel=channel), True
        return page


def _merge(video_id: str, page_work: Future[_Page], captions_work: Future[VideoContext]) -> VideoContext:
    page = page_work.result() if page_work.done() else _Page(failures=[YouTubeError(YouTubeCause.TIMEOUT, "no page in time")])
    facts, failure, captions = page.facts, None, None
    try:
        captions = captions_work.result(0)
    except TimeoutError:
        failure = YouTubeError(YouTubeCause.TIMEOUT, "no transcript in time")
    except YouTubeError as error:
        failure = error
    if not facts.title and failure is not None:
        raise _worst([*page.failures, failure])
    warnings = _page_warnings(page)
    if failure is not None:
        warnings.append(f"자막을 가져오지 못했어요: {failure.korean} {_UPLOAD_INSTEAD}")
    video = replace(
        facts,
        video_id=video_id,
        url=watch_url(video_id),
        chapters=chapters_in(facts.description) or facts.chapters,
        warnings=tuple(warnings),
    )
    if captions is None:
        return video
    return replace(
        video,
        transcript=captions.transcript,
        transcript_origin=_origin(captions, facts.language),
        speakers=captions.speakers,
        language=captions.language or facts.language,
        warnings=(*warnings, *captions.warnings),
    )


def _origin(captions: VideoContext, spoken: str) -> TranscriptOrigin:
    """Return the origin of *captions*; automatic ones in another language than *spoken* come from a dubbed sound track."""
    dubbed = captions.transcript_origin is TranscriptOrigin.AUTOMATIC and spoken and captions.language != spoken
    return TranscriptOrigin.TRANSLATED if dubbed else captions.transcript_origin


def _page_warnings(page: _Page) -> list[str]:
    """Return a warning for each field of the page that no source stated."""
    if not page.failures:
        return []
    last = page.failures[-1].korean
    if not page.facts.title:
        return [f"제목과 설명을 가져오지 못했어요: {last} {_TYPE_INSTEAD}"]
    return [] if page.described else [f"설명과 게시일을 가져오지 못했어요: {last} {_TYPE_INSTEAD}"]


def _worst(failures: list[YouTubeError]) -> YouTubeError:
    """Return the failure to show: one about the video (private, removed) rather than one about the connection."""
    order = list(YouTubeCause)
    decisive = (YouTubeCause.PRIVATE, YouTubeCause.NOT_FOUND, YouTubeCause.AGE_RESTRICTED, YouTubeCause.UNPLAYABLE)
    return min(failures, key=lambda failure: (failure.cause not in decisive, order.index(failure.cause)))
