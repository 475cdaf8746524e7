"""What rows of several sources come to for one statement or claim."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from search_core.checking.verdicts.weighing import stance_summary, weigh_rows, weigh_statements
from search_core.domain.stance import Comparison, Stance, StanceRow, first_of_stories
from tests.search_core.checking.verdicts.sample_sentences import compare_sentences
from tests.search_core.scripted import stance_row

SAID = "한빛의 매출은 12조 원입니다."
ALSO = "한빛의 대표는 김민수입니다."
EARLY, LATE = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 10, 1, tzinfo=UTC)
A, C, CH, AD, CT = Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED, Stance.ADDS, Stance.CANNOT_TELL


def row(
    stance: Stance, story: int, sure: float = 1.0, *, said: str = SAID, quote: str = "한빛은 크다.", date: datetime = EARLY
) -> StanceRow:
    return stance_row(
        moment_s=0.0,
        statement=said,
        stance=stance,
        source=story,
        quote=quote,
        date=date,
        independent_of=story,
        confidence=sure,
        after_video=False,
        why="까닭이에요.",
    )


def told(*rows: StanceRow, sentences: tuple[str, ...] = (SAID,)) -> tuple[Stance, int]:
    verdict = weigh_rows(rows, sentences)
    return verdict.stance, verdict.independent


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        ((), (CT, 0)),
        ((row(A, 0), row(A, 1)), (A, 2)),
        ((row(A, 0), row(A, 0)), (A, 1)),
        ((row(AD, 0), row(CT, 1)), (AD, 1)),
        ((row(A, 0), row(C, 1)), (C, 1)),
        ((row(A, 0, 0.9), row(C, 1, 0.8)), (A, 1)),
        ((row(A, 0), row(A, 1), row(C, 2)), (A, 2)),
        ((row(A, 0), row(A, 1), row(C, 2), row(C, 3)), (C, 2)),
        ((row(A, 0), row(CH, 1, date=LATE)), (CH, 1)),
        ((row(A, 0, date=LATE), row(A, 1), row(CH, 2, date=EARLY)), (A, 2)),
        ((row(C, 0), row(CH, 1, date=LATE)), (C, 1)),
    ],
)
def test_a_difference_wins_where_it_is_at_least_as_sure(rows: tuple[StanceRow, ...], verdict: tuple[Stance, int]):
    """Stories count once; a difference needs as many stories and as sure a row as agreement; the latest change is a change."""
    assert told(*rows) == verdict


def test_a_story_speaks_by_its_surest_decided_row():
    """Of the rows of one story one that decides outweighs a surer one that only adds."""
    assert told(row(AD, 0, 1.0), row(A, 0, 0.5)) == (A, 1)
    assert told(row(C, 0, 0.6), row(A, 0, 0.9)) == (A, 1)


def test_sources_that_do_not_count_decide_nothing():
    """Rows of sources that do not count decide nothing, and where there are only such the reason says so."""
    uncounted = replace(row(A, 0), restates_video=True)
    assert told(uncounted, row(C, 1)) == (C, 1)
    verdict = weigh_rows([uncounted], (SAID,))
    assert (verdict.stance, verdict.independent) == (CT, 0)
    assert "말한 쪽" in verdict.why


def test_a_lone_difference_is_weighed_against_the_same_value():
    """Where as many other sources name the claim's own value without clearly agreeing nothing is decided, and that is said."""
    same = row(AD, 1, quote="한빛은 매출 12조 원을 넘보는 회사다.")
    verdict = weigh_rows([row(C, 0), same], (SAID,))
    assert verdict.stance is CT
    assert verdict.why == "다르게 말하는 출처가 1곳 있지만 같은 값을 말하는 곳도 있어 가릴 수 없어요."
    assert told(row(C, 0), row(C, 2), same) == (C, 2)
    assert told(row(A, 3), row(C, 0), same) == (A, 1)


def test_all_sentences_of_a_claim_count():
    """One contradicted sentence contradicts the claim; agreement needs all, with the witnesses of the weakest; else a part."""
    both = (SAID, ALSO)
    assert told(row(A, 0), row(A, 1), row(A, 0, said=ALSO), sentences=both) == (A, 1)
    assert told(row(A, 0), row(C, 1, said=ALSO), sentences=both) == (C, 1)
    verdict = weigh_rows([row(A, 0)], both)
    assert (verdict.stance, verdict.why) == (AD, "여러 내용 가운데 일부만 확인했어요.")


def test_a_difference_without_a_date_is_reported():
    """A source that differs without a date is counted in the reason, as a contradiction or a change."""
    differs = compare_sentences("한빛반도체의 매출은 12조 원입니다.", "한빛반도체의 매출은 9조 원이다.", None)
    assert differs is not None
    verdict = weigh_rows([differs, row(CT, 7)], (differs.statement,))
    assert verdict.stance is CT
    assert verdict.why == "다르게 말하는 출처가 1곳 있지만 날짜를 알 수 없어 상충인지 이후 변경인지 가릴 수 없어요."


def test_each_statement_of_a_comparison_is_weighed_for_itself():
    """Statements come in order of their moments; copies count once, and what only restates the video is no vote."""
    later = replace(row(A, 5), moment_s=60.0, restates_video=True)
    rows = (later, row(A, 0), row(A, 0, 0.9), row(A, 1), row(AD, 2, said=ALSO))
    first, second, third = weigh_statements(Comparison.of(rows))
    assert (first.statement, first.moment_s, len(first.rows)) == (SAID, 0.0, 3)
    assert (first.verdict.stance, first.verdict.count) == (A, "독립된 출처 2곳이 같은 내용을 말해요.")
    assert (second.statement, second.verdict.stance) == (ALSO, AD)
    assert (third.moment_s, third.verdict.stance, third.verdict.independent) == (60.0, CT, 0)


def test_the_first_row_of_a_story_stands_for_it():
    """At each moment; one that only restates the video stands for nothing."""
    rows = (row(A, 0), row(A, 0), replace(row(A, 0), moment_s=60.0), replace(row(A, 1), restates_video=True))
    assert first_of_stories(rows) == [True, False, True, False]


def test_a_paragraph_over_passages_does_not_say_that_nothing_speaks_of_it():
    """Where nothing is decided it says that what follows is only the nearest; that nothing was found, only over nothing."""
    nothing = "비교할 문장이 없어요"
    told = stance_summary(Comparison.of([row(CT, 0)]))
    assert not any(words in told for words in (nothing, "자료를 찾지 못했어요"))
    assert told.endswith("가장 가까운 출처만 옮겨 두었어요.")
    assert nothing in stance_summary(Comparison.of([]))


def test_a_paragraph_counts_statements_by_their_verdict():
    """Two that agree and one that differs of one statement are one agreement; another statement is weighed for itself."""
    retold = replace(row(A, 3, said="세 번째 말입니다."), restates_video=True)
    rows = (row(A, 0), row(A, 1), row(C, 2), row(AD, 2, said=ALSO), retold)
    assert stance_summary(Comparison.of(rows)) == (
        "영상의 발언 2개를 서로 독립된 출처 3곳과 비교했어요. 일치 1개, 보완 1개예요. "
        "영상 쪽에서 냈거나 영상을 옮긴 1곳은 세지 않았어요."
    )
