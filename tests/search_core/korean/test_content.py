from __future__ import annotations

import pytest

from search_core.korean.content import content_terms


def words(text: str) -> list[str]:
    return [term.text for term in content_terms(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("삼성전자의 HBM4 대역폭은 얼마나 되나요?", ["삼성전자", "HBM4", "대역폭"]),
        ("GPT-4o 가격은 얼마인가요", ["GPT-4o", "가격"]),
        ("5세대 이동통신이란", ["5세대", "이동통신"]),
        ("전고체 배터리가 뭐야?", ["전고체", "배터리"]),
        ("연구자들의 임금", ["연구자", "임금"]),
        ("C++ 개발자 연봉", ["C++", "개발자", "연봉"]),
        ("성장률 3.5% 전망", ["성장률", "3.5%", "전망"]),
        ("지리산국립공원의 넓이는 483제곱킬로미터", ["지리산국립공원", "넓이", "483제곱킬로미터"]),
        ("우리나라의 국립공원은 22곳", ["우리나라", "국립공원", "22곳"]),
    ],
)
def test_nouns_written_together_stay_one_term(text: str, expected: list[str]):
    """Compounds, names with digits and percentages stay whole, without particles and plural suffixes."""
    assert words(text) == expected


@pytest.mark.parametrize(
    "text",
    ["더 자세히", "방금 말한 거 다시 설명해줘", "왜 그런 거야?", "그게 뭐예요?", "what did he mean by that", "tell me more"],
)
def test_formulas_of_asking_are_no_terms(text: str):
    """Question words, fillers, pronouns and polite requests leave nothing."""
    assert words(text) == []


def test_two_syllable_nouns_are_kept():
    """Short nouns carry Korean questions."""
    assert words("금리와 물가") == ["금리", "물가"]


def test_verbs_that_carry_meaning_come_in_dictionary_form():
    """A stem alone is no word anybody searches for."""
    assert words("물가가 오르는 이유") == ["물가", "오르다", "이유"]


def test_a_known_property_is_not_split():
    """The word "주가" before a verb is one noun, not "주" with a particle."""
    assert words("회사 주가 어떻게 됐어?") == ["회사", "주가"]


def test_words_of_other_scripts_are_kept():
    """Kana beside Hangul is content."""
    assert words("トヨタ 실적") == ["トヨタ", "실적"]


def test_english_words_keep_their_case_and_lose_function_words():
    """Names stay as typed; possessives lose their ending."""
    assert words("What are Aurora Robotics' torque sensors and Maya's plan?") == [
        "Aurora",
        "Robotics",
        "torque",
        "sensors",
        "Maya",
        "plan",
    ]


def test_positions_point_into_the_text():
    """Every term that is no predicate stands where it says."""
    text = "엔비디아 CEO가 말한 로봇 전략"
    assert all(text[term.start : term.end] == term.text for term in content_terms(text) if not term.predicate)


def test_properties_are_marked():
    """The word "매출" leaves open of what, "삼성전자" does not."""
    assert [(term.text, term.attribute) for term in content_terms("삼성전자 매출")] == [("삼성전자", False), ("매출", True)]
