"""What keeps two sentences that look alike from agreeing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.domain.stance import Stance, StanceRow
from search_core.domain.video import VideoContext
from search_core.stance.proposition import arguments_in
from search_core.text import korean
from tests.search_core.stance.sample_sentences import VIDEO_DAY, compare_sentences

VIDEO = VideoContext(title="이번 주 경제", published_at=VIDEO_DAY)


def row(said: str, found: str) -> StanceRow | None:
    return compare_sentences(said, found, datetime(2026, 6, 20, tzinfo=UTC), video=VIDEO)


@pytest.mark.parametrize(
    ("said", "found", "why"),
    [
        ("청년 실업률은 6.5퍼센트입니다.", "전체 실업률은 6.5%다.", "일부"),
        ("수율은 80퍼센트입니다.", "수율은 80%를 밑돈다.", "많거나 적다고"),
        ("수출이 8퍼센트 늘었습니다.", "수입이 8% 늘었다.", None),
        ("식약처가 레카벤을 승인했습니다.", "식약처가 레카벤의 경쟁 약인 도나멕스를 승인했다.", None),
        ("미국이 한국산 철강에 관세를 매겼습니다.", "한국이 미국산 철강에 관세를 매겼다.", None),
        ("The rocket is 98 metres tall.", "The launch tower is 98 metres tall.", None),
    ],
)
def test_what_only_looks_like_agreement_is_told_apart(said, found, why):
    """Another part, bound or stage is no agreement, and the row says which it is; of another thing there is no row."""
    told = row(said, found)
    assert (told is None) is (why is None)
    if told is not None:
        assert told.stance is not Stance.AGREE
        assert why in told.why


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("한국은행은 기준금리를 2.5퍼센트로 동결했습니다.", "한국은행 금융통화위원회가 기준금리를 연 2.50%로 동결했다."),
        ("리튬 가격은 톤당 만 달러입니다.", "리튬 가격은 톤당 1만달러다."),
    ],
)
def test_the_same_in_other_words_agrees(said, found):
    """Another voice, another word for one event, or an expectation in another clause takes nothing away."""
    told = row(said, found)
    assert told is not None
    assert told.stance is Stance.AGREE, told.why


def test_subjects_objects_and_predicates_are_read_by_their_particles():
    """The last noun of a phrase is its head, -하다 makes a predicate; questions and announcements state nothing."""
    found = arguments_in(korean.morphemes("식약처가 새 치료제를 승인했다."))
    assert (found.subjects, found.objects, found.predicates) == ((("식약처",),), (("치료제",),), ("승인",))
    for said in ("수출은 얼마나 늘었을까요?", "이제 실제 제품을 보겠습니다.", "구독과 좋아요 부탁드립니다."):
        assert row(said, "5월 수출은 8% 늘었고 새 제품의 구독과 좋아요도 늘었다.") is None
