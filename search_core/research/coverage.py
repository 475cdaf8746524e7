"""The coverage ledger of a run: services asked, failures, pages read, and unanswered parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

from search_core.domain.research import ResearchSource, Subtask, SubtaskState
from search_core.errors import PageFailure

_UNREAD: dict[str, str] = {
    PageFailure.REFUSED_ADDRESS: "공개된 웹 주소가 아님",
    PageFailure.NETWORK: "연결되지 않음",
    PageFailure.OUT_OF_ORDER: "사이트에 문제가 생김",
    PageFailure.TIMEOUT: "제때 답하지 않음",
    PageFailure.TOO_LARGE: "너무 큼",
    PageFailure.WRONG_TYPE: "글로 된 페이지가 아님",
    PageFailure.BLOCKED: "자동 접근을 막음",
    PageFailure.NOT_READ_HERE: "여기가 바빠서 읽지 못함",
    PageFailure.UNREADABLE: "본문을 찾지 못함",
}


class Reported(StrEnum):
    """Names how far a run's report has come."""

    WHOLE = "whole"
    PART = "part"
    """The report breaks off, because the run was stopped or writing failed."""
    NONE = "none"


def coverage(
    plan: Sequence[Subtask],
    asked: Mapping[int, Sequence[str]],
    sources: Sequence[ResearchSource],
    unanswered: Sequence[int] = (),
    *,
    reported: Reported = Reported.WHOLE,
    excerpted: int = 0,
) -> tuple[str, ...]:
    """Return the lines of the ledger, each a Korean sentence; those of a service begin with a point.

    *asked* holds for each subtask, by number, the line of each search service; *unanswered* the numbers of subtasks that the
    report does not answer; *excerpted* the number of sources of which it uses only excerpts.
    """
    lines = [_headline(plan, unanswered, reported)] if plan else []
    for subtask in plan:
        lines.append(_search_result(subtask))
        lines += [f"· {line}" for line in asked.get(subtask.number, ())]
    lines += _reading(sources, reported)
    if excerpted:
        lines.append(f"모두 합치면 너무 길어서 출처 {excerpted}개는 질문과 가까운 문장만 보고 썼어요.")
    lines += [f"답하지 못한 부분이에요: {part.number}. {part.text}" for part in plan if part.number in unanswered]
    return tuple(lines)


def _headline(plan: Sequence[Subtask], unanswered: Sequence[int], reported: Reported) -> str:
    """Return a Korean sentence: how many parts of the plan were answered or, before the report is complete, how far it is."""
    if reported is not Reported.WHOLE:
        return _report_line(plan, reported)
    left = sum(subtask.number in unanswered for subtask in plan)
    own_alone = all(subtask.found == subtask.own for subtask in plan)
    if len(plan) == 1:
        asked = "질문을 나누지 않고 조사했어요."
        return "질문에 답하지 못했어요." if left else f"{asked} 내 자료만 찾았어요." if own_alone else asked
    if not left:
        return f"나눠 조사한 {len(plan)}가지 모두 {'내 자료만' if own_alone else '자료를'} 찾아 보고서를 썼어요."
    if left == len(plan):
        return f"나눠 조사한 {len(plan)}가지 모두 자료를 찾지 못했어요."
    return f"나눠 조사한 {len(plan)}가지 중 {len(plan) - left}가지로 보고서를 썼고 {left}가지는 답하지 못했어요."


def _report_line(plan: Sequence[Subtask], reported: Reported) -> str:
    with_sources = sum(subtask.found > 0 for subtask in plan)
    written = "보고서를 끝까지 쓰지 못했어요." if reported is Reported.PART else "보고서를 쓰지 못했어요."
    if not with_sources:
        return f"쓸 자료가 없고, {written}"
    of_all = "자료를 찾았지만" if len(plan) == 1 else f"나눠 조사한 {len(plan)}가지 중 {with_sources}가지의 자료를 찾았지만"
    return f"{of_all} {written}"


def _search_result(subtask: Subtask) -> str:
    own, web = subtask.own, subtask.found - subtask.own
    if subtask.state in (SubtaskState.WAITING, SubtaskState.SEARCHING, SubtaskState.LEFT_OUT):
        text = "끝까지 찾아보지 못했어요."
    elif subtask.state is SubtaskState.FAILED:
        text = f"{subtask.failure or '어느 검색 서비스에도 물어보지 못했어요.'} 자료가 없다는 뜻이 아니에요."
        text += f" 내 자료에서만 {own}개를 찾았어요." if own else ""
    elif not subtask.found:
        text = subtask.failure or "물어봤지만 찾은 것이 없어요."
    elif own and web:
        text = f"웹에서 출처 {web}개, 내 자료에서 {own}개를 찾았어요."
    elif own:
        text = f"{subtask.failure or '웹에서는 찾은 것이 없어요.'} 내 자료에서 {own}개를 찾았어요."
    else:
        text = f"출처 {web}개를 찾았어요."
    return f"{subtask.number}. {subtask.text}: {text}"


def _reading(sources: Sequence[ResearchSource], reported: Reported) -> list[str]:
    if not sources:
        return ["보고서에 쓸 출처가 없어서 읽은 페이지도 없어요."]
    web, own = [[source for source in sources if source.own is is_own] for is_own in (False, True)]
    lines = [_read_of_web(web, "웹 출처" if own else "출처", reported)] if web else []
    if own:
        read = sum(source.read is True for source in own)
        lines.append(f"내 자료 {len(own)}개 중 {read}개의 본문을 읽었어요. 웹 출처로 세지 않았어요.")
    if shortened := sum(source.shortened for source in sources):
        lines.append(f"{shortened}개는 길어서 앞부분만 읽었어요.")
    return lines


def _read_of_web(sources: Sequence[ResearchSource], called: str, reported: Reported) -> str:
    read = sum(source.read is True for source in sources)
    failed = [source for source in sources if source.read is False]
    untried = len(sources) - read - len(failed)
    parts = [f"{read}개는 본문을 읽었어요"] if read else ["본문을 읽은 페이지가 없어요"]
    used = reported is not Reported.NONE
    if failed:
        counted = Counter(unread_reason(source.failure) for source in failed)
        why = ", ".join(f"{reason} {count}" for reason, count in counted.most_common())
        parts.append(
            f"{len(failed)}개는 읽지 못해 검색 요약만 썼어요({why})" if used else f"{len(failed)}개는 읽지 못했어요({why})"
        )
    if untried:
        parts.append(f"{untried}개는 열어 보지 않고 검색 요약만 썼어요" if used else f"{untried}개는 끝까지 열어 보지 않았어요")
    return f"{called} {len(sources)}개 중 {'. '.join(parts)}."


def unread_reason(failure: str) -> str:
    """Return in Korean why a page was not read; *failure* is a ``PageFailure`` or an unknown text."""
    return _UNREAD.get(failure, "알 수 없는 이유")
