"""A contradiction is told only of the same value of the same thing at the same time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.checking.verdicts.missing_support import speaks_of_same, subject_names
from search_core.domain.stance import Stance
from search_core.domain.video import VideoContext
from search_core.language.entities.gazetteer import fold_name
from search_core.language.statements.proposition import read_proposition
from tests.search_core.checking.verdicts.sample_sentences import AFTER, BEFORE, VIDEO_DAY, compare_sentences, stance

SALES_2025 = "한빛반도체의 2025년 매출은 40조 원이었습니다."


@pytest.mark.parametrize(
    ("said", "web"),
    [
        ("한빛반도체의 2분기 매출은 12조 원입니다.", "한빛반도체의 연간 매출은 45조원이다."),
        ("한빛반도체의 2분기 매출은 12조 원입니다.", "한빛반도체의 2분기 반도체 부문 매출은 7조원이다."),
        ("한빛반도체의 2분기 매출은 12조 원입니다.", "한빛반도체의 2분기 매출은 전년 동기 대비 30% 늘었다."),
        ("아이폰 17의 무게는 177그램입니다.", "아이폰 16의 무게는 170g이다."),
        ("Nova Robotics expects revenue of $2 billion this year.", "Nova Robotics reported revenue of $1.1 billion for 2024."),
        ("The drug is approved for adults.", "The drug is not approved for children."),
        ("한빛반도체는 엔비디아에 HBM4를 공급합니다.", "한빛반도체는 AMD에 HBM4를 공급하지 않는다."),
        ("서울 인구는 930만 명입니다.", "부산 인구는 325만명이다."),
        ("한빛반도체 직원은 860명입니다.", "한빛반도체가 새 공장에서 일할 사람 300명을 뽑는다."),
        ("마을 우물은 모두 물이 깨끗합니다.", "마을 우물은 모두 물이 깨끗하지 않다."),
    ],
)
def test_another_thing_is_no_contradiction(said: str, web: str):
    """Another period, product, owner, region, part, measure or object, a condition or a doubt contradicts nothing."""
    assert stance(said, web) not in ("contradicts", "changed")


@pytest.mark.parametrize(
    ("said", "web", "date", "title", "expected"),
    [
        ("저희 매출은 12조 원입니다.", "한빛반도체의 매출은 9조원이다.", BEFORE, "", "contradicts"),
        ("The iPhone 17 costs $799.", "Apple raised the price of the iPhone 17 from $799 to $849.", AFTER, "", "changed"),
        ("한빛반도체 고객사는 12곳입니다.", "한빛반도체의 고객사는 12곳에서 17곳으로 늘었다.", AFTER, "", "changed"),
        (
            "한빛반도체는 HBM4를 2027년 3월에 양산합니다.",
            "한빛반도체가 HBM4 양산 시점을 당초 2027년 3월에서 9월로 6개월 미룬다.",
            AFTER,
            "",
            "changed",
        ),
        (SALES_2025, "한빛반도체 매출은 33조원을 기록했다.", BEFORE, "한빛반도체 2024년 실적", "adds"),
        (SALES_2025, "한빛반도체 매출은 33조원을 기록했다.", BEFORE, "한빛반도체 2025년 실적", "contradicts"),
        (SALES_2025, "한빛반도체의 2025년 매출은 36조원이었다.", AFTER, "", "contradicts"),
        ("한빛반도체 직원은 3만 5천 명입니다.", "한빛반도체 직원은 4만2천명이다.", None, "", "cannot_tell"),
        ("감사합니다, 여러분.", "감사합니다, 여러분", BEFORE, "", "none"),
    ],
)
def test_time_and_thing_limit_what_is_said(said: str, web: str, date: datetime | None, title: str, expected: str):
    """A differing value, direction or denial of one thing at about one time contradicts, across scripts too; later it changed.

    The old value in a report of a change is no agreement. A title dates the sentences below it, a closed year cannot change, no
    date decides nothing, and a greeting has no row.
    """
    assert stance(said, web, date, title=title) == expected


@pytest.mark.parametrize(
    ("said", "web"),
    [
        (
            "2026년 성장률 전망은 0.9퍼센트에서 1.0퍼센트로, 2027년은 1.6퍼센트에서 1.8퍼센트로 높였습니다.",
            "한국은행은 올해 경제성장률 전망치를 0.9%에서 1.0%로, 내년은 1.6%에서 1.8%로 올렸다.",
        ),
        ("소비자물가 상승률은 2026년 2.1퍼센트로 내다봤습니다.", "소비자물가 상승률은 올해와 내년 모두 2.1%로 전망했다."),
    ],
)
def test_several_values_of_one_subject_agree(said: str, web: str):
    """Numbers and times that meet all together are no chance, whatever else a sentence says."""
    assert stance(said, web) == "agree"


VIDEO = VideoContext(title="이번 주 경제", published_at=VIDEO_DAY)


@pytest.mark.parametrize(
    ("said", "found", "why"),
    [
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


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("라온셀 직원은 지금 860명입니다.", {"라온셀"}),
        ("해솔시청 직원은 지금 1,240명입니다.", {"해솔시청"}),
        ("누리빛요양원 불은 2층 세탁실 건조기에서 시작됐습니다.", {"누리빛요양원"}),
        ("번개는 같은 곳에 두 번 치지 않습니다.", set()),
    ],
)
def test_names_are_those_of_the_sentence_and_compounds_before_its_topic(statement: str, names: set[str]):
    """Plain words and values are none."""
    assert set(subject_names(read_proposition(statement, None))) == names


@pytest.mark.parametrize(
    ("web", "around", "same"),
    [
        ("해솔시는 직원이 1,240명이라고 밝혔다.", "", True),
        ("직원은 1,302명으로 늘었다.", "해솔시의 조직 개편안이 통과됐다.", True),
        ("솔안시청 직원은 모두 1,240명이다.", "", False),
        ("솔안시청 직원은 모두 1,240명이다.", "이웃 해솔시청과 견줬다.", False),
    ],
)
def test_a_page_speaks_of_what_it_names_up_to_there(web: str, around: str, same: bool):
    """A name may stand before the sentence, but not where the sentence names another instead."""
    statement = read_proposition("해솔시청 직원은 지금 1,240명입니다.", None)
    assert speaks_of_same(statement, read_proposition(web, None), f"{around}\n{web}") is same
    assert speaks_of_same(read_proposition("번개는 위험합니다.", None), read_proposition(web, None), web) is None


@pytest.mark.parametrize(
    ("web", "titled", "video", "same"),
    [
        ("첫해에 고친 것은 겨우 9대였다.", ("새올림공방",), "새울림공방 이야기", False),
        ("첫해에 고친 것은 겨우 9대였다.", ("새울림공방",), "새울림공방 이야기", True),
        ("하랑 E9은 첫해에 9대를 고쳤다.", ("E9",), "하람 E9을 타 봤습니다", False),
        ("첫해에 고친 것은 겨우 9대였다.", ("새울림 S2", "새울림"), "새울림을 써 봤습니다", False),
    ],
)
def test_what_names_nothing_is_about_what_its_video_names(web: str, titled: tuple[str, ...], video: str, same: bool):
    """Of a page about a name that is said nowhere in the video nothing is told."""
    statement = read_proposition("처음 해에는 겨우 9대였어요.", None)
    assert speaks_of_same(statement, read_proposition(web, None), web, titled, fold_name(video)) is same
