"""What viewers ask while they watch a video: for learning what a question leaves to its video, and for measuring it.

Written for this project: questions with what a query has to name for them (``data/viewer_questions``), pointing words with what
they mean (``viewer_references``), and what videos and their stories are about (``viewer_subjects``). They are about videos
written for it as well (``viewer_videos``; "own:v01") and about development videos: Korean news ("stt:…"), which have no titles
but those of ``viewer_titles``, 3Blue1Brown with Korean or English subtitles ("3b1b:…:ko"), and WWDC ("wwdc:…").
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.video.discovery import discover
from search_core.video.subtitles import read_subtitles
from tests.quality.scope import ALL, Scope
from tests.quality.sets import DEVELOPMENT, loaders, read_rows

_WRITTEN = ("own:", "talk:")
_SPOKEN_CHARS = {"ko": 6.0, "en": 15.0}
"""In a second."""


@dataclass(frozen=True, slots=True)
class _Viewed:
    """What is known of a moment of a video, or of the whole where there is no moment."""

    video: str
    moment_s: float | None


@dataclass(frozen=True, slots=True)
class ViewerQuestion(_Viewed):
    """A question, and what its query has to name."""

    text: str
    names: tuple[tuple[str, ...], ...]
    """One of each of these; of the first for what the question is about."""
    own: bool
    """It asks nothing of the video."""
    absent: tuple[str, ...]
    """Words that its query must not have."""


@dataclass(frozen=True, slots=True)
class ViewerReference(_Viewed):
    """A question with a pointing word."""

    text: str
    reference: str
    meaning: tuple[str, ...]
    """Any of these."""
    pointed: bool
    """Its other words say where in the video it is meant, no moment does."""


@dataclass(frozen=True, slots=True)
class ViewerSubject(_Viewed):
    """What a video is about at a moment, or as a whole."""

    subject: tuple[str, ...]
    """Any of these."""
    wrong: tuple[str, ...]
    """Names of the programme, of its reporters and of what is said in passing."""


def viewer_questions(scope: Scope = ALL) -> list[ViewerQuestion]:
    """Return the questions of *scope*."""
    return [
        ViewerQuestion(
            row["video"],
            row.get("moment_s"),
            row["question"],
            tuple(map(tuple, row["names"])),
            row.get("own", False),
            tuple(row.get("absent", ())),
        )
        for row in _rows_in("viewer_questions", scope)
    ]


def viewer_references(scope: Scope = ALL) -> list[ViewerReference]:
    """Return the questions with pointing words of *scope*."""
    return [
        ViewerReference(
            row["video"],
            row.get("moment_s"),
            row["question"],
            row["reference"],
            tuple(row["meaning"]),
            row.get("pointed", False),
        )
        for row in _rows_in("viewer_references", scope)
    ]


def viewer_subjects(scope: Scope = ALL) -> list[ViewerSubject]:
    """Return the subjects of videos and of their stories of *scope*."""
    return [_subject(row) for row in _rows_in("viewer_subjects", scope)]


def talk_subjects() -> list[ViewerSubject]:
    """Return the subjects of whole talks, each a minute or two long."""
    return [_subject(row) for row in read_rows("talk_subjects")]


def _subject(row: dict[str, Any]) -> ViewerSubject:
    return ViewerSubject(row["video"], row.get("moment_s"), tuple(row["subject"]), tuple(row["wrong"]))


def _rows_in(name: str, scope: Scope) -> list[dict[str, Any]]:
    return [row for row in read_rows(name) if scope.reads_development or is_written(row["video"])]


def is_written(video: str) -> bool:
    """Return whether *video* was written for this project."""
    return video.startswith(_WRITTEN)


def is_kept_aside(video: str) -> bool:
    """Return whether what is asked of *video*, in any language, is measured by and not learnt from; a third of the videos is."""
    return _digit(_without_language(video)) % 3 == 0


@cache
def video_of(name: str, *, titled: bool | None = None) -> VideoContext:
    """Return the video *name*, as it is opened, *titled* or not; where that is None, half of the development videos are."""
    return discover(read_video(name, titled=titled))


def read_video(name: str, *, titled: bool | None = None) -> VideoContext:
    """Return the video *name* as it is before anything is found in it."""
    keeps = (is_written(name) or _digit("t" + _without_language(name)) % 2 == 1) if titled is None else titled
    video = _read(name)
    return video if keeps else VideoContext(title="", transcript=video.transcript)


def names_any(text: str, alternatives: Iterable[str]) -> bool:
    """Return whether *text* has all words of one of *alternatives*, however it is spaced."""
    joined = join_words(text)
    return any(all(join_words(word) in joined for word in each.split()) for each in alternatives)


def is_any(text: str, alternatives: Iterable[str]) -> bool:
    """Return whether *text* is one of *alternatives*, more or less of it."""
    joined = join_words(text)
    return any(each in joined or (len(joined) > 1 and joined in each) for each in map(join_words, alternatives))


def join_words(text: str) -> str:
    """Return *text* in small letters, without spaces."""
    return "".join(text.casefold().split())


def _digit(text: str) -> int:
    return hashlib.sha256(text.encode()).digest()[0]


def _without_language(video: str) -> str:
    return video.removesuffix(":ko").removesuffix(":en")


def _read(name: str) -> VideoContext:
    kind, _, rest = name.partition(":")
    if kind == "own":
        row = _videos(kind)[rest]
        file_title = row.get("file_title", "")
        return VideoContext(
            title=row.get("title", file_title),
            file_title=file_title,
            channel=row.get("channel", ""),
            description=row.get("description", ""),
            transcript=_segments(row["transcript"]),
        )
    if kind == "talk":
        row, at_s, spoken = _videos(kind)[rest], 0.0, []
        for text in row["said"]:
            spoken.append((at_s, at_s := at_s + len(text) / _SPOKEN_CHARS[row["language"]], text))
        return VideoContext(title=row["title"], transcript=_segments(spoken))
    if kind == "stt":
        row = _videos(kind)[rest]
        said = _segments([(part["start_ms"] / 1000, part["end_ms"] / 1000, part["text"]) for part in row["segments"]])
        title = _titles()[name]
        return VideoContext(title=title["title"], channel=title["channel"], transcript=said)
    if kind == "3b1b":
        talk, _, language = rest.rpartition(":")
        row = _videos(kind)[talk]
        korean = row["srt_ko_community"] or row["srt_ko_auto"] if language == "ko" else None
        return VideoContext(
            title=(row["title_ko"] if language == "ko" else None) or row["title_en"],
            channel="3Blue1Brown",
            description=row["description_en"] or "",
            transcript=read_subtitles(korean or row["srt_en"]).segments,
        )
    row = _videos(kind)[f"{rest}.vtt.gz"]
    file = DEVELOPMENT / "video" / "wwdc" / row["file"]
    subtitles = read_subtitles(gzip.decompress(file.read_bytes()).decode())
    return VideoContext(title=row["title"] or "", description=row["description"] or "", transcript=subtitles.segments)


@cache
def _videos(kind: str) -> dict[str, dict[str, Any]]:
    if kind == "own":
        return {row["id"]: row for row in read_rows("viewer_videos")}
    if kind == "talk":
        return {row["talk"]: row for row in read_rows("asked_talks")}
    if kind == "wwdc":
        return {row["file"]: row for row in loaders().jl("video/wwdc/meta.jsonl")}
    return {row["_id"]: row for row in (loaders().videos_korean_stt if kind == "stt" else loaders().videos_3b1b)("dev")}


@cache
def _titles() -> dict[str, dict[str, str]]:
    return {row["video"]: row for row in read_rows("viewer_titles")}


def _segments(spoken: Sequence[Sequence[Any]]) -> tuple[TranscriptSegment, ...]:
    return tuple(TranscriptSegment(float(start), float(end), text) for start, end, text in spoken)
