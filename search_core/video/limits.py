"""How much of a video is read: far beyond any real one, and little enough that nothing after the reading is held up."""

from __future__ import annotations

from typing import Any, NoReturn

from search_core.domain import VideoContext
from search_core.errors import VideoReadError

MAX_CUES = 100_000
"""Captions: a real transcript of twelve hours has 20,000."""
MAX_TRANSCRIPT_CHARS = 5_000_000
"""A day of speech has less than half of it."""
MAX_FIELD_CHARS = 100_000
"""Characters of a title, a description or another text of a record; YouTube takes 5,000."""
MAX_ITEMS = 10_000
"""Names or chapters."""
MAX_JSON_DEPTH = 100


def check_cues(count: int) -> None:
    """Raise VideoReadError when *count* captions are more than are read."""
    if count > MAX_CUES:
        _refuse(
            f"There are {count} captions; at most {MAX_CUES} are read.",
            f"자막이 너무 많아요({count:,}개). {MAX_CUES:,}개까지 읽어요. 자막을 나눠서 올려 주세요.",
        )


def check_depth(content: Any) -> None:
    """Raise VideoReadError when JSON is nested deeper than is read."""
    level, depth = [content] if isinstance(content, (dict, list)) else [], 0
    while level:
        depth += 1
        if depth > MAX_JSON_DEPTH:
            refuse_depth()
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]


def refuse_depth() -> NoReturn:
    """Raise VideoReadError for JSON that is nested too deeply."""
    _refuse(
        f"The JSON is nested too deeply; at most {MAX_JSON_DEPTH} levels are read.",
        f"JSON이 너무 깊이 겹쳐 있어요. {MAX_JSON_DEPTH}단계까지 읽어요. yt-dlp의 info.json을 다시 받아서 올려 주세요.",
    )


def check_video(video: VideoContext) -> None:
    """Raise VideoReadError when *video* holds more than is read."""
    check_cues(len(video.transcript))
    said = sum(len(segment.text) for segment in video.transcript)
    if said > MAX_TRANSCRIPT_CHARS:
        _refuse(
            f"The transcript has {said} characters; at most {MAX_TRANSCRIPT_CHARS} are read.",
            f"자막의 글이 너무 길어요({said:,}자). {MAX_TRANSCRIPT_CHARS:,}자까지 읽어요. 자막을 나눠서 올려 주세요.",
        )
    names = (*video.speakers, *video.organizations, *video.events, *video.key_terms)
    if len(names) > MAX_ITEMS or len(video.chapters) > MAX_ITEMS or len(video.warnings) > MAX_ITEMS:
        _refuse(
            f"There are more than {MAX_ITEMS} names or chapters.",
            f"이름이나 챕터가 너무 많아요. {MAX_ITEMS:,}개까지 읽어요. 필요한 것만 남겨서 올려 주세요.",
        )
    texts = (
        *(video.video_id, video.url, video.title, video.channel, video.description, video.thumbnail_url),
        *(chapter.title for chapter in video.chapters),
        *video.warnings,
    )
    longest = max(map(len, texts))
    if longest > MAX_FIELD_CHARS:
        _refuse(
            f"A text of the record has {longest} characters; at most {MAX_FIELD_CHARS} are read.",
            f"제목이나 설명이 너무 길어요({longest:,}자). {MAX_FIELD_CHARS:,}자까지 읽어요. 줄여서 올려 주세요.",
        )


def _refuse(message: str, korean: str) -> NoReturn:
    raise VideoReadError(message, korean=korean)
