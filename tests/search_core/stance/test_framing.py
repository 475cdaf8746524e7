"""What frames claims and is none: announcements, and words that say that something was said before."""

from __future__ import annotations

import pytest

from search_core.stance.framing import is_announcement, without_lead


@pytest.mark.parametrize(
    "sentence",
    [
        "오늘은 AI 가속기가 왜 메모리를 기다리는지, 그리고 HBM이 무엇을 바꾸었는지 살펴보겠습니다.",
        "오늘은 삼성전자 3분기 실적을 다뤄볼게요.",
        "왜 그런지 숫자로 확인해 보겠습니다.",
        "Today we will look at how the Webb telescope was built in 1996.",
        "Welcome. In the next few minutes we ask a simple question: why infrared?",
        "In this video, I'm going to show you three reasons why Nvidia grew 50% in 2023.",
    ],
)
def test_what_only_comes_next_is_announced(sentence: str):
    """Whatever figures and names it holds."""
    assert is_announcement(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "정부는 원인을 살펴보겠다고 했습니다.",
        "그래서 지금도 한국에서 가장 큰 나라처럼 보입니다.",
        "Today we have five million people out of work.",
        "Today I signed a bill that cuts taxes by 5 percent.",
        "In this video from 2019 the minister said that prices fell.",
    ],
)
def test_what_happened_or_is_promised_is_not(sentence: str):
    """Neither what others will look at, nor what merely begins like an announcement."""
    assert not is_announcement(sentence)


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("다시 말씀드리지만 설악산의 높이는 1,708미터입니다.", "설악산의 높이는 1,708미터입니다."),
        ("자, 아까 말했듯이, 첫 표준은 2013년에 나왔습니다.", "첫 표준은 2013년에 나왔습니다."),
        ("As I said before, the mirror is 6.5 metres across.", "The mirror is 6.5 metres across."),
        ("그가 말했듯이 값은 5달러입니다.", "그가 말했듯이 값은 5달러입니다."),
        ("말씀드린 대로 하세요.", "하세요."),
        ("Again and again it rose.", "Again and again it rose."),
    ],
)
def test_what_was_said_before_is_left(sentence: str, said: str):
    """Only words of the speaker about their own speech are dropped."""
    assert without_lead(sentence) == said
