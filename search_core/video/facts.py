"""What is told of a video beside its words: a pasted transcript has no title, channel or date of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from search_core.domain.video import VideoContext
from search_core.errors import InputError
from search_core.text.dates import read_date
from search_core.video.discovery import discover
from search_core.video.limits import check_video

_FOUND_IN_WORDS = ("organizations", "events", "subject", "key_terms")


def read_day(date: str) -> datetime | None:
    """Return the day that *date* names, None where it is empty; raises InputError for a date that is none."""
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
    """The title, the channel and the day of a video; what is empty is not told."""

    title: str = ""
    channel: str = ""
    published_at: datetime | None = None

    @classmethod
    def read(cls, title: str, channel: str, date: str) -> Self:
        """Return what is told in words; raises InputError for a date that is none."""
        return cls(title=" ".join(title.split()), channel=" ".join(channel.split()), published_at=read_day(date))

    def added_to(self, video: VideoContext) -> VideoContext:
        """Return *video* with what is told of it, names found anew where there is a new title; raises TooLongError."""
        told: dict[str, Any] = {"title": self.title, "channel": self.channel, "published_at": self.published_at}
        changes = {name: value for name, value in told.items() if value}
        if not changes:
            return video
        if self.title and self.title != video.title:
            changes |= dict.fromkeys(_FOUND_IN_WORDS, ())
        described = replace(video, **changes)
        check_video(described)
        return discover(described)
