"""The video that an agent means: a sample, an earlier one, an address, or the text of a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from search_core.agents.replies import OWNER, Call, one_line
from search_core.domain.video import VideoContext, video_key
from search_core.errors import InputError, VideoReadError
from search_core.video.address import is_video_id, watch_url, youtube_video_id
from search_core.video.mapping import VideoFacts
from search_core.video.upload import TEXT_NAME, without_file_name

if TYPE_CHECKING:
    from search_core.core import SearchCore

NOTHING_TOLD = VideoFacts()
_KEY = re.compile(r"[0-9a-f]{32}")
_ADDRESS = re.compile(r"(?i)(https?://|(www\.|m\.)?youtu(be\.com|\.be)/)\S+")
_MOST_SHARED_LINES = 3
"""Most lines of a shared address, which some apps send below a title; more lines are the text of a file."""


@dataclass(frozen=True, slots=True)
class ReferencedVideo:
    """A video with the reference by which later calls name it."""

    reference: str
    video: VideoContext


async def open_video(core: SearchCore, reference: str, call: Call, facts: VideoFacts = NOTHING_TOLD) -> ReferencedVideo:
    """Return the video that *reference* names, with *facts* added, and store it for later calls; raises MaekrakError."""

    def find() -> ReferencedVideo:
        found = _find(core, reference.strip())
        described = facts.added_to(found.video)
        return found if described is found.video else _keep(core, described)

    return await call.run(find)


async def open_if_named(core: SearchCore, reference: str, call: Call) -> ReferencedVideo | None:
    """Return the video that *reference* names, or None if it is empty."""
    return await open_video(core, reference, call) if reference.strip() else None


def _find(core: SearchCore, text: str) -> ReferencedVideo:
    video_id = youtube_video_id(text) if text.count("\n") < _MOST_SHARED_LINES else None
    if "\n" in text and video_id is None:
        return _keep(core, without_file_name(core.read_file(TEXT_NAME, text.encode("utf-8", "replace"))))
    known = next((video for video in core.samples() if video.video_id == text), None)
    if known is None and _KEY.fullmatch(text):
        known = core.videos.open(text, OWNER)
    if known is not None:
        return ReferencedVideo(text, known)
    if video_id is None and is_video_id(text):
        video_id = text
    if video_id is None and _ADDRESS.fullmatch(text):
        raise VideoReadError(
            "Only addresses of YouTube videos can be read; for another video give the text of its subtitle file.",
            korean="YouTube 영상 주소만 읽을 수 있어요. 다른 영상은 자막 파일의 내용을 넣어 주세요.",
        )
    if video_id is None:
        samples = ", ".join(video.video_id for video in core.samples())
        problem = f"No video is known as {one_line(text, 60)!r}. " if text else "No video was named. "
        raise InputError(
            f"{problem}Give a YouTube address, a sample ({samples}), the `video` that an earlier result named, or the whole text "
            f"of a subtitle file, line breaks included.",
            korean="어느 영상인지 알 수 없어요. YouTube 주소나 예시 영상의 ID, 자막 파일의 내용을 넣어 주세요.",
        )
    key = video_key(VideoContext(video_id=video_id))
    opened = core.videos.open(key, OWNER)
    if opened is not None and opened.transcript:
        return ReferencedVideo(key, opened)
    return _keep(core, core.open_video(watch_url(video_id)))


def _keep(core: SearchCore, video: VideoContext) -> ReferencedVideo:
    return ReferencedVideo(core.videos.keep(video, OWNER), video)
