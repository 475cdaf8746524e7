"""What viewers ask while they watch a video: for learning what a question leaves to its video, and for measuring it.

Written for this project: questions with what a query has to name for them (``data/viewer_questions``), pointing words with what
they mean (``viewer_references``), and what videos and their stories are about (``viewer_subjects``). They are about videos
written for it as well (``viewer_videos``; "own:v01") and about development videos: Korean news ("stt:…"), which have no titles
but those of ``viewer_titles``, 3Blue1Brown with Korean or English subtitles ("3b1b:…:ko"), and WWDC ("wwdc:…").
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, pairwise
from typing import Any

from search_core.domain.video import VideoContext
from search_core.language.korean import has_hangul
from search_core.video.discovery import discover
from search_core.video.subtitles import read_subtitles
from tests.quality.claim_videos import read_recognised, read_wwdc
from tests.quality.scope import ALL, Scope
from tests.quality.sets import Record, loaders, make_record, read_rows, segments_of

_WRITTEN = ("own:", "talk:")
SPOKEN_CHARS = {"ko": 6.0, "en": 15.0}
"""In a second."""
_CAPTION_WORDS = 8
_BEFORE_NEXT_S = 0.1
"""So long before the next caption a viewer is; at its beginning it would count as read."""


@dataclass(frozen=True, slots=True)
class ViewerQuestion:
    """A question at a moment of a video, or about the whole, and what its query has to name."""

    video: str
    question: str
    names: tuple[tuple[str, ...], ...]
    """One of each of these; of the first for what the question is about."""
    moment_s: float | None = None
    own: bool = False
    """It asks nothing of the video."""
    absent: tuple[str, ...] = ()
    """Words that its query must not have."""


@dataclass(frozen=True, slots=True)
class ViewerReference:
    """A question with a pointing word, and what this means: any of its meanings."""

    video: str
    question: str
    reference: str
    meaning: tuple[str, ...]
    moment_s: float | None = None
    pointed: bool = False
    """Its other words say where in the video it is meant, no moment does."""


@dataclass(frozen=True, slots=True)
class ViewerSubject:
    """What a video is about at a moment, or as a whole: any of these."""

    video: str
    subject: tuple[str, ...]
    wrong: tuple[str, ...]
    """Names of the programme, of its reporters and of what is said in passing."""
    moment_s: float | None = None


@dataclass(frozen=True, slots=True)
class MomentQuestion:
    """A question asked at a moment, with its pointing word if it has one, and what it leaves unsaid, each by any of its names."""

    question: str
    reference: str
    needs: Sequence[Sequence[str]]
    video: str = ""
    moment_s: float | None = None


@dataclass(frozen=True, slots=True)
class ViewerMoment:
    """A short passage, the place in it where a viewer is, and what viewers ask there."""

    name: str
    video: VideoContext
    passage: str
    here: int
    moment_s: float
    questions: Sequence[MomentQuestion]


def viewer_moments() -> Iterator[ViewerMoment]:
    """Yield the passages; in their file the sign ▶ stands where the viewer is, or at the end if it is missing."""
    for row in read_rows("viewer_moments"):
        before, _, after = (" ".join(part.split()) for part in row["passage"].partition("▶"))
        heard = _captions(before)
        captions = [*heard, *_captions(after)]
        spoken = as_said(captions, row["title"], SPOKEN_CHARS["ko" if has_hangul(before) else "en"])
        questions = [MomentQuestion(each["question"], each["reference"], each["needs"]) for each in row["questions"]]
        video, passage = discover(replace(spoken, channel=row["channel"])), f"{before} {after}".strip()
        moment_s = video.transcript[len(heard) - 1].end_s - _BEFORE_NEXT_S * bool(after)
        yield ViewerMoment(row["moment"], video, passage, len(before), moment_s, questions)


def asked_at_moments() -> list[MomentQuestion]:
    """Return questions at moments of talks and development videos, of which nothing is measured."""
    return [make_record(MomentQuestion, row) for row in read_rows("viewer_asked")]


def _captions(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[start : start + _CAPTION_WORDS]) for start in range(0, len(words), _CAPTION_WORDS)]


def viewer_questions(scope: Scope = ALL) -> list[ViewerQuestion]:
    """Return the questions of *scope*."""
    return _records(ViewerQuestion, "viewer_questions", scope)


def viewer_references(scope: Scope = ALL) -> list[ViewerReference]:
    """Return the questions with pointing words of *scope*."""
    return _records(ViewerReference, "viewer_references", scope)


def viewer_subjects(scope: Scope = ALL) -> list[ViewerSubject]:
    """Return the subjects of videos, of their stories and of short talks of *scope*."""
    return [each for name in ("viewer_subjects", "talk_subjects") for each in _records(ViewerSubject, name, scope)]


def _records(kind: type[Record], name: str, scope: Scope) -> list[Record]:
    everything = scope.reads_development
    return [make_record(kind, row) for row in read_rows(name) if everything or is_written(row["video"])]


def is_written(video: str) -> bool:
    """Return whether *video* was written for this project."""
    return video.startswith(_WRITTEN)


def is_kept_aside(video: str) -> bool:
    """Return whether what is asked of *video*, in any language, is measured by and not learnt from; a third of the videos is."""
    return _digit(without_language(video)) % 3 == 0


@cache
def video_of(name: str, *, titled: bool | None = None) -> VideoContext:
    """Return the video *name*, as it is opened, *titled* or not; where that is None, half of the development videos are."""
    return discover(read_video(name, titled=titled))


def read_video(name: str, *, titled: bool | None = None) -> VideoContext:
    """Return the video *name* as it is before anything is found in it."""
    keeps = (is_written(name) or _digit("t" + without_language(name)) % 2 == 1) if titled is None else titled
    video = _read(name)
    return video if keeps else VideoContext(title="", transcript=video.transcript)


def names_any(text: str, alternatives: Iterable[str]) -> bool:
    """Return whether *text* has all words of one of *alternatives*, however it is spaced."""
    joined = join_words(text)
    return any(all(join_words(word) in joined for word in each.split()) for each in alternatives)


def is_any(text: str, alternatives: Iterable[str]) -> bool:
    """Return whether *text* contains one of *alternatives*, or is contained in one."""
    joined = join_words(text)
    return any(each in joined or (len(joined) > 1 and joined in each) for each in map(join_words, alternatives))


def join_words(text: str) -> str:
    """Return *text* in small letters, without spaces."""
    return "".join(text.casefold().split())


def _digit(text: str) -> int:
    return hashlib.sha256(text.encode()).digest()[0]


def without_language(video: str) -> str:
    """Return the name of a *video* whatever language its captions are in."""
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
            transcript=segments_of(row["transcript"]),
        )
    if kind == "talk":
        row = _videos(kind)[rest]
        return as_said(row["said"], row["title"], SPOKEN_CHARS[row["language"]])
    if kind == "stt":
        title = _titles()[name]
        return VideoContext(title=title["title"], channel=title["channel"], transcript=read_recognised(_videos(kind)[rest]))
    if kind == "3b1b":
        talk, _, language = rest.rpartition(":")
        row = _videos(kind)[talk]
        korean = row["srt_ko_community"] or row["srt_ko_auto"] if language == "ko" else None
        return VideoContext(
            title=(row["title_ko"] if language == "ko" else None) or row["title_en"],
            channel="3Blue1Brown",
            description=row["description_en"] or "",
            transcript=read_subtitles(korean or row["srt_en"]).transcript,
        )
    row = _videos(kind)[f"{rest}.vtt.gz"]
    return VideoContext(title=row["title"] or "", description=row["description"] or "", transcript=read_wwdc(row["file"]))


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


def as_said(sentences: Sequence[str], title: str = "", chars_s: float = SPOKEN_CHARS["ko"]) -> VideoContext:
    """Return a video that says *sentences*, one a caption, *chars_s* letters in a second."""
    times = pairwise(accumulate((len(sentence) / chars_s for sentence in sentences), initial=0.0))
    spoken = [(*span, sentence) for span, sentence in zip(times, sentences, strict=True)]
    return VideoContext(title=title, transcript=segments_of(spoken))
