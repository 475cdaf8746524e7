"""The difference of two runs of one question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.research.difference import ChangeKind, CitedStatement, compare_runs

from .report_material import SOURCES, day, run, source

BEFORE = "## 요약\n\n한빛전자의 2025년 매출은 66조원이었어요 [1]. 한빛전자는 충주에 공장을 짓고 있어요 [2].\n\n점심은 국수였어요."
SALES = "한빛전자의 매출은 66조원이다."


def test_two_equal_runs_differ_in_nothing():
    """A run held against its like says so; where one report was quoted, that words may differ; empty runs are compared, too."""
    same = compare_runs(run(BEFORE), run(BEFORE, created_at=day("2026-11-21")))
    assert same.nothing
    assert same.summary == "2026년 11월 20일 조사와 견줬어요. 달라진 것이 없어요."
    assert "한쪽은 발췌라서" in compare_runs(run(BEFORE), run(BEFORE, by_model=False)).summary
    empty = run("", ())
    assert compare_runs(empty, empty).nothing
    assert [each.number for each in compare_runs(empty, run(BEFORE)).new_sources] == [1, 2, 3]
    assert [each.kind for each in compare_runs(empty, run(BEFORE)).statements] == [ChangeKind.NEW, ChangeKind.NEW]
    assert [each.kind for each in compare_runs(run(BEFORE), empty).statements] == [ChangeKind.GONE, ChangeKind.GONE]


def test_sources_come_and_go():
    """A page known under another address is the same one; the others are new or gone, each with the number of its run."""
    known = source(1, SOURCES[0].title, SOURCES[0].snippet, url="http://www.site1.example/1?utm_source=x")
    fresh = source(2, "새 소식", "가람전자의 소식이다.", url="https://new.example/1")
    found = compare_runs(run(""), run("", (known, fresh)))
    assert [each.number for each in found.new_sources] == [2]
    assert [each.number for each in found.gone_sources] == [2, 3]
    assert found.changed_sources == ()
    assert "새 출처 1개, 이번에 나오지 않은 출처 2개가 있어요." in found.summary


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (
            {"publish_date": day("2026-01-20")},
            {"publish_date": day("2026-02-03")},
            "날짜가 달라졌어요 (2026년 1월 20일 → 2026년 2월 3일)",
        ),
        ({"title": "한빛전자 매출"}, {"title": "가람전자, 공장을 팔았다"}, "제목이 달라졌어요"),
        ({"snippet": SALES}, {"snippet": "한빛전자의 매출은 72조원이다."}, "숫자가 달라졌어요"),
        ({"snippet": SALES}, {"snippet": "공장이 문을 닫아 직원들이 떠났다."}, "내용이 달라졌어요"),
        ({"snippet": f"{SALES} 직원이 늘었다."}, {"snippet": SALES}, ""),
        ({"publish_date": None}, {"publish_date": day("2026-01-20")}, ""),
        ({"snippet": ""}, {"snippet": SALES}, ""),
    ],
    ids=["date", "title", "number", "text", "cut elsewhere", "date learnt", "text learnt"],
)
def test_a_source_may_have_changed(before: dict[str, object], after: dict[str, object], what: str):
    """Another date, title, number or text is a change; a text cut elsewhere or a date learnt is none."""
    one = source(1, "글", "요약")
    found = compare_runs(run("", (replace(one, **before),)), run("", (replace(one, **after),)))
    assert len(found.changed_sources) == bool(what)
    assert all(each.what.startswith(what) for each in found.changed_sources)


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("2025년 매출은 66조원이었어요", "2025년 매출은 72조원이었어요", "숫자나 날짜가 달라졌어요 (66조원 → 72조원)"),
        ("새 공장은 2026년 3월에 열어요", "새 공장은 2026년 9월에 열어요", "숫자나 날짜가 달라졌어요 (2026년 3월 → 2026년 9월)"),
        ("공장 건설 계획을 발표했어요", "공장 건설 계획을 발표하지 않았어요", "말하는 방향이 반대로 바뀌었어요"),
        ("수출이 크게 증가했어요", "수출이 크게 감소했어요", "말하는 방향이 반대로 바뀌었어요"),
        ("새 대표이사는 삼성전자 출신이에요", "새 대표이사는 엔비디아 출신이에요", "이름이 달라졌어요 (삼성전자 → 엔비디아)"),
    ],
    ids=["number", "date", "denied", "direction", "name"],
)
def test_a_statement_may_have_changed(before: str, after: str, what: str):
    """A number, a date, a name or the direction of a matching sentence is a change, with both sentences and their sources."""
    found = compare_runs(run(f"한빛전자의 {before} [1]."), run(f"한빛전자의 {after} [2][3]."))
    [change] = found.statements
    assert (change.kind, change.what) == (ChangeKind.CHANGED, what)
    assert change.before == CitedStatement(f"한빛전자의 {before}.", (1,))
    assert change.after == CitedStatement(f"한빛전자의 {after}.", (2, 3))
    assert found.summary.endswith(f"바뀐 내용 1개가 있어요. 먼저 볼 것: {what}.")


def test_statements_come_and_go():
    """What one report alone says is new or gone, the same in other words is neither, and each sentence has one partner."""
    after = (
        "한빛전자의 매출은 2025년에 66조원이었어요 [3]. 직원들은 새 기숙사로 옮겼어요 [1]. "
        "한빛전자의 2024년 매출은 60조원이었어요 [2]. 저녁은 밥이었어요."
    )
    found = compare_runs(run(BEFORE), run(after))
    assert {(each.kind, (each.after or each.before).text) for each in found.statements} == {
        (ChangeKind.NEW, "직원들은 새 기숙사로 옮겼어요."),
        (ChangeKind.NEW, "한빛전자의 2024년 매출은 60조원이었어요."),
        (ChangeKind.GONE, "한빛전자는 충주에 공장을 짓고 있어요."),
    }


def test_extracts_are_compared_by_their_quotations():
    """A quoted sentence is a statement without the marks around it; headings, notices and found differences are none."""
    quoted = "- “한빛전자의 2025년 매출은 {}조원이었다.” (site1.example, 2026년 1월 20일) [1]"
    rest = "\n\n> 알림이에요 [1].\n\n## 제목 [2]\n\n- 서로 달라요: “가” [1] ↔ “나” [2]. 달라요."
    before, after = (run(quoted.format(value) + rest, by_model=False) for value in (66, 72))
    [change] = compare_runs(before, after).statements
    assert change.before == CitedStatement("한빛전자의 2025년 매출은 66조원이었다.", (1,))
    assert change.after == CitedStatement("한빛전자의 2025년 매출은 72조원이었다.", (1,))
