"""The video of a command, from a file, standard input or an address; speech is transcribed if necessary."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from search_core.core import SearchCore
from search_core.domain.query import ConversationMemory
from search_core.domain.report import Question
from search_core.domain.video import VideoContext
from search_core.errors import MaekrakError, VideoReadError
from search_core.language.dates import clock
from search_core.speech.sound import SUFFIXES, SoundFile
from search_core.video.address import is_video_id, youtube_video_id
from search_core.video.mapping import VideoFacts
from search_core.video.upload import (
    MAX_BYTES,
    TEXT_NAME,
    load_file,
    parse_file,
    refuse_unreadable,
    transcribed_video,
    without_file_name,
)

if TYPE_CHECKING:
    from search_core.speech.service import TranscriptionJob

_LOOK_S = 0.5
_READ_HERE_BYTES = 1 << 20
"""Largest file read in this process (twelve hours of speech); a larger one is read in a process that can be killed."""
_STEPS = 10
"""Most progress lines of one transcription; few, as a log keeps every line."""


def video_of(args: argparse.Namespace, core: SearchCore) -> VideoContext | None:
    """Return the video in *args* with the facts given there, or None; raises MaekrakError if it cannot be read."""
    facts = VideoFacts.read(args.title, args.channel, args.date)  # before anything slow
    return facts.added_to(read_video(args.video, core)) if args.video else None


def read_video(source: str, core: SearchCore) -> VideoContext:
    """Return the video that *source* names, with a transcript if possible; raises MaekrakError if it cannot be read."""
    if source == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin else b""  # None when the caller has closed it
        return without_file_name(core.read_file(TEXT_NAME, data))
    sample = next((video for video in core.samples() if video.video_id == source), None)
    if sample is not None:
        return sample
    if is_address(source):
        return core.open_video(source)
    path = Path(source)
    if not path.suffix and not path.exists():
        ids = ", ".join(sorted(video.video_id for video in core.samples()))
        raise VideoReadError(
            f"There is no file and no sample called {path.name}; samples are {ids}.",
            korean=f"'{path.name}' 이름의 파일이나 예시 영상이 없어요. 예시 영상: {ids}",
        )
    if path.suffix.lower() in SUFFIXES and path.is_file():
        return transcribe(core, sound_file(path))
    return _read_file(path)


def _read_file(path: Path) -> VideoContext:
    """Return the video in the file at *path*; a small file is read in this process, which has the analyser loaded."""
    upload = load_file(path)
    if len(upload.data) + (len(upload.companion[1]) if upload.companion else 0) > _READ_HERE_BYTES:
        return VideoContext.from_file(path)
    refuse_unreadable(upload.name, upload.data)
    try:
        return parse_file(upload)
    except MaekrakError:
        raise
    except Exception as error:
        raise VideoReadError(
            f"{path.name} could not be read ({type(error).__name__}).",
            korean="파일을 읽지 못했어요. SRT나 VTT로 바꿔서 넣어 주세요.",
        ) from error


def is_address(text: str) -> bool:
    """Return whether *text* is an address, or a YouTube video id and no file."""
    is_youtube = youtube_video_id(text) is not None or is_video_id(text)
    return text.startswith(("http://", "https://")) or (is_youtube and not Path(text).exists())


def sound_file(path: Path) -> SoundFile:
    """Return the recording at *path*, which is left in place; raises VideoReadError if there is none."""
    if not path.exists():
        raise VideoReadError(
            f"{path.name} is not there.", korean=f"'{path.name}' 파일을 찾을 수 없어요. 파일이 그 자리에 있는지 확인해 주세요."
        )
    return SoundFile(path=path, name=path.name)


def transcribe(core: SearchCore, source: SoundFile) -> VideoContext:
    """Return the video of *source* with its transcript; progress goes to standard error.

    An interrupt stops it; what is finished is kept for the next time. Raises MaekrakError.
    """
    job = core.transcription.start(source)
    try:
        _tell_until_done(job)
    except KeyboardInterrupt:
        job.cancel()
        job.wait()
        if job.error is not None:
            print(job.error.korean, file=sys.stderr)
        raise
    return transcribed_video(job.result(), name=source.name)


def _tell_until_done(job: TranscriptionJob) -> None:
    printed = -1
    while not job.wait(_LOOK_S):
        progress = job.snapshot()
        step = int((progress.share or 0.0) * _STEPS)
        if progress.listening and step > printed:
            printed = step
            total = f" / {clock(progress.total_s)}" if progress.total_s else ""
            said = f"받아 적는 중: {clock(progress.done_s)}{total} (그만하려면 Ctrl-C, 나중에 이어서 해요)"
            print(said, file=sys.stderr, flush=True)


def question_of(args: argparse.Namespace, core: SearchCore) -> Question:
    """Return the question in *args*; raises MaekrakError if its video cannot be read."""
    memory = ConversationMemory.from_questions(args.history)
    return Question(text=args.question, video=video_of(args, core), memory=memory, moment_s=args.moment)
