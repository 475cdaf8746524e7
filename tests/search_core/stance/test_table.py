"""A comparison in words: its table and its paragraph."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain import Comparison, Judge, Stance
from search_core.stance import stance_summary, stance_table
from tests.search_core.scripted import stance_row
from tests.search_core.stance.sample_sentences import page

ROW = stance_row(
    moment_s=60.0, statement="점유율은 34퍼센트입니다.", quote="점유율은 34%다.", after_video=False, why="같은 값이에요."
)


@pytest.mark.parametrize(
    ("judge", "probability", "words"),
    [
        (Judge.RULES, None, "규칙"),
        (Judge.ENTAILMENT_MODEL, 0.8649, "의미 모델 (86%)"),
        (Judge.LANGUAGE_MODEL, None, "언어 모델"),
    ],
)
def test_a_table_names_who_judged(judge: Judge, probability: float | None, words: str):
    """The model's probability is a whole number of percent."""
    (row,) = stance_table(Comparison.of([replace(ROW, judge=judge, probability=probability)]), [page("점유율은 34%다.")])
    assert row.judge == words


def test_a_paragraph_over_passages_does_not_say_that_nothing_speaks_of_it():
    """Where nothing is decided it says that what follows is only the nearest; that nothing was found, only over nothing."""
    nothing = "견줄 문장이 없어요"
    told = stance_summary(Comparison.of([replace(ROW, stance=Stance.CANNOT_TELL)]))
    assert nothing not in told
    assert told.endswith("가장 가까운 출처만 옮겨 두었어요.")
    assert nothing in stance_summary(Comparison.of([]))


def test_a_paragraph_counts_statements_by_their_verdict():
    """Two that agree and one that differs of one statement are one agreement; another statement is weighed for itself."""
    rows = (
        ROW,
        replace(ROW, source=1, independent_of=1),
        replace(ROW, source=2, independent_of=2, stance=Stance.CONTRADICTS),
        replace(ROW, source=2, independent_of=2, stance=Stance.ADDS, statement="대표는 김민수입니다."),
        replace(ROW, source=3, independent_of=3, restates_video=True, statement="세 번째 말입니다."),
    )
    assert stance_summary(Comparison.of(rows)) == (
        "영상의 발언 2개를 서로 독립된 출처 3곳과 비교했어요. 일치 1개, 보완 1개예요. 영상을 그대로 옮긴 1곳은 세지 않았어요."
    )
