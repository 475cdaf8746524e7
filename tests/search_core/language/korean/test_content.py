from __future__ import annotations

import pytest

from search_core.language.entities.gazetteer import known_names
from search_core.language.korean.content import content_terms, verb_as_written

FORMULAS = ("더 자세히", "방금 말한 거 다시 설명해줘", "왜 그런 거야?", "what did he mean by that")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("삼성전자의 HBM4 대역폭은 얼마나 되나요?", ["삼성전자", "HBM4", "대역폭"]),
        ("GPT-4o 가격은 얼마인가요", ["GPT-4o", "가격"]),
        ("지리산국립공원의 넓이는 483제곱킬로미터", ["지리산국립공원", "넓이", "483제곱킬로미터"]),
        ("물가가 오르는 이유", ["물가", "오르다", "이유"]),
        ("What are Aurora Robotics' sensors and Maya's plan?", ["Aurora", "Robotics", "sensors", "Maya", "plan"]),
        *((formula, []) for formula in FORMULAS),
    ],
)
def test_a_question_becomes_its_content_words(text: str, expected: list[str]):
    """Compounds, names and short nouns stay whole, verbs take dictionary form, and particles and formulas go."""
    assert [term.text for term in content_terms(text)] == expected


def test_positions_point_into_the_text():
    """Every term that is no predicate stands where it says; "매출" leaves open of what, "삼성전자" does not."""
    text = "엔비디아 CEO가 말한 로봇 전략"
    assert all(text[term.start : term.end] == term.text for term in content_terms(text) if not term.predicate)
    assert [(term.text, term.attribute) for term in content_terms("삼성전자 매출")] == [("삼성전자", False), ("매출", True)]


@pytest.mark.parametrize(
    ("text", "verb", "written"),
    [
        ("값이 올랐대요?", "올랐", "올랐다"),
        ("누가 먹는대요?", "먹는", "먹는다"),
        ("탑에 얹은 돌", "얹은", "얹은"),
    ],
)
def test_a_verb_that_ends_a_sentence_is_a_statement(text: str, verb: str, written: str):
    """Past tenses and adjectives end plainly, other verbs as verbs do, and what stands before a noun stays."""
    assert verb_as_written(text, text.index(verb)) == written


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("n번방 사건 판결은?", "n번방"),
        ("온새시 수돗물 왜 냄새나?", "온새시"),
        ("박찬범 선장 누구야", "박찬범"),
        ("냉동고를 -20도로 맞춰도 돼?", "-20도"),
        ("퀵정렬이 O(n log n)인 이유", "O(n log n)"),
        ("몇 명을 내보냈어?", "몇 명"),
    ],
)
def test_names_numbers_and_formulas_stay_whole(text: str, term: str):
    """A letter with its noun, a number with its sign and unit, a formula and a count asked for are one term each."""
    assert term in [each.text for each in content_terms(text)]


@pytest.mark.parametrize(
    "frame", ["{} 주가 얼마야?", "{} 최근 소식", "{} 뜻", "미국 {} 제재", "그 뒤 {} 반응은?", "{} 사건", "요즘 {} 어때?"]
)
def test_known_names_stay_whole(frame: str):
    """No known name of three letters or more loses a part in a question, whatever stands around it."""
    korean = {name for known in known_names() for name in known.korean if len(name) > 2 and name.isalpha() and not name.isascii()}
    lost = {name for name in korean if not any(name in term.text for term in content_terms(frame.format(name)))}
    assert len(korean) > 500
    assert not lost
