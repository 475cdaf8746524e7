"""The video a question is about."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Protocol

from search_core.runtime import Lazy


class TranscriptOrigin(StrEnum):
    """Names the origins of transcripts."""

    UNKNOWN = "unknown"
    """The origin is not stated, or there is no transcript."""
    PEOPLE = "people"
    """Subtitles written by people."""
    AUTOMATIC = "automatic"
    """Captions that the platform's recogniser made of what is spoken."""
    TRANSLATED = "translated"
    """Captions that a machine translated out of another language."""
    RECOGNITION = "recognition"
    """Speech recognition of the sound."""
    PLAIN_TEXT = "plain_text"
    """A text that was typed or pasted, without cues of a subtitle file."""


@dataclass(frozen=True, slots=True)
class TranscriptSegment:
    """One stretch of speech, with times in seconds from the start of the video."""

    start_s: float
    end_s: float
    text: str
    uncertain: bool = False
    """True where speech recognition may have invented words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptPassage:
    """A stretch of a transcript, scored for a question."""

    segments: tuple[TranscriptSegment, ...]
    """At least one, in order."""
    score: float = 0.0
    """In [0, 1]; 0 where it was not scored."""

    @property
    def start_s(self) -> float:
        """Return when it begins, in seconds from the start of the video."""
        return self.segments[0].start_s

    @property
    def end_s(self) -> float:
        """Return when it ends, in seconds from the start of the video."""
        return self.segments[-1].end_s

    @property
    def text(self) -> str:
        """Return what is said."""
        return " ".join(segment.text for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A titled stretch of the video, in seconds from its start."""

    start_s: float
    title: str


class VideoReaders(Protocol):
    """Reads videos; ``search_core.video`` registers itself here, as this room must not import it."""

    def read_file(self, path: str | Path) -> VideoContext:
        """Return the video that the file at *path* describes; raises VideoReadError."""
        ...

    def read_url(self, url: str) -> VideoContext:
        """Return the video behind an address; raises VideoReadError."""
        ...

    def read_mapping(self, mapping: Mapping[str, Any]) -> VideoContext:
        """Return the video that a JSON object describes; raises VideoReadError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoContext:
    """What is known about a video: speakers, subject, date, and transcript."""

    readers: ClassVar[Lazy[VideoReaders]]
    """Set when ``search_core.video`` is imported."""
    video_id: str = ""
    url: str = ""
    title: str = ""
    file_title: str = ""
    """The title made of the file's name because none was stated."""
    channel: str = ""
    published_at: datetime | None = None
    description: str = ""
    speakers: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    """What the video is about: up to three terms, the most informative first; empty if unknown."""
    key_terms: tuple[str, ...] = ()
    """Salient words of title, description and transcript that are not names, most salient first."""
    chapters: tuple[Chapter, ...] = ()
    transcript: tuple[TranscriptSegment, ...] = ()
    transcript_origin: TranscriptOrigin = TranscriptOrigin.UNKNOWN
    transcript_model: str = ""
    """The model that recognised the speech; empty where none did, or its name is not known."""
    read_as: str = ""
    """How the file was interpreted, as in ``Zoom 자막 · 42개 · 화자 3명``; empty without a file."""
    language: str = ""
    """ISO 639-1 code of the transcript, or of the title when there is none; empty when unknown."""
    duration_s: float | None = None
    sample: bool = False
    """True for the videos that ship with the app for demos."""
    warnings: tuple[str, ...] = ()
    """Korean sentences about what could not be read and was left out."""

    def __hash__(self) -> int:
        """Return a hash in constant time, however long the transcript is: pages need it at each redraw."""
        return hash((self.video_id, self.url, self.title, len(self.transcript)))

    @property
    def title_is_file_name(self) -> bool:
        """Return whether the title is only a file name, which says nothing about the video."""
        return bool(self.title) and self.title == self.file_title

    def is_uncertain(self, start_s: float, end_s: float) -> bool:
        """Return whether speech recognition is uncertain somewhere between two times."""
        end_s = max(end_s, start_s + 0.01)
        return any(segment.uncertain and segment.start_s < end_s and start_s < segment.end_s for segment in self.transcript)

    @property
    def timed(self) -> bool:
        """Return whether the transcript has times; pasted prose has none."""
        return any(segment.end_s > 0 for segment in self.transcript)

    @classmethod
    def from_file(cls, path: str | Path) -> VideoContext:
        """Return the video described by a file: SRT, VTT, yt-dlp ``.info.json`` (with its subtitle file) or plain text.

        Raises VideoReadError when the file cannot be used.
        """
        return cls.readers().read_file(path)

    @classmethod
    def from_url(cls, url: str) -> VideoContext:
        """Return the video behind a YouTube address.

        Raises VideoReadError when the address is not one of a video or nothing at all could be learnt about it.
        """
        return cls.readers().read_url(url)

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> VideoContext:
        """Return the video a JSON object describes; unknown keys are ignored.

        Names, chapters and language that *mapping* does not state are found in the rest; a stated empty list stays empty.
        Raises VideoReadError for what is no object, and for more than is read of any video.
        """
        return cls.readers().read_mapping(mapping)


@lru_cache(maxsize=16)  # pages ask for it each time they are drawn
def video_key(video: VideoContext) -> str:
    """Return the key under which conversations about *video* are found.

    It depends on the id, else on the address, else on the transcript; corrected names and titles do not change it.
    """
    identity: tuple[str, ...]
    if video.video_id:
        identity = ("id", video.video_id)
    elif video.url:
        identity = ("url", video.url)
    elif video.transcript:
        identity = ("spoken", *(f"{segment.start_s} {segment.text}" for segment in video.transcript))
    else:
        identity = ("told", video.title, video.description)
    return hashlib.sha256("\0".join(identity).encode("utf-8", "replace")).hexdigest()[:32]
