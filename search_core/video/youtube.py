"""The video behind a YouTube address."""

from __future__ import annotations

from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import Any

from search_core.domain import TranscriptOrigin, VideoContext
from search_core.errors import VideoReadError
from search_core.runtime import run_in_thread
from search_core.settings import Settings
from search_core.video.address import watch_url, youtube_video_id
from search_core.video.chapters import chapters_in
from search_core.video.cues import Subtitles
from search_core.video.discovery import discover
from search_core.video.limits import limit_video
from search_core.video.youtube_captions import fetch_captions
from search_core.video.youtube_extractor import DEADLINE_S, extract_facts
from search_core.video.youtube_failure import YouTubeCause, YouTubeError
from search_core.video.youtube_page import PageFacts, ask_data_api, ask_oembed

_CAPTION_REQUESTS = 3
_SPARE_S = 2.0  # for starting threads and a child process on a busy machine
_UPLOAD_INSTEAD = "자막 파일을 올리면 그 내용까지 살펴볼 수 있어요."
_TYPE_INSTEAD = "필요하면 직접 적어 주세요."


@dataclass(slots=True)
class _Page:
    """Gathers what the sources of page facts state, and how each failed."""

    facts: list[PageFacts] = field(default_factory=list)
    record: VideoContext | None = None
    failures: list[YouTubeError] = field(default_factory=list)

    def first(self, name: str) -> str:
        sources = [*self.facts, *([self.record] if self.record else [])]
        return next((value for source in sources if (value := str(getattr(source, name)))), "")

    @property
    def spoken(self) -> str:
        """Return the language of the sound; empty where it is unknown."""
        stated = next((facts.spoken for facts in self.facts if facts.spoken), "")
        return stated or (self.record.language if self.record else "")


class YouTubeReader:
    """Reads videos by address: oEmbed, the Data API when a key is set, yt-dlp for what is still missing, and the transcript."""

    def __init__(self, settings: Settings, *, extractor_deadline_s: float = DEADLINE_S) -> None:
        self._settings = settings
        self._extractor_deadline_s = extractor_deadline_s

    def read(self, url: str) -> VideoContext:
        """Return the video at *url*, with a warning for each part that could not be had.

        Raises VideoReadError when the address is not one of a video, or states more than is read; YouTubeError when
        nothing at all could be learnt.
        """
        video_id = youtube_video_id(url)
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
        """Return the longest a reading may take, in seconds: what its requests may take one after another."""
        timeout_s = self._settings.web_search_timeout
        return max(_CAPTION_REQUESTS * timeout_s, 2 * timeout_s + self._extractor_deadline_s) + _SPARE_S

    def _ask_page(self, video_id: str) -> _Page:
        page = _Page()
        try:
            page.facts.append(ask_oembed(self._settings, video_id))
        except YouTubeError as failure:
            page.failures.append(failure)
        if self._settings.youtube_api_key.get_secret_value():
            try:
                page.facts.insert(0, ask_data_api(self._settings, video_id))
                return page
            except YouTubeError as failure:
                page.failures.append(failure)
        if any(failure.cause is YouTubeCause.NOT_FOUND for failure in page.failures):
            return page
        try:
            page.record = extract_facts(self._settings, video_id, self._extractor_deadline_s)
        except YouTubeError as failure:
            page.failures.append(failure)
        return page


def _merge(video_id: str, page_work: Future[_Page], captions_work: Future[Subtitles]) -> VideoContext:
    page = page_work.result() if page_work.done() else _Page(failures=[YouTubeError(YouTubeCause.TIMEOUT, "no page in time")])
    failure: YouTubeError | None = None
    captions: Subtitles | None = None
    try:
        if captions_work.done():
            captions = captions_work.result()
        else:
            failure = YouTubeError(YouTubeCause.TIMEOUT, "no transcript in time")
    except YouTubeError as error:
        failure = error
    title = page.first("title")
    if not title and captions is None:
        raise _worst([*page.failures, *([failure] if failure else [])])
    warnings = [*_page_warnings(page), *(captions.warnings if captions else ())]
    if failure is not None:
        warnings.append(f"자막을 가져오지 못했어요: {failure.korean} {_UPLOAD_INSTEAD}")
    description = page.first("description")
    record = page.record
    return VideoContext(
        video_id=video_id,
        url=watch_url(video_id),
        title=title,
        channel=page.first("channel"),
        published_at=next((f.published_at for f in page.facts if f.published_at), record.published_at if record else None),
        description=description,
        chapters=chapters_in(description) or (record.chapters if record else ()),
        transcript=captions.segments if captions else (),
        transcript_origin=_origin(captions, page.spoken) if captions else TranscriptOrigin.UNKNOWN,
        speakers=captions.speakers if captions else (),
        language=(captions.language if captions else "") or page.first("language"),
        thumbnail_url=page.first("thumbnail_url") or f"https://i.ytimg.com/vi/{video_id}/hqdefault.jpg",
        duration_s=next((f.duration_s for f in page.facts if f.duration_s), record.duration_s if record else None),
        warnings=tuple(warnings),
    )


def _origin(captions: Subtitles, spoken: str) -> TranscriptOrigin:
    """Return where *captions* are from; what was heard in another language than is *spoken* is a machine's dub."""
    dubbed = captions.origin is TranscriptOrigin.AUTOMATIC and spoken and captions.language != spoken
    return TranscriptOrigin.TRANSLATED if dubbed else captions.origin


def _page_warnings(page: _Page) -> list[str]:
    """Return a warning for each part of the page that no source stated."""
    if not page.failures:
        return []
    last = page.failures[-1].korean
    if not page.first("title"):
        return [f"제목과 설명을 가져오지 못했어요: {last} {_TYPE_INSTEAD}"]
    keyed = [failure for failure in page.failures if failure.cause in (YouTubeCause.INVALID_KEY, YouTubeCause.QUOTA)]
    if page.record is None and not page.first("description"):
        return [f"설명과 게시일을 가져오지 못했어요: {(keyed or page.failures)[-1].korean} {_TYPE_INSTEAD}"]
    return [f"{failure.korean} 다른 방법으로 읽었어요." for failure in keyed]


def _worst(failures: list[YouTubeError]) -> YouTubeError:
    """Return the failure that tells the user most: what is wrong with the video, before what is wrong on the way."""
    order = list(YouTubeCause)
    decisive = (YouTubeCause.PRIVATE, YouTubeCause.NOT_FOUND, YouTubeCause.AGE_RESTRICTED, YouTubeCause.UNPLAYABLE)
    return min(failures, key=lambda failure: (failure.cause not in decisive, order.index(failure.cause)))
