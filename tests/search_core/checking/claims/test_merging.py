from __future__ import annotations

import pytest

from search_core.checking.claims.finder import group_same

SAID = "엔비디아의 데이터센터 매출은 작년에 15퍼센트 늘었습니다."


def test_one_claim_said_twice_is_one():
    """Other endings, spaces and small words make no other claim."""
    again = "그러니까 엔비디아 데이터센터 매출은 작년에 15 퍼센트 늘었어요"
    people = "한국의 인구는 5천만 명입니다."
    assert group_same([SAID, people, again, people, SAID]) == ((0, 2, 4), (1, 3))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SAID, "엔비디아의 데이터센터 매출은 작년에 50퍼센트 늘었습니다."),
        (SAID, "인텔의 데이터센터 매출은 작년에 15퍼센트 늘었습니다."),
        (SAID, "엔비디아의 데이터센터 매출은 작년에 15퍼센트 줄었습니다."),
        (SAID, "엔비디아의 데이터센터 매출은 작년에 15퍼센트 늘지 않았습니다."),
        ("우리나라 반도체 수출 금액은 2024년에 늘었습니다.", "우리나라 반도체 수입 금액은 2024년에 늘었습니다."),
    ],
)
def test_a_number_a_time_a_name_or_a_no_makes_another_claim(one: str, other: str):
    """What differs in one of them is never taken for the same, however alike the words are, in both languages."""
    assert group_same([one, other]) == ((0,), (1,))
