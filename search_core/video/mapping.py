"""Videos as JSON objects, both ways, as yt-dlp records (``.info.json``), and with facts that users add.

Segments are taken by the usual names of their fields (``json_transcript``), and as ``[start, end, text]``. Fields of records are
named as yt-dlp 2026.10.26 writes them; almost any may be missing or null. A key ``maekrak`` may state speakers, organizations,
events and key terms.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from pydantic import TypeAdapter

from search_core.domain.text_limits import VIDEO_NAME
from search_core.domain.video import Chapter, TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.errors import InputError, VideoReadError
from search_core.language.captions import Cue
from search_core.language.dates import in_korea, read_date
from search_core.language.korean import detect_language
from search_core.runtime import in_turns
from search_core.video.address import youtube_video_id
from search_core.video.discovery import chapters_in, discover
from search_core.video.forms import read_text
from search_core.video.json_transcript import align_entries, seconds_of, text_of
from search_core.video.limits import check_video
from search_core.video.speakers import names_among

_ORIGINS = frozenset(TranscriptOrigin)
_WHISPER_MARKS = ("avg_logprob", "no_speech_prob")
"""Fields that only segments in Whisper's ``verbose_json`` have, so that the words come from speech recognition."""
_VIDEO = TypeAdapter(VideoContext)
_NAMES = ("speakers", "organizations", "events", "subject", "key_terms")
DATES = ("published_at", "published", "publish_date", "upload_date", "date")
"""Fields that may hold the day of a video."""


def to_mapping(context: VideoContext) -> dict[str, object]:
    """Return *context* as a JSON object that ``VideoContext.from_mapping`` reads back unchanged."""
    mapping: dict[str, object] = _VIDEO.dump_python(context, mode="json")
    return mapping


def read_mapping(mapping: Mapping[str, Any]) -> VideoContext:
    """Return the video in *mapping* as stated there; names and subject are not searched for in its words."""
    if not isinstance(mapping, Mapping):
        raise VideoReadError(
            f"A video must be a JSON object, not {type(mapping).__name__}.",
            korean="영상 정보의 형식이 달라요. 제목과 자막이 담긴 JSON 객체를 주세요.",
        )
    spoken = _read_transcript(_first(mapping, "transcript", "segments"))
    stated_origin = mapping.get("transcript_origin")
    origin = (
        TranscriptOrigin(stated_origin)
        if isinstance(stated_origin, str) and stated_origin in _ORIGINS
        else spoken.transcript_origin
    )
    names = {name: names_of(mapping.get(name)) for name in _NAMES}
    if mapping.get("speakers") is None:
        names["speakers"] = spoken.speakers
    url = text_of(_first(mapping, "url", "webpage_url"))
    warnings = [warning for item in _items(mapping.get("warnings")) if (warning := text_of(item))]
    return VideoContext(
        video_id=text_of(_first(mapping, "video_id", "id")) or youtube_video_id(url) or "",
        url=url,
        title=text_of(mapping.get("title")),
        file_title=text_of(mapping.get("file_title")),
        channel=text_of(_first(mapping, "channel", "uploader")),
        published_at=in_korea(read_date(_first(mapping, *DATES)), detect_language(text_of(mapping.get("title")))),
        description=text_of(mapping.get("description")),
        **names,
        chapters=chapters_of(mapping.get("chapters")),
        transcript=spoken.transcript,
        transcript_origin=origin if spoken.transcript else TranscriptOrigin.UNKNOWN,
        transcript_model=text_of(_first(mapping, "transcript_model") or spoken.transcript_model)[: VIDEO_NAME.most],
        language=text_of(mapping.get("language"))[:2].lower(),
        read_as=text_of(mapping.get("read_as"))[: VIDEO_NAME.most],
        duration_s=seconds_of(_first(mapping, "duration_s", "duration")),
        sample=mapping.get("sample") is True,
        warnings=(*warnings, *spoken.warnings),
    )


def names_of(value: object) -> tuple[str, ...]:
    """Return the names in a list or a comma-separated text, without duplicates."""
    items = value.split(",") if isinstance(value, str) else _items(value)
    names = (text_of(item.get("name") if isinstance(item, Mapping) else item) for item in items)
    return tuple(dict.fromkeys(filter(None, names)))


def chapters_of(value: object) -> tuple[Chapter, ...]:
    """Return chapters given as objects (``start_s`` or ``start_time``, ``title``) or as ``[time, title]`` pairs, in order."""
    chapters = []
    for item in _items(value):
        if isinstance(item, Mapping):
            start, title = _first(item, "start_s", "start_time", "start"), item.get("title")
        elif isinstance(item, Sequence) and not isinstance(item, str) and len(item) >= 2:
            start, title = item[0], item[1]
        else:
            continue
        seconds = seconds_of(start)
        if seconds is not None and text_of(title):
            chapters.append(Chapter(seconds, text_of(title)))
    return tuple(sorted(chapters, key=lambda chapter: chapter.start_s))


def _first(mapping: Mapping[str, object], *keys: str) -> object:
    return next((mapping[key] for key in keys if mapping.get(key) is not None), None)


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else ()


def _read_transcript(value: object) -> VideoContext:
    """Return the subtitles in a transcript: a text is read like a file, a list by its readable segments in order."""
    if isinstance(value, str):
        return read_text(value)
    items = _items(value)
    own = [_own_segment(item) if isinstance(item, Mapping) else None for item in in_turns(items)]
    cues = align_entries(items) if None in own else []
    read = [ours or _segment(item, cue) for ours, item, cue in zip(own, items, cues or [None] * len(items), strict=True)]
    segments = [segment for segment in read if segment is not None and segment.text]
    dropped = read.count(None)
    speakers = dict.fromkeys(cue.speaker for cue in cues if cue is not None and cue.speaker)
    first = next(iter(items), None)
    recognised = isinstance(first, Mapping) and any(mark in first for mark in _WHISPER_MARKS)
    return VideoContext(
        transcript=tuple(sorted(segments, key=lambda segment: segment.start_s)),
        speakers=names_among(speakers),
        warnings=(f"읽을 수 없는 자막 {dropped}개는 뺐어요.",) if dropped else (),
        transcript_origin=TranscriptOrigin.RECOGNITION if recognised else TranscriptOrigin.UNKNOWN,
    )


def _segment(item: object, cue: Cue | None) -> TranscriptSegment | None:
    """Return an entry of a list as a segment (*cue* is the entry if it is an object), or None."""
    if isinstance(item, str):
        return TranscriptSegment(0.0, 0.0, item.strip())
    if cue is not None:
        start, end, text = cue.start_s, cue.end_s, cue.raw.strip()
    elif isinstance(item, Sequence) and len(item) >= 3:
        start, end, text = seconds_of(item[0]), seconds_of(item[1]), text_of(item[2])
    else:
        return None
    start = start or 0.0
    return TranscriptSegment(start, max(start, end or 0.0), text, isinstance(item, Mapping) and item.get("uncertain") is True)


def _own_segment(item: Mapping[str, object]) -> TranscriptSegment | None:
    """Return a segment in the format of ``to_mapping``, or None for another format."""
    start, end, text = item.get("start_s"), item.get("end_s"), item.get("text")
    if type(start) is float and type(end) is float and isinstance(text, str) and 0 <= start <= end < math.inf:
        return TranscriptSegment(start, end, text.strip(), item.get("uncertain") is True)
    return None


_FOUND_IN_WORDS = ("organizations", "events", "subject", "key_terms")


def read_day(date: str) -> datetime | None:
    """Return the day that *date* names, None if it is empty; raises InputError for an invalid date."""
    if not date.strip():
        return None
    published_at = read_date(date)
    if published_at is None:
        raise InputError(
            "The date cannot be read; write it as in 2026-11-24.",
            korean="날짜를 읽을 수 없어요. 2026-11-24처럼 적어 주세요.",
        )
    return published_at


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoFacts:
    """The title, channel and date of a video; empty ones are unknown."""

    title: str = ""
    channel: str = ""
    published_at: datetime | None = None

    @classmethod
    def read(cls, title: str, channel: str, date: str) -> Self:
        """Return the facts that a user typed; raises InputError for an invalid date."""
        return cls(title=" ".join(title.split()), channel=" ".join(channel.split()), published_at=read_day(date))

    def added_to(self, video: VideoContext) -> VideoContext:
        """Return *video* with these facts; names are found anew for a new title; raises TooLongError."""
        facts: dict[str, Any] = {"title": self.title, "channel": self.channel, "published_at": self.published_at}
        changes = {name: value for name, value in facts.items() if value}
        if not changes:
            return video
        if self.title and self.title != video.title:
            changes |= dict.fromkeys(_FOUND_IN_WORDS, ())
        described = replace(video, **changes)
        check_video(described)
        return discover(described)


_MARKS = ("extractor", "extractor_key", "webpage_url", "upload_date", "automatic_captions", "_type", "maekrak")
_LISTS = frozenset({"playlist", "multi_video"})
NOT_ONE_VIDEO = "영상 하나가 아니라 재생목록의 기록이에요. 영상 하나의 info.json을 쓰면 자막과 날짜까지 읽을 수 있어요."


def is_record(mapping: Mapping[str, object]) -> bool:
    """Return whether a JSON object looks like a yt-dlp record."""
    return any(mark in mapping for mark in _MARKS)


def stated_names(mapping: Mapping[str, object]) -> frozenset[str]:
    """Return the kinds of names that a JSON object states, even as empty lists; stated kinds are not searched for."""
    own = mapping.get("maekrak")
    sources = (mapping, own) if isinstance(own, Mapping) else (mapping,)
    return frozenset(key for key in _NAMES for source in sources if source.get(key) is not None)


def read_record(record: Mapping[str, Any]) -> VideoContext:
    """Return the video a yt-dlp record describes, without its transcript."""
    base = read_mapping({key: value for key, value in record.items() if key not in ("transcript", "segments", "url")})
    stated = record.get("maekrak")
    names: dict[str, Any] = {key: names_of(stated[key]) for key in _NAMES if key in stated} if isinstance(stated, Mapping) else {}
    published = read_date(record.get("timestamp")) or read_date(record.get("release_timestamp")) or base.published_at
    kind = record.get("_type")
    warnings = (*base.warnings, NOT_ONE_VIDEO) if isinstance(kind, str) and kind in _LISTS else base.warnings
    return replace(
        base,
        published_at=published,
        chapters=base.chapters or chapters_in(base.description),
        warnings=warnings,
        **names,
    )


def base_language(code: str) -> str:
    """Return the language in a code such as ``pt-BR`` or ``en-orig``."""
    return re.split(r"[-_]", code, maxsplit=1)[0].lower()
