"""The video that an agent means: a sample, an earlier one, an address, or the text of a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from search_core.agents.replies import OWNER, Call, one_line
from search_core.domain.video import VideoContext, video_key
from search_core.errors import InputError, VideoReadError
from search_core.video import youtube_video_id
from search_core.video.address import is_video_id, watch_url
from search_core.video.mapping import VideoFacts
from search_core.video.upload import TEXT_NAME, without_file_name

if TYPE_CHECKING:
    from search_core.core import SearchCore

MAX_SAMPLES_NAMED = 10
NOTHING_TOLD = VideoFacts()
_KEY = re.compile(r"[0-9a-f]{32}")
_ADDRESS = re.compile(r"(?i)(https?://|(www\.|m\.)?youtu(be\.com|\.be)/)\S+")
_MOST_SHARED_LINES = 3
"""Of what an app shares: a title above the address. More lines are the text of a file."""


@dataclass(frozen=True, slots=True)
class ReferencedVideo:
    """A video with the reference by which later calls name it."""

    reference: str
    video: VideoContext


async def open_video(core: SearchCore, reference: str, call: Call, facts: VideoFacts = NOTHING_TOLD) -> ReferencedVideo:
    """Return the video that *reference* names, with *facts* about it added; it is stored, so that later calls can name it.

    Raises InputError for what names none, and VideoReadError.
    """
    opened = await _open(core, reference.strip(), call)
    described = facts.added_to(opened.video)
    if described is opened.video:
        return opened
    return await call.run(lambda: _keep(core, described))


async def open_if_named(core: SearchCore, reference: str, call: Call) -> ReferencedVideo | None:
    """Return the video that *reference* names, or None if it is empty."""
    return await open_video(core, reference, call) if reference.strip() else None


async def _open(core: SearchCore, text: str, call: Call) -> ReferencedVideo:
    video_id = youtube_video_id(text) if text.count("\n") < _MOST_SHARED_LINES else None
    if "\n" in text and video_id is None:
        content = await _read_content(core, text, call)
        return await call.run(lambda: _keep(core, content))
    video = await call.run(lambda: find_stored(core, text))
    if video is not None:
        return ReferencedVideo(text, video)
    if video_id is None and is_video_id(text):
        video_id = text
    if video_id is None:
        raise _other_site() if _ADDRESS.fullmatch(text) else _unknown_video(core, text)
    return await call.run(lambda: _open_youtube(core, video_id))


def _open_youtube(core: SearchCore, video_id: str) -> ReferencedVideo:
    key = video_key(VideoContext(video_id=video_id))
    video = core.videos.open(key, OWNER)
    if video is not None and video.transcript:
        return ReferencedVideo(key, video)
    return _keep(core, core.open_video(watch_url(video_id)))


def _keep(core: SearchCore, video: VideoContext) -> ReferencedVideo:
    return ReferencedVideo(core.videos.keep(video, OWNER), video)


def find_stored(core: SearchCore, reference: str) -> VideoContext | None:
    """Return the sample or the stored video of this reference, or None."""
    sample = next((video for video in core.samples() if video.video_id == reference), None)
    if sample is not None:
        return sample
    return core.videos.open(reference, OWNER) if _KEY.fullmatch(reference) else None


async def _read_content(core: SearchCore, text: str, call: Call) -> VideoContext:
    """Return the video in the text of a subtitle file, which is read in the process for strangers' files."""
    return without_file_name(await call.run(partial(core.read_file, TEXT_NAME, text.encode("utf-8", "replace"))))


def _other_site() -> VideoReadError:
    return VideoReadError(
        "Only addresses of YouTube videos can be read; for another video give the text of its subtitle file.",
        korean="YouTube 영상 주소만 읽을 수 있어요. 다른 영상은 자막 파일의 내용을 넣어 주세요.",
    )


def _unknown_video(core: SearchCore, text: str) -> InputError:
    samples = ", ".join(video.video_id for video in core.samples()[:MAX_SAMPLES_NAMED])
    problem = f"No video is known as {one_line(text, 60)!r}. " if text else "No video was named. "
    return InputError(
        f"{problem}Give a YouTube address, a sample ({samples}), the `video` that an earlier result named, or the whole text of "
        f"a subtitle file, line breaks included.",
        korean="어느 영상인지 알 수 없어요. YouTube 주소나 예시 영상의 ID, 자막 파일의 내용을 넣어 주세요.",
    )
