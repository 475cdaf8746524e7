"""The ledger at the end of a run."""

from __future__ import annotations

from search_core.domain.research import SubtaskState
from search_core.errors import PageFailure
from search_core.research.coverage import Reported, coverage

from .report_material import source, subtask

ONE = subtask(1, "가", found=1)
READ = source(1, "글", "", read=True)


def test_empty_failed_and_missing_searches_are_distinguished():
    """A search that found nothing, one without an answer and one that was not made are three sentences, services below."""
    plan = (
        ONE,
        subtask(2, "나"),
        subtask(3, "다", state=SubtaskState.FAILED, failure="어느 검색 서비스도 답하지 않았어요."),
        subtask(4, "라", state=SubtaskState.LEFT_OUT),
    )
    lines = coverage(plan, {3: ("구글: 키가 없어서 물어보지 못했어요.",)}, (source(1, "글", "요약"),), unanswered=(2, 3, 4))
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


def test_the_first_line_says_what_became_of_the_whole():
    """All parts answered, a question that was not split, nothing found, and no report at all or only its beginning differ."""
    both = (ONE, subtask(2, "나", found=1))
    assert coverage(both, {}, (READ,))[0] == "나눠 조사한 2가지 모두 자료를 찾아 보고서를 썼어요."
    assert coverage((ONE,), {}, (READ,))[0] == "질문을 나누지 않고 조사했어요."
    own = tuple(subtask(number, "가", found=2, own=2) for number in (1, 2))
    assert coverage(own, {}, (READ,))[0] == "나눠 조사한 2가지 모두 내 자료만 찾아 보고서를 썼어요."
    assert coverage(own[:1], {}, (READ,))[0] == "질문을 나누지 않고 조사했어요. 내 자료만 찾았어요."
    nothing = coverage((subtask(1, "가"),), {}, (), unanswered=(1,))
    assert nothing[0] == "질문에 답하지 못했어요."
    assert "보고서에 쓸 출처가 없어서 읽은 페이지도 없어요." in nothing
    sources = (READ, source(2, "글", "", read=False, failure="blocked"), source(3, "글", ""))
    without = coverage(both, {}, sources, unanswered=(1, 2), reported=Reported.NONE)
    assert without[0] == "나눠 조사한 2가지 중 2가지의 자료를 찾았지만 보고서를 쓰지 못했어요."
    assert "썼어요" not in " ".join(without)
    assert coverage(both, {}, sources, reported=Reported.PART)[0].endswith("보고서를 끝까지 쓰지 못했어요.")


def test_pages_that_could_not_be_read_are_counted_by_reason():
    """Read, failed, shortened and never opened pages are counted apart; failures by reason, most first."""
    sources = (
        source(1, "글", "", read=True, shortened=True),
        source(2, "글", "", read=False, failure=str(PageFailure.TIMEOUT)),
        source(3, "글", "", read=False, failure=str(PageFailure.BLOCKED)),
        source(4, "글", "", read=False, failure=str(PageFailure.BLOCKED)),
        source(5, "글", "", read=False, failure="something new"),
        source(6, "글", ""),
    )
    line, shortened, excerpted = coverage((), {}, sources, excerpted=1)
    why = "자동 접근을 막음 2, 제때 답하지 않음 1, 알 수 없는 이유 1"
    read, failed = "1개는 본문을 읽었어요.", f"4개는 읽지 못해 검색 요약만 썼어요({why})."
    assert line == f"출처 6개 중 {read} {failed} 1개는 열어 보지 않고 검색 요약만 썼어요."
    assert "1개는 길어서" in shortened
    assert "출처 1개는 질문과 가까운 문장만" in excerpted


def test_own_documents_are_counted_apart():
    """What the library gave is never among the sources of the web, also where the web could not be asked."""
    plan = (
        subtask(1, "가", found=3, own=1),
        subtask(2, "나", found=1, own=1, failure="웹 검색 서비스 3곳 중 1곳만 답했어요. 웹에서는 찾은 것이 없어요."),
        subtask(3, "다", found=1, own=1, state=SubtaskState.FAILED, failure="어느 웹 검색 서비스에도 물어보지 못했어요."),
    )
    sources = (READ, source(2, "글", "", read=True, collection="user"), source(3, "글", "", collection="sample"))
    assert coverage(plan, {}, sources, unanswered=(3,))[1:-1] == (
        "1. 가: 웹에서 출처 2개, 내 자료에서 1개를 찾았어요.",
        "2. 나: 웹 검색 서비스 3곳 중 1곳만 답했어요. 웹에서는 찾은 것이 없어요. 내 자료에서 1개를 찾았어요.",
        "3. 다: 어느 웹 검색 서비스에도 물어보지 못했어요. 자료가 없다는 뜻이 아니에요. 내 자료에서만 1개를 찾았어요.",
        "웹 출처 1개 중 1개는 본문을 읽었어요.",
        "내 자료 2개 중 1개의 본문을 읽었어요. 웹 출처로 세지 않았어요.",
    )
