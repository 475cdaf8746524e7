"""Questions in parts, by rules."""

from __future__ import annotations

import pytest

from search_core.research.planning import parts_of


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("HBM3와 HBM4의 차이는 무엇인가요?", ("HBM3 특징", "HBM4 특징", "HBM3와 HBM4의 차이는 무엇인가요?")),
        (
            "삼성전자와 SK하이닉스의 HBM 매출을 비교해 줘",
            ("삼성전자의 HBM 매출", "SK하이닉스의 HBM 매출", "삼성전자와 SK하이닉스의 HBM 매출을 비교해 줘"),
        ),
        ("금리 인상의 원인, 영향과 대책을 알려줘", ("금리 인상의 원인", "금리 인상의 영향", "금리 인상의 대책")),
        ("HBM3 vs HBM4 성능", ("HBM3 성능", "HBM4 성능", "HBM3 vs HBM4 성능")),
        ("CoWoS-L과 CoWoS-S의 차이", ("CoWoS-L 특징", "CoWoS-S 특징", "CoWoS-L과 CoWoS-S의 차이")),
        ("HBM4는 언제 나오고 가격은 얼마야?", ("HBM4는 언제 나오나요", "HBM4 가격은 얼마야?")),
        ("전고체 배터리란 무엇이며 왜 중요한가", ("전고체 배터리란 무엇인가요", "전고체 배터리 왜 중요한가")),
        ("엔비디아 매출은 얼마야? 경쟁사는 어디야?", ("엔비디아 매출은 얼마야?", "엔비디아 경쟁사는 어디야?")),
        ("H200의 메모리 용량과 대역폭은?", ("H200의 메모리 용량", "H200의 대역폭")),
        (
            "왜 반도체 수출이 줄었는지 그리고 앞으로 어떻게 될까요?",
            ("왜 반도체 수출이 줄었는지", "반도체 앞으로 어떻게 될까요?"),
        ),
    ],
)
def test_a_question_of_several_is_split(question: str, parts: tuple[str, ...]):
    """Things compared, things listed, clauses that ask and questions in a row become parts that name their subject."""
    assert parts_of(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "반도체 수출은 왜 늘었나요?",
        "한국과 미국이 맺은 협정은 언제 발효되나요?",
        "금리와 환율, 물가의 관계를 설명해 줘",
        "장점과 단점은?",
        "HBM 한 묶음의 폭을 GDDR6 칩과 영어로 비교한 자료",
        "What is HBM and why does it matter?",
        "?!",
        "가" * 5000,
        "왜 " * 2000,
    ],
)
def test_a_question_of_one_stays_whole(question: str):
    """What is asked of two things together, or once, is not torn apart."""
    assert parts_of(question) == (question.strip(),)


def test_no_more_than_five_parts():
    """A long list gives five parts at most."""
    assert len(parts_of("한국, 미국, 일본, 중국, 독일, 영국, 프랑스의 금리를 알려줘")) == 5
