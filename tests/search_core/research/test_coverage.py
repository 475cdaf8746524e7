"""The ledger at the end of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from search_core.domain import CoverageKind, CoverageLine, ResearchSource, Subtask, SubtaskState
from search_core.errors import PageFailure
from search_core.research.coverage import Reported, coverage, read_coverage

from .report_material import source, subtask


def listed(
    plan: Sequence[Subtask], asked: Mapping[int, Sequence[str]], sources: Sequence[ResearchSource], **how: Any
) -> tuple[str, ...]:
    return tuple(line.listed for line in coverage(plan, asked, sources, **how))


def test_a_run_without_gaps():
    """Everything answered and read takes a line for the whole, one for each subtask with its services, and one for reading."""
    plan = (subtask(1, "매출", found=2), subtask(2, "양산", found=1))
    asked = {1: ("구글: 2건 · 0.3초",), 2: ("덕덕고: 1건 · 0.5초",)}
    sources = tuple(source(number, "글", "요약", read=True) for number in (1, 2, 3))
    assert listed(plan, asked, sources) == (
        "나눠 조사한 2가지 모두 자료를 찾아 보고서를 썼어요.",
        "1. 매출: 출처 2개를 찾았어요.",
        "· 구글: 2건 · 0.3초",
        "2. 양산: 출처 1개를 찾았어요.",
        "· 덕덕고: 1건 · 0.5초",
        "출처 3개 중 3개는 본문을 읽었어요.",
    )


def test_empty_failed_and_missing_searches_are_distinguished():
    """A search that found nothing, one without an answer and one that was not made are three sentences."""
    plan = (
        subtask(1, "가", found=1),
        subtask(2, "나"),
        subtask(3, "다", state=SubtaskState.FAILED, failure="어느 검색 서비스도 답하지 않았어요."),
        subtask(4, "라", state=SubtaskState.LEFT_OUT),
    )
    lines = listed(plan, {3: ("구글: 키가 없어서 물어보지 못했어요.",)}, (source(1, "글", "요약"),), unanswered=(2, 3, 4))
    assert lines == (
        "나눠 조사한 4가지 중 1가지로 보고서를 썼고 3가지는 답하지 못했어요.",
        "1. 가: 출처 1개를 찾았어요.",
        "2. 나: 물어봤지만 찾은 것이 없어요.",
        "3. 다: 어느 검색 서비스도 답하지 않았어요. 자료가 없다는 뜻이 아니에요.",
        "· 구글: 키가 없어서 물어보지 못했어요.",
        "4. 라: 끝까지 찾아보지 못했어요.",
        "출처 1개 중 본문을 읽은 페이지가 없어요. 1개는 열어 보지 않고 검색 요약만 썼어요.",
        "답하지 못한 부분이에요: 2. 나",
        "답하지 못한 부분이에요: 3. 다",
        "답하지 못한 부분이에요: 4. 라",
    )


def test_pages_that_could_not_be_read_are_counted_by_reason():
    """Read, failed and never opened pages are three numbers; failures are counted by reason, most first."""
    sources = (
        source(1, "글", "", read=True),
        source(2, "글", "", read=False, failure=str(PageFailure.TIMEOUT)),
        source(3, "글", "", read=False, failure=str(PageFailure.BLOCKED)),
        source(4, "글", "", read=False, failure=str(PageFailure.BLOCKED)),
        source(5, "글", "", read=False, failure="something new"),
        source(6, "글", ""),
    )
    [line] = listed((), {}, sources)
    why = "자동 접근을 막음 2, 제때 답하지 않음 1, 알 수 없는 까닭 1"
    read, failed = "1개는 본문을 읽었어요.", f"4개는 읽지 못해 검색 요약만 썼어요({why})."
    assert line == f"출처 6개 중 {read} {failed} 1개는 열어 보지 않고 검색 요약만 썼어요."


def test_nothing_at_all():
    """A run that found nothing says so, and that nothing was read."""
    lines = listed((subtask(1, "가"),), {}, (), unanswered=(1,))
    assert lines[0] == "질문에 답하지 못했어요."
    assert "찾은 출처가 없어서 읽은 페이지도 없어요." in lines


def test_a_question_that_was_not_split():
    """A plan of one part is not spoken of in numbers."""
    assert listed((subtask(1, "가", found=1),), {}, (source(1, "글", "", read=True),))[0] == "질문을 나누지 않고 조사했어요."


def test_without_a_report_nothing_is_called_answered_or_used():
    """The ledger says what was found, not what a report made of it: there is none, or only its beginning."""
    plan = (subtask(1, "가", found=2), subtask(2, "나", found=1))
    sources = (source(1, "글", "", read=True), source(2, "글", "", read=False, failure="blocked"), source(3, "글", ""))
    lines = listed(plan, {}, sources, unanswered=(1, 2), reported=Reported.NONE)
    assert lines[0] == "나눠 조사한 2가지 중 2가지의 자료를 찾았지만 보고서를 쓰지 못했어요."
    assert lines[3] == (
        "출처 3개 중 1개는 본문을 읽었어요. 1개는 읽지 못했어요(자동 접근을 막음 1). 1개는 끝까지 열어 보지 않았어요."
    )
    assert "썼어요" not in " ".join(lines)
    part = listed(plan, {}, sources, reported=Reported.PART)
    assert part[0] == "나눠 조사한 2가지 중 2가지의 자료를 찾았지만 보고서를 끝까지 쓰지 못했어요."
    assert listed((subtask(1, "가"),), {}, (), unanswered=(1,), reported=Reported.NONE)[0] == (
        "찾은 자료가 없고, 보고서를 쓰지 못했어요."
    )


def test_own_documents_are_counted_apart():
    """What the library gave is never among the sources of the web, also where the web could not be asked."""
    plan = (
        subtask(1, "가", found=3, own=1),
        subtask(2, "나", found=1, own=1, failure="웹 검색 서비스 3곳 중 1곳만 답했어요. 웹에서는 찾은 것이 없어요."),
        subtask(3, "다", found=1, own=1, state=SubtaskState.FAILED, failure="어느 웹 검색 서비스에도 물어보지 못했어요."),
    )
    sources = (
        source(1, "글", "", read=True),
        source(2, "글", "", read=True, collection="user"),
        source(3, "글", "", collection="sample"),
    )
    assert listed(plan, {}, sources, unanswered=(3,)) == (
        "나눠 조사한 3가지 중 2가지로 보고서를 썼고 1가지는 답하지 못했어요.",
        "1. 가: 웹에서 출처 2개, 내 자료에서 1개를 찾았어요.",
        "2. 나: 웹 검색 서비스 3곳 중 1곳만 답했어요. 웹에서는 찾은 것이 없어요. 내 자료에서 1개를 찾았어요.",
        "3. 다: 어느 웹 검색 서비스에도 물어보지 못했어요. 자료가 없다는 뜻이 아니에요. 내 자료에서만 1개를 찾았어요.",
        "웹 출처 1개 중 1개는 본문을 읽었어요.",
        "예시 1개를 포함한 내 자료 2개 중 1개의 본문을 읽었어요. 웹 출처로 세지 않았어요.",
        "답하지 못한 부분이에요: 3. 다",
    )


def test_shortened_pages_are_counted():
    """Pages that go on behind what was read, and sources shortened because all are too long, are counted."""
    lines = listed((subtask(1, "가", found=1),), {}, (source(1, "글", "", read=True, shortened=True),), excerpted=1)
    assert "1개는 길어서 앞부분만 읽었어요." in lines
    assert "모두 합치면 너무 길어서 출처 1개는 질문과 가까운 문장만 보고 썼어요." in lines


def test_each_line_says_what_it_is_about():
    """Pages and programs need no look at the words: the kind and the part are fields, also of ledgers stored as plain texts."""
    plan = (subtask(1, "매출", found=1), subtask(2, "양산"))
    lines = coverage(plan, {1: ("구글: 1건 · 0.3초",)}, (source(1, "글", "", read=True),), unanswered=(2,))
    assert [(line.kind, line.subtask) for line in lines] == [
        (CoverageKind.SUMMARY, 0),
        (CoverageKind.SUBTASK, 1),
        (CoverageKind.SERVICE, 1),
        (CoverageKind.SUBTASK, 2),
        (CoverageKind.PAGES, 0),
        (CoverageKind.UNANSWERED, 2),
    ]
    assert lines[2] == CoverageLine(CoverageKind.SERVICE, "구글: 1건 · 0.3초", 1)
    assert read_coverage(("1. 매출: 출처 1개를 찾았어요.", "· 구글: 1건 · 0.3초")) == (
        CoverageLine(CoverageKind.SUMMARY, "1. 매출: 출처 1개를 찾았어요."),
        CoverageLine(CoverageKind.SERVICE, "구글: 1건 · 0.3초"),
    )
