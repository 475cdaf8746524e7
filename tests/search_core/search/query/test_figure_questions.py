from __future__ import annotations

import pytest

from search_core.search.query.figure_questions import question_of


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("지리산의 높이는 1,915미터입니다.", "지리산의 높이는 몇 미터인가?"),
        ("HBM 한 묶음의 입출력 폭은 1024비트였습니다.", "HBM 한 묶음의 입출력 폭은 몇 비트였나?"),
        ("한빛자동차는 전기차를 약 8만 2천 대 팔았습니다.", "한빛자동차는 전기차를 몇 대 팔았나?"),
        ("네팔 정부는 등반하는 사람에게 1만 1천 달러를 받습니다.", "네팔 정부는 등반하는 사람에게 얼마를 받나?"),
        ("어른 표는 4천 원입니다.", "어른 표는 얼마인가?"),
        ("훈민정음 해례본은 1962년 12월에 국보로 지정되었습니다.", "훈민정음 해례본은 언제 국보로 지정됐나?"),
    ],
)
def test_a_figure_or_a_day_is_asked_for(sentence: str, question: str):
    """The figure becomes what asks for it, with its unit or the particle that fits, and the ending that of a question."""
    assert question_of(sentence) == question


@pytest.mark.parametrize(
    "sentence",
    [
        "그 산은 1967년에 국립공원이 되었습니다.",
        "지금은 하루에 800개를 굽습니다.",
        "서울에는 2014년에 문을 연 박물관이 있습니다.",
        "불은 20분 만에 꺼졌고 다친 사람은 없습니다.",
        "경찰은 20대 남성이 달아났다고 밝혔습니다.",
        "체포동의안이 처리된 2명은 모두 의원입니다.",
        "설악산의 높이는 1,708미터이고 한라산의 높이는 1,947미터입니다.",
        "교회에서 어제 11명이 확진됐습니다.",
        "지리산의 높이는 몇 미터일까요?",
        "지리산의 높이는 1,915미터입니다",
        "The mirror is 6.5 meters across.",
        "",
    ],
)
def test_a_sentence_that_makes_no_good_question_makes_none(sentence: str):
    """What points elsewhere, lacks its subject, has clauses or further figures, or is cut, is not asked for."""
    assert question_of(sentence) == ""
