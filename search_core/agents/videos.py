"""Which video an agent means: a sample, one that was opened before, an address, the text of a file, or its path."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from search_core.agents.calls import Call
from search_core.agents.material import one_line
from search_core.domain import FoundClaims, VideoContext, video_key
from search_core.errors import InputError, VideoReadError
from search_core.recent import Recent
from search_core.runtime import run_in_thread
from search_core.video import youtube_video_id
from search_core.video.address import watch_url
from search_core.video.facts import VideoFacts
from search_core.video.upload import name_by_content, without_file_name

if TYPE_CHECKING:
    from search_core.core import SearchCore

K = TypeVar("K")
V = TypeVar("V")
MAX_SAMPLES_NAMED = 10
NOTHING_TOLD = VideoFacts()
_KEY = re.compile(r"[0-9a-f]{32}")
_YOUTUBE_ID = re.compile(r"[A-Za-z0-9_-]{11}")
_ADDRESS = re.compile(r"(?i)(https?://|(www\.|m\.)?youtu(be\.com|\.be)/)\S+")
_ENDINGS = (".srt", ".vtt", ".smi", ".sami", ".ass", ".ssa", ".ttml", ".info.json", ".txt")
"""Of files that are read by their path: an agent is no way round what its user lets it read."""
_READING_MARGIN_S = 4.0
"""Left of a call for what is done with the video."""
MAX_STARTED = 32
"""Videos that are being read, or whose claims are known; those asked for last."""
_CLAIMS_MARGIN_S = 2.0


@dataclass(frozen=True, slots=True)
class OpenedVideo:
    """A video with what later calls name it by."""

    reference: str
    video: VideoContext


class Started(Generic[K, V]):
    """Work that goes on after the call that began it: a call that is made again takes it, and begins anew what failed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun: Recent[K, Future[V] | None] = Recent(MAX_STARTED)

    def begin(self, key: K, work: Callable[[], V]) -> Future[V]:
        """Return what was begun under *key*, which is *work* where nothing was, or it failed."""
        with self._lock:
            begun = self._begun.get(key)
            if begun is None or (begun.done() and begun.exception() is not None):
                begun = run_in_thread(work, "agent-started")
                self._begun.put(key, begun)
            return begun

    def forget(self, key: K) -> None:
        """Begin anew the next time."""
        self._begun.put(key, None)


class Videos:
    """Opens videos for callers, and finds their claims; what was read is kept for its owner alone, and read once at a time."""

    def __init__(self) -> None:
        self._reading: Started[str, VideoContext] = Started()
        self._claims: Started[VideoContext, FoundClaims] = Started()

    async def open(self, core: SearchCore, given: str, call: Call, facts: VideoFacts = NOTHING_TOLD) -> OpenedVideo:
        """Return the video that *given* names, with the *facts* that are told of it.

        Raises InputError for what names none, VideoReadError, and StillReadingError when reading goes on after the call.
        """
        opened = await self._open(core, given.strip(), call)
        described = facts.added_to(opened.video)
        if described is opened.video:
            return opened
        if opened.video.sample:
            raise InputError(
                "Title, channel and date are told of videos that were handed in, not of a sample.",
                korean="예시 영상의 제목, 채널, 날짜는 바꿀 수 없어요.",
            )
        return await _keep(core, described, call)

    async def open_if_named(self, core: SearchCore, given: str, call: Call) -> OpenedVideo | None:
        """Return the video that *given* names, or None where it is empty."""
        return await self.open(core, given, call) if given.strip() else None

    async def find_claims(self, core: SearchCore, opened: OpenedVideo, call: Call) -> FoundClaims:
        """Return the claims of a video; raises StillReadingError when finding them goes on after the call."""
        video = opened.video
        call.message = "Looking for claims in what is said."
        found = await call.result(self._claims.begin(video, lambda: core.find_claims(video)), call.left_s - _CLAIMS_MARGIN_S)
        if not found.complete:
            self._claims.forget(video)
        return found

    async def _open(self, core: SearchCore, text: str, call: Call) -> OpenedVideo:
        if "\n" in text:
            return await _keep(core, await _read_content(core, text, call), call)
        kept = await call.run(lambda: find_stored(core, text, call.caller.owner))
        if kept is not None:
            return OpenedVideo(text, kept)
        if _ADDRESS.fullmatch(text):
            return await self._open_address(core, text, call)
        if _YOUTUBE_ID.fullmatch(text):
            return await self._open_address(core, watch_url(text), call)
        if call.caller.may_read_files and text.lower().endswith(_ENDINGS):
            call.message = "Reading the file."
            return await _keep(core, await call.run(lambda: VideoContext.from_file(Path(text).expanduser())), call)
        raise _unknown_video(core, text, call)

    async def _open_address(self, core: SearchCore, url: str, call: Call) -> OpenedVideo:
        video_id = youtube_video_id(url)
        if video_id is None:
            raise VideoReadError(
                "Only addresses of YouTube videos can be read; for another video give the text of its subtitle file.",
                korean="YouTube 영상 주소만 읽을 수 있어요. 다른 영상은 자막 파일의 내용을 넣어 주세요.",
            )
        key = video_key(VideoContext(video_id=video_id))
        kept = await call.run(lambda: core.videos.open(key, call.caller.owner))
        if kept is not None and kept.transcript:
            return OpenedVideo(key, kept)
        call.message = "Reading the video at YouTube."
        begun = self._reading.begin(video_id, lambda: core.open_video(watch_url(video_id)))
        opened = await _keep(core, await call.result(begun, call.left_s - _READING_MARGIN_S), call)
        self._reading.forget(video_id)
        return opened


async def _keep(core: SearchCore, video: VideoContext, call: Call) -> OpenedVideo:
    return OpenedVideo(await call.run(lambda: core.videos.keep(video, call.caller.owner)), video)


def find_stored(core: SearchCore, reference: str, owner: str) -> VideoContext | None:
    """Return the sample, or the video that *owner* has opened, of this reference; None where there is none."""
    sample = next((video for video in core.samples() if video.video_id == reference), None)
    if sample is not None:
        return sample
    return core.videos.open(reference, owner) if _KEY.fullmatch(reference) else None


async def _read_content(core: SearchCore, text: str, call: Call) -> VideoContext:
    """Return the video in the text of a file, read in the process for strangers' files, which ends with the call."""
    call.message = "Reading the text of the file."
    reading = core.start_reading_file(name_by_content(text), text.encode("utf-8", "replace"))
    try:
        await call.run(lambda: reading.wait(max(0.0, call.left_s - _READING_MARGIN_S)))
    finally:
        reading.cancel()
    return without_file_name(await call.run(reading.result))


def _unknown_video(core: SearchCore, text: str, call: Call) -> InputError:
    samples = ", ".join(video.video_id for video in core.samples()[:MAX_SAMPLES_NAMED])
    path = f", a path of this machine ending in {' '.join(_ENDINGS)}" if call.caller.may_read_files else ""
    named = f"No video is known as {one_line(text, 60)!r}. " if text else "No video was named. "
    return InputError(
        f"{named}Give a YouTube address, a sample ({samples}), the `video` that an earlier result named, or the whole text of a "
        f"subtitle file, line breaks included{path}.",
        korean="어느 영상인지 알 수 없어요. YouTube 주소나 예시 영상의 ID, 자막 파일의 내용을 넣어 주세요.",
    )
