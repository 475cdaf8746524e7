"""Title, channel and day told of a video."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.errors import InputError, TooLongError
from search_core.video.mapping import VideoFacts

SPOKEN = VideoContext(title="video", file_title="video", transcript=(TranscriptSegment(0, 0, "매출은 66조 원이었습니다."),))


def test_what_is_told_is_added_and_names_are_found_in_it():
    """A title brings the names in it; the words of the video stay, and telling nothing changes nothing."""
    told = VideoFacts.read(" SK하이닉스  실적 ", "경제 채널", "2025년 2월 1일").added_to(SPOKEN)
    assert (told.title, told.channel, told.published_at) == ("SK하이닉스 실적", "경제 채널", datetime(2025, 2, 1, tzinfo=UTC))
    assert "SK하이닉스" in told.organizations
    assert told.transcript == SPOKEN.transcript
    assert not told.title_is_file_name
    assert VideoFacts.read("", " ", "").added_to(SPOKEN) is SPOKEN


def test_what_cannot_be_used_is_refused():
    """A day that is none, and a title that is too long."""
    with pytest.raises(InputError, match="2026-11-24"):
        VideoFacts.read("", "", "어제")
    with pytest.raises(TooLongError, match="300"):
        VideoFacts.read("가" * 301, "", "").added_to(SPOKEN)
