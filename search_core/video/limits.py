"""How much of a video is read: more than any real one has, and little enough for the stages that follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unicodedata import is_normalized, normalize

from search_core.domain import text_limits as limits
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.errors import VideoReadError, check_length

MAX_CUES = limits.VIDEO_CUES.most
MAX_TRANSCRIPT_CHARS = limits.VIDEO_TRANSCRIPT.most
MAX_CUE_CHARS = 2_000
"""Longest caption; two minutes of speech are shorter."""
_MAX_WARNINGS = limits.VIDEO_WARNINGS.most - 1
"""Most warnings of a reader, which leaves one for what was cut."""
_CUT = "제목, 설명, 주소, 챕터나 이름이 너무 길거나 많아서 다 읽지는 않았어요."


def check_cues(count: int) -> None:
    """Raise VideoReadError if *count* captions are too many."""
    if count > MAX_CUES:
        raise VideoReadError(
            f"There are {count} captions; at most {MAX_CUES} are read.",
            korean=f"자막이 너무 많아요({count:,}개). {MAX_CUES:,}개까지 읽어요. 자막을 나눠서 올려 주세요.",
        )


def limit_video(video: VideoContext) -> VideoContext:
    """Return *video* with overlong parts cut and a warning; raises VideoReadError for too long a transcript."""
    length = sum(len(segment.text) for segment in video.transcript)
    if length > MAX_TRANSCRIPT_CHARS:
        raise VideoReadError(
            f"The transcript has {length} characters; at most {MAX_TRANSCRIPT_CHARS} are read.",
            korean=f"자막의 글이 너무 길어요({length:,}자). {MAX_TRANSCRIPT_CHARS:,}자까지 읽어요. 자막을 나눠서 올려 주세요.",
        )
    transcript = tuple(piece for segment in video.transcript for piece in _in_pieces(segment))
    check_cues(len(transcript))
    name_chars = limits.VIDEO_NAME.most
    chapters = video.chapters[: limits.VIDEO_CHAPTERS.most]
    cut: dict[str, Any] = {
        **{name: getattr(video, name)[: limit.most] for name, limit in _TEXTS.items()},
        **{
            of: tuple(dict.fromkeys(name[:name_chars] for name in getattr(video, of)[: most.most])) for of, most in _NAMES.items()
        },
        "url": video.url if len(video.url) <= limits.VIDEO_URL.most else "",
        "chapters": tuple(replace(chapter, title=chapter.title[: limits.VIDEO_CHAPTER_TITLE.most]) for chapter in chapters),
    }
    warnings = [warning[: limits.VIDEO_TITLE.most] for warning in video.warnings[:_MAX_WARNINGS]]
    if any(getattr(video, name) != value for name, value in cut.items()):
        warnings.append(_CUT)
    return replace(video, **cut, transcript=transcript, warnings=tuple(warnings))


def _in_pieces(segment: TranscriptSegment) -> Iterator[TranscriptSegment]:
    """Yield *segment* in pieces of at most ``MAX_CUE_CHARS``."""
    text = segment.text if is_normalized("NFC", segment.text) else normalize("NFC", segment.text)
    lasts_s = (segment.end_s - segment.start_s) / max(1, len(text))
    begin = 0
    while len(text) - begin > MAX_CUE_CHARS:
        end = text.rfind(" ", begin + MAX_CUE_CHARS // 2, begin + MAX_CUE_CHARS) + 1 or begin + MAX_CUE_CHARS
        yield replace(
            segment, text=text[begin:end], start_s=segment.start_s + begin * lasts_s, end_s=segment.start_s + end * lasts_s
        )
        begin = end
    yield (
        segment
        if text is segment.text and not begin
        else replace(segment, text=text[begin:], start_s=segment.start_s + begin * lasts_s)
    )


def check_video(video: VideoContext) -> None:
    """Raise TooLongError for the first text or list in a submitted *video* that is too long."""
    for name, limit in {**_TEXTS, "url": limits.VIDEO_URL, **_NAMES}.items():
        check_length(limit, getattr(video, name))
    check_length(limits.VIDEO_WARNINGS, video.warnings)
    check_length(limits.VIDEO_CHAPTERS, video.chapters)
    for chapter in video.chapters:
        check_length(limits.VIDEO_CHAPTER_TITLE, chapter.title)
    for name in (name for field in _NAMES for name in getattr(video, field)):
        check_length(limits.VIDEO_NAME, name)


_TEXTS = {
    "video_id": limits.VIDEO_ID,
    "title": limits.VIDEO_TITLE,
    "file_title": limits.VIDEO_TITLE,
    "channel": limits.VIDEO_CHANNEL,
    "description": limits.VIDEO_DESCRIPTION,
}
_NAMES = {
    "speakers": limits.VIDEO_SPEAKERS,
    "organizations": limits.VIDEO_ORGANIZATIONS,
    "events": limits.VIDEO_EVENTS,
    "subject": limits.VIDEO_SUBJECT,
    "key_terms": limits.VIDEO_KEY_TERMS,
}
