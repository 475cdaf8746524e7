"""What amount a question asks for, and whether a text holds one of that kind."""

from __future__ import annotations

import pytest

from search_core.answers.asked_amounts import asked_amount, in_digits


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("종자는 몇 톨 남았어?", "남은 게 58톨이었어요.", "지금은 12에이커에 뿌립니다."),
        ("여기 몇 명이 다녀?", "학생이 모두 서른두 명이에요.", "공사는 412일이 걸렸어요."),
        ("여기 몇 명이 다녀?", "교사가 열넷이고 나머지는 학생이에요.", "교실이 세 칸이에요."),
        ("여기 몇 명이 다녀?", "We are a hundred and forty people.", "Today we show Osprey 4."),
        ("몇 가구나 끊겼대?", "3만 가구에 물이 끊겼습니다.", "기준 20밀리그램의 세 배입니다."),
        ("몇 개국이 나왔어?", "48개 나라가 나왔습니다.", "이틀 동안 열렸습니다."),
        ("정전이 몇 시간이나 갔어?", "불은 이틀 만에 들어왔어요.", "발전기가 두 대 있었어요."),
        ("그 배 한 척에 얼마 하는데?", "한 척에 3억 2천만 원입니다.", "항구 열한 곳에 들여놓았습니다."),
        ("입장료 얼마야?", "입장은 무료입니다.", "하루에 300명이 옵니다."),
        ("이 법 어기면 얼마 내나요", "과태료는 500만 원입니다.", "2023년 7월부터 적용됩니다."),
        (
            "이 펌프는 전기 얼마나 먹어?",
            "It needs two point four kilowatt hours.",
            "One pump costs nine hundred dollars.",
        ),
        ("How many people work there?", "The firm has 85 employees.", "It sold for 12 dollars."),
    ],
)
def test_an_amount_is_told_from_one_of_another_kind(question: str, holds: str, lacks: str):
    """What is counted or measured has its own counters, in digits and in words, and any count in another language."""
    amount = asked_amount(question)
    assert amount is not None
    assert (amount.is_in(holds), amount.is_in(lacks)) == (True, False)


@pytest.mark.parametrize(
    "question",
    ["점유율이 몇 퍼센트야?", "몇 번째로 큰 섬이야?", "몇 년 된 건지 어떻게 알아?", "누가 만들었어?"],
)
def test_what_is_told_in_many_ways_is_held_to_no_kind(question: str):
    """A share, a rank and a manner may be told without an amount of their kind."""
    assert asked_amount(question) is None


def test_spelt_numbers_become_digits():
    """English numbers in words are put together, a point and hundreds among them, and the article "one" stays."""
    assert in_digits("One of three hundred and five, at one point zero six or twenty-two") == "One of 305, at 1.06 or 22"
    assert in_digits("Zero of eighteen hundred, of a thousand, of 3 million") == "0 of 1800, of a 1000, of 3 million"
