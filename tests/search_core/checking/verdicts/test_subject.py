"""Whom and what a statement names, and whether a page speaks of it."""

from __future__ import annotations

import pytest

from search_core.checking.verdicts.missing_support import speaks_of_same, subject_names
from search_core.language.statements.proposition import read_proposition


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
