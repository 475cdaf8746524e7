"""What the ledger at the end of a run owns up to."""

from __future__ import annotations

from search_core.domain import SubtaskState
from search_core.errors import PageFailure
from search_core.research.coverage import coverage

from .report_material import source, subtask


def test_a_run_without_gaps():
    """Everything answered and read takes a line for the whole, one for each subtask with its services, and one for reading."""
    plan = (subtask(1, "매출", found=2), subtask(2, "양산", found=1))
    asked = {1: ("구글: 2건 · 0.3초",), 2: ("덕덕고: 1건 · 0.5초",)}
    sources = tuple(source(number, "글", "요약", read=True) for number in (1, 2, 3))
    assert coverage(plan, asked, sources) == (
        "나눠 조사한 2가지를 모두 다뤘어요.",
        "1. 매출: 출처 2개를 찾았어요.",
        "· 구글: 2건 · 0.3초",
        "2. 양산: 출처 1개를 찾았어요.",
        "· 덕덕고: 1건 · 0.5초",
        "출처 3개 중 3개는 본문을 읽었어요.",
    )


def test_found_none_could_not_ask_and_not_reached_are_told_apart():
    """A search that found nothing, one that could ask nobody and one that was not made are three sentences."""
    plan = (
        subtask(1, "가", found=1),
        subtask(2, "나"),
        subtask(3, "다", state=SubtaskState.FAILED, failure="어느 검색 서비스도 답하지 않았어요."),
        subtask(4, "라", state=SubtaskState.LEFT_OUT),
    )
    lines = coverage(plan, {3: ("구글: 키가 없어서 물어보지 못했어요.",)}, (source(1, "글", "요약"),), unanswered=(2, 3, 4))
    assert lines == (
        "나눠 조사한 4가지 중 1가지를 다뤘고 3가지는 답하지 못했어요.",
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
    """Read, failed and never opened pages are three numbers; failures are told by reason, most first."""
    sources = (
        source(1, "글", "", read=True),
        source(2, "글", "", read=False, failure=str(PageFailure.TIMEOUT)),
        source(3, "글", "", read=False, failure=str(PageFailure.BLOCKED)),
        source(4, "글", "", read=False, failure=str(PageFailure.BLOCKED)),
        source(5, "글", "", read=False, failure="something new"),
        source(6, "글", ""),
    )
    [line] = coverage((), {}, sources)
    why = "자동 접근을 막음 2, 제때 답하지 않음 1, 알 수 없는 까닭 1"
    read, failed = "1개는 본문을 읽었어요.", f"4개는 읽지 못해 검색 요약만 썼어요({why})."
    assert line == f"출처 6개 중 {read} {failed} 1개는 열어 보지 않고 검색 요약만 썼어요."


def test_nothing_at_all():
    """A run that found nothing says so, and that nothing was read."""
    lines = coverage((subtask(1, "가"),), {}, (), unanswered=(1,))
    assert lines[0] == "질문에 답하지 못했어요."
    assert "찾은 출처가 없어서 읽은 페이지도 없어요." in lines


def test_a_question_that_was_not_split():
    """A plan of one part is not spoken of in numbers."""
    assert coverage((subtask(1, "가", found=1),), {}, (source(1, "글", "", read=True),))[0] == "질문을 나누지 않고 조사했어요."
