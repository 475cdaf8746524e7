"""The coverage ledger of a run: who was asked, who failed and why, what was really read, and what stayed without an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from search_core.domain import ResearchSource, SearchReport, Subtask, SubtaskState
from search_core.errors import PageFailure
from search_core.presenting import ledger

_UNREAD = MappingProxyType(
    {
        PageFailure.REFUSED_ADDRESS: "공개된 웹 주소가 아님",
        PageFailure.NETWORK: "연결되지 않음",
        PageFailure.TIMEOUT: "제때 답하지 않음",
        PageFailure.TOO_LARGE: "너무 큼",
        PageFailure.WRONG_TYPE: "글로 된 페이지가 아님",
        PageFailure.BLOCKED: "자동 접근을 막음",
        PageFailure.UNREADABLE: "본문을 찾지 못함",
    }
)


def search_ledger(report: SearchReport, labels: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return a Korean line for each search service that was asked for one subtask; *labels* says what they are called."""
    return tuple(line.korean for line in ledger(report.replies, labels, report.created_at))


def coverage(
    plan: Sequence[Subtask],
    asked: Mapping[int, Sequence[str]],
    sources: Sequence[ResearchSource],
    unanswered: Sequence[int] = (),
) -> tuple[str, ...]:
    """Return the ledger in Korean sentences.

    *asked* holds for each subtask, by number, the line of each search service; *unanswered* the numbers of the subtasks that the
    report does not answer.
    """
    lines = [_headline(plan, unanswered)] if plan else []
    for subtask in plan:
        lines += _searched(subtask, asked.get(subtask.number, ()))
    lines.append(_reading(sources))
    lines += [f"답하지 못한 부분이에요: {subtask.number}. {subtask.text}" for subtask in plan if subtask.number in unanswered]
    return tuple(lines)


def _headline(plan: Sequence[Subtask], unanswered: Sequence[int]) -> str:
    left = sum(subtask.number in unanswered for subtask in plan)
    if len(plan) == 1:
        return "질문에 답하지 못했어요." if left else "질문을 나누지 않고 조사했어요."
    if not left:
        return f"나눠 조사한 {len(plan)}가지를 모두 다뤘어요."
    if left == len(plan):
        return f"나눠 조사한 {len(plan)}가지를 하나도 다루지 못했어요."
    return f"나눠 조사한 {len(plan)}가지 중 {len(plan) - left}가지를 다뤘고 {left}가지는 답하지 못했어요."


def _searched(subtask: Subtask, services: Sequence[str]) -> list[str]:
    what = f"{subtask.number}. {subtask.text}"
    if subtask.state in (SubtaskState.WAITING, SubtaskState.SEARCHING, SubtaskState.LEFT_OUT):
        return [f"{what}: 끝까지 찾아보지 못했어요.", *_indented(services)]
    if subtask.state is SubtaskState.FAILED:
        why = subtask.failure or "어느 검색 서비스에도 물어보지 못했어요."
        return [f"{what}: {why} 자료가 없다는 뜻이 아니에요.", *_indented(services)]
    if not subtask.found:
        return [f"{what}: {subtask.failure or '물어봤지만 찾은 것이 없어요.'}", *_indented(services)]
    return [f"{what}: 출처 {subtask.found}개를 찾았어요.", *_indented(services)]


def _indented(services: Sequence[str]) -> list[str]:
    return [f"· {line}" for line in services]


def _reading(sources: Sequence[ResearchSource]) -> str:
    if not sources:
        return "찾은 출처가 없어서 읽은 페이지도 없어요."
    read = sum(source.read is True for source in sources)
    failed = [source for source in sources if source.read is False]
    untried = len(sources) - read - len(failed)
    parts = [f"{read}개는 본문을 읽었어요"] if read else ["본문을 읽은 페이지가 없어요"]
    if failed:
        parts.append(f"{len(failed)}개는 읽지 못해 검색 요약만 썼어요({_reasons(failed)})")
    if untried:
        parts.append(f"{untried}개는 열어 보지 않고 검색 요약만 썼어요")
    return f"출처 {len(sources)}개 중 {'. '.join(parts)}."


def _reasons(failed: Sequence[ResearchSource]) -> str:
    counted = Counter(unread_reason(source.failure) for source in failed)
    return ", ".join(f"{reason} {count}" for reason, count in counted.most_common())


def unread_reason(failure: str) -> str:
    """Return in Korean why a page was not read; *failure* is a ``PageFailure``, or something else that nobody has words for."""
    known = {str(kind): text for kind, text in _UNREAD.items()}
    return known.get(failure, "알 수 없는 까닭")
