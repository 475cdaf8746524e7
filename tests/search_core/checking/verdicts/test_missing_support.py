"""What keeps two sentences that look alike from agreeing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.domain.stance import Stance
from search_core.domain.video import VideoContext
from tests.search_core.checking.verdicts.sample_sentences import VIDEO_DAY, compare_sentences

VIDEO = VideoContext(title="이번 주 경제", published_at=VIDEO_DAY)


@pytest.mark.parametrize(
    ("said", "found", "why"),
    [
        ("청년 실업률은 6.5퍼센트입니다.", "전체 실업률은 6.5%다.", "일부"),
        ("수율은 80퍼센트입니다.", "수율은 80%를 밑돈다.", "많거나 적다고"),
        ("수출이 8퍼센트 늘었습니다.", "수입이 8% 늘었다.", None),
        ("미국이 한국산 철강에 관세를 매겼습니다.", "한국이 미국산 철강에 관세를 매겼다.", None),
    ],
)
def test_what_only_looks_like_agreement_is_told_apart(said, found, why):
    """Another part, bound or stage is no agreement, and the row says which it is; of another thing there is no row."""
    told = compare_sentences(said, found, datetime(2026, 6, 20, tzinfo=UTC), video=VIDEO)
    assert (told is None) is (why is None)
    if told is not None:
        assert told.stance is not Stance.AGREE
        assert why in told.why
