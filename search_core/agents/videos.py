"""Which video an agent means: a sample, one that was opened before, an address, or the text of a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from search_core.agents.calls import Call
from search_core.agents.material import one_line
from search_core.domain import FoundClaims, VideoContext, video_key
from search_core.errors import InputError, VideoReadError
from search_core.runtime import run_in_thread
from search_core.video import youtube_video_id
from search_core.video.address import is_video_id, watch_url
from search_core.video.facts import VideoFacts
from search_core.video.upload import TEXT_NAME, without_file_name

if TYPE_CHECKING:
    from search_core.core import SearchCore

V = TypeVar("V")
MAX_SAMPLES_NAMED = 10
NOTHING_TOLD = VideoFacts()
_KEY = re.compile(r"[0-9a-f]{32}")
_ADDRESS = re.compile(r"(?i)(https?://|(www\.|m\.)?youtu(be\.com|\.be)/)\S+")
_MOST_SHARED_LINES = 3
"""Of what an app shares, a title above the address; more lines are the text of a file."""
_MARGIN_S = 4.0
"""Left of a call for what is done with the video."""


@dataclass(frozen=True, slots=True)
class OpenedVideo:
    """A video with what later calls name it by."""

    reference: str
    video: VideoContext


class Videos:
    """Opens videos for callers, and finds their claims; what was read is kept for its owner alone, and read once at a time."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, Future[Any]] = {}
        """Readings and searches for claims; what came of them, the core keeps."""

    async def open(self, core: SearchCore, given: str, call: Call, facts: VideoFacts = NOTHING_TOLD) -> OpenedVideo:
        """Return the video that *given* names, with the *facts* that are told of it.

        Raises InputError for what names none, VideoReadError, and StillReadingError when reading goes on after the call.
        """
        opened = await self._open(core, given.strip(), call)
        described = facts.added_to(opened.video)
        if described is opened.video:
            return opened
        return await _keep(core, described, call)

    async def open_if_named(self, core: SearchCore, given: str, call: Call) -> OpenedVideo | None:
        """Return the video that *given* names, or None where it is empty."""
        return await self.open(core, given, call) if given.strip() else None

    async def find_claims(self, core: SearchCore, opened: OpenedVideo, call: Call) -> FoundClaims:
        """Return the claims of a video; raises StillReadingError when finding them goes on after the call."""
        video = opened.video
        return await call.result(self._begin(video, lambda: core.find_claims(video)), call.left_s - _MARGIN_S)

    def _begin(self, key: Hashable, work: Callable[[], V]) -> Future[V]:
        """Return what is under way under *key*, also for an earlier call, which is *work* where nothing is."""
        begun = self._under_way.get(key)
        if begun is None:
            begun = self._under_way[key] = run_in_thread(work, "agent-work")
            begun.add_done_callback(lambda _: self._under_way.pop(key, None))
        return begun

    async def _open(self, core: SearchCore, text: str, call: Call) -> OpenedVideo:
        video_id = youtube_video_id(text) if text.count("\n") < _MOST_SHARED_LINES else None
        if "\n" in text and video_id is None:
            return await _keep(core, await _read_content(core, text, call), call)
        kept = await call.run(lambda: find_stored(core, text, call.caller.owner))
        if kept is not None:
            return OpenedVideo(text, kept)
        if video_id is not None or _ADDRESS.fullmatch(text):
            return await self._open_address(core, text, call)
        if is_video_id(text):
            return await self._open_address(core, watch_url(text), call)
        raise _unknown_video(core, text)

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
        owner = call.caller.owner
        begun = self._begin((owner, video_id), lambda: _kept(core, core.open_video(watch_url(video_id)), owner))
        return await call.result(begun, call.left_s - _MARGIN_S)


async def _keep(core: SearchCore, video: VideoContext, call: Call) -> OpenedVideo:
    return await call.run(lambda: _kept(core, video, call.caller.owner))


def _kept(core: SearchCore, video: VideoContext, owner: str) -> OpenedVideo:
    return OpenedVideo(core.videos.keep(video, owner), video)


def find_stored(core: SearchCore, reference: str, owner: str) -> VideoContext | None:
    """Return the sample, or the video that *owner* has opened, of this reference; None where there is none."""
    sample = next((video for video in core.samples() if video.video_id == reference), None)
    if sample is not None:
        return sample
    return core.videos.open(reference, owner) if _KEY.fullmatch(reference) else None


async def _read_content(core: SearchCore, text: str, call: Call) -> VideoContext:
    """Return the video in the text of a file, read in the process for strangers' files, which ends with the call."""
    reading = core.start_reading_file(TEXT_NAME, text.encode("utf-8", "replace"))
    try:
        await call.run(lambda: reading.wait(max(0.0, call.left_s - _MARGIN_S)))
    finally:
        reading.cancel()
    return without_file_name(await call.run(reading.result))


def _unknown_video(core: SearchCore, text: str) -> InputError:
    samples = ", ".join(video.video_id for video in core.samples()[:MAX_SAMPLES_NAMED])
    named = f"No video is known as {one_line(text, 60)!r}. " if text else "No video was named. "
    return InputError(
        f"{named}Give a YouTube address, a sample ({samples}), the `video` that an earlier result named, or the whole text of a "
        f"subtitle file, line breaks included.",
        korean="어느 영상인지 알 수 없어요. YouTube 주소나 예시 영상의 ID, 자막 파일의 내용을 넣어 주세요.",
    )
