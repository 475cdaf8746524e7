"""A comparison in words: its table and its paragraph."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain import Comparison, Judge, Stance
from search_core.stance import stance_summary, stance_table
from tests.search_core.stance.sample_sentences import ROW, page


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
        "영상의 발언 2개를 서로 독립된 출처 3곳과 견줬어요. 일치 1개, 보완 1개예요. 영상을 그대로 옮긴 1곳은 세지 않았어요."
    )
