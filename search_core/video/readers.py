"""Videos of every kind read, with example questions; strangers' files in a process that is killed when one keeps it busy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from search_core.child_process import FileReaders
from search_core.domain.video import VideoContext
from search_core.errors import VideoReadError
from search_core.video.discovery import discover
from search_core.video.limits import check_video, limit_video
from search_core.video.mapping import read_mapping, to_mapping
from search_core.video.subject import subject_of
from search_core.video.upload import VideoUpload, load_file, parse, refuse_unreadable, sample_questions

LIMIT_S = 10.0
"""Most processor seconds for one file; a real transcript of twelve hours takes a tenth."""
CLOCK_LIMIT_S = 30.0
"""Most seconds by the clock for one file, on a busy machine."""
WAIT_S = 30.0
"""Most seconds to wait for a free process."""
_PROCESSES = 2
_MEMORY_BYTES = 3 << 30
"""Limit of a process's address space."""
_IDLE_S = 60.0


def read_upload(name: str, data: bytes, companion: tuple[str, bytes] | None = None) -> VideoContext:
    """Return the video in a file's bytes; *companion* is a record's subtitle file, or a subtitle file's record.

    Raises VideoReadError when the file cannot be used. A companion that cannot be used leaves a warning.
    """
    return _read(VideoUpload(name, data, companion))


def _read(given: VideoUpload) -> VideoContext:
    refuse_unreadable(given.name, given.data)
    companion_name, companion = given.companion or ("", b"")
    head = {"name": given.name, "companion": companion_name, "split": len(given.data), "paired": given.companion is not None}
    answer = _FILES.ask(given.name, head, given.data + companion, cpu_s=LIMIT_S, wait_s=WAIT_S)
    return discover(read_mapping(answer["video"]), keep=answer["stated"])


_FILES = FileReaders(
    "search_core.video.readers:serve_uploads",
    VideoReadError,
    size=_PROCESSES,
    clock_s=CLOCK_LIMIT_S,
    smaller="자막만 담긴 더 작은 파일을 올려 주세요.",
    unreadable="파일을 읽지 못했어요. SRT나 VTT로 바꿔서 올려 주세요.",
)


def serve_uploads() -> None:
    """Parse uploaded files in this process until the input ends.

    A request has the file's name, the end of its bytes (``split``), and its companion after them if it is ``paired``.
    """
    _FILES.serve(_answer, memory_bytes=_MEMORY_BYTES, idle_s=_IDLE_S)


def _answer(request: dict[str, Any], data: bytes) -> dict[str, Any]:
    split = request["split"]
    companion = (request["companion"], data[split:]) if request["paired"] else None
    video, stated = parse(VideoUpload(request["name"], data[:split], companion))
    return {"video": to_mapping(video), "stated": sorted(stated)}


class Readers:
    """Reads files, addresses and JSON objects."""

    def read_file(self, path: str | Path) -> VideoContext:
        """Return the video in the file at *path*, a record with its subtitle file; raises VideoReadError."""
        return _read(load_file(path))

    def read_url(self, url: str) -> VideoContext:
        """Return the video behind a YouTube address; raises VideoReadError."""
        from search_core.settings import Settings
        from search_core.video.youtube import YouTubeReader

        return YouTubeReader(Settings.from_env()).read(url)

    def read_mapping(self, mapping: Mapping[str, Any]) -> VideoContext:
        """Return the video in a JSON object; speakers, subject and other facts it does not state are found in its words.

        Raises VideoReadError, and TooLongError for a text that is longer than it may be.
        """
        video = read_mapping(mapping)
        check_video(video)
        return discover(limit_video(video), keep=[key for key, value in mapping.items() if value is not None])


WITHOUT_VIDEO = ("HBM과 GDDR의 차이는?", "훈민정음 해례본은 어디에 있나?", "제임스 웹 망원경은 왜 적외선으로 보나?")
MAX_EXAMPLES = 4
OF_WHOLE = "이 영상은 무슨 내용이야?"
_FORMS = ("{} 최근 소식은?", "{}에 대해 더 알려줘", "{} 관련 자료를 찾아줘")


@lru_cache(maxsize=16)  # pages ask at each drawing
def example_questions(video: VideoContext | None) -> tuple[str, ...]:
    """Return at most ``MAX_EXAMPLES`` Korean questions about *video*: one on the whole, others on its subjects.

    A sample video has its own.
    """
    if video is None:
        return WITHOUT_VIDEO
    written = sample_questions(video.video_id) if video.sample else ()
    asked = (form.format(subject) for form, subject in zip(_FORMS, subject_of(video), strict=False))
    return written[:MAX_EXAMPLES] or (OF_WHOLE, *asked)
