"""The maximum length of texts; longer ones of people and programs are refused, those of services are cut."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextLimit:
    """The maximum length of one field."""

    field: str
    """The field's name for programs, with its owner ("video.title")."""
    korean: str
    """The field's name on pages."""
    most: int
    counts: str = "characters"
    """The unit of ``most``: ``characters``, or ``entries`` of a list."""


QUESTION = TextLimit("question", "질문", 500)
"""Search services cut queries at 400 or fewer; a longer text is no question but a passage. Parts of plans are questions, too."""
SUBJECT = TextLimit("subject", "주제", 200)
REFERENCE = TextLimit("id", "ID", 200)
"""For the id of a video, a conversation or a run, or the name of a search service."""

VIDEO_ID = TextLimit("video.video_id", "영상 ID", 300)
VIDEO_URL = TextLimit("video.url", "영상 주소", 2_000)
VIDEO_TITLE = TextLimit("video.title", "영상 제목", 300)
"""YouTube takes 100."""
VIDEO_CHANNEL = TextLimit("video.channel", "채널 이름", 300)
VIDEO_DESCRIPTION = TextLimit("video.description", "영상 설명", 20_000)
"""YouTube takes 5,000."""
VIDEO_CHAPTERS = TextLimit("video.chapters", "챕터", 1_000, "entries")
VIDEO_CHAPTER_TITLE = TextLimit("video.chapters.title", "챕터 제목", 300)
VIDEO_SPEAKERS = TextLimit("video.speakers", "말하는 사람", 300, "entries")
"""Limited because every result is searched for each speaker, organisation, event and key term."""
VIDEO_ORGANIZATIONS = TextLimit("video.organizations", "기관", 300, "entries")
VIDEO_EVENTS = TextLimit("video.events", "행사", 300, "entries")
VIDEO_SUBJECT = TextLimit("video.subject", "주제", 10, "entries")
VIDEO_KEY_TERMS = TextLimit("video.key_terms", "핵심어", 300, "entries")
VIDEO_NAME = TextLimit("video.name", "이름", 200)
"""For the name of a speaker, an organisation, an event or a key term; all its prefixes are stored, to find it by its sound."""
VIDEO_WARNINGS = TextLimit("video.warnings", "알림", 102, "entries")
VIDEO_CUES = TextLimit("video.transcript", "자막", 100_000, "entries")
"""A real transcript of twelve hours has 20,000."""
VIDEO_TRANSCRIPT = TextLimit("video.transcript", "자막의 글", 5_000_000)
"""A day of speech has less than half of it."""

RESULT_TITLE = TextLimit("result.title", "결과 제목", 300)
RESULT_SNIPPET = TextLimit("result.snippet", "결과 요약", 2_000)
RESULT_SOURCE = TextLimit("result.source", "결과의 출처", 200)
RESULT_URL = TextLimit("result.url", "결과 주소", 4_000)

CLAIM = TextLimit("claim.text", "주장", QUESTION.most)
CLAIM_QUOTE = TextLimit("claim.quote", "주장의 인용", 2_000)
