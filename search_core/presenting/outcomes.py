"""What came of a search, in Korean sentences for the page, the terminal, files, the API and models.

"Found none", "below the threshold" and "could not ask" are three things, results past the result count a fourth, and documents of
the library are never counted with pages of the web.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from search_core.domain.reply import ProviderReply
from search_core.domain.report import ReportOutcome, SearchReport
from search_core.domain.result import SearchResult
from search_core.presenting.ledger import own_unavailable, reasons, unanswered
from search_core.presenting.score_text import OVER_COUNT
from search_core.presenting.wording import one_line

NOBODY = "물어볼 수 있는 웹 검색 서비스가 없어요"
_NOTHING = "[검색 완료] '{query}'에 대한 검색 결과가 없습니다."
_WEAK = "[검색 완료] '{query}'에 대해 {where}에서 찾은 {count}건이 모두 관련도 기준보다 낮아요."
_WEAK_BESIDE = "내 자료에서 찾은 {count}건은 모두 관련도 기준보다 낮아요."
_AWAY = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: {why})."
WEB, OWN = "웹", "내 자료"


def outcome_sentence(report: SearchReport, labels: Mapping[str, str] | None = None) -> str:
    """Return what came of *report* in the specified words; empty with results, and while services are awaited.

    Where the web was to be searched, documents of the library do not count as something found.
    """
    query, web_wanted = report.question.text, report.web_wanted
    said = word_outcome(report.outcome, query, report.replies, report.hidden, web_wanted=web_wanted, labels=labels)
    few = unanswered(report.replies) if report.outcome in NOTHING_SHOWN else ""
    return f"{said} {few}".rstrip()


NOTHING_SHOWN = (ReportOutcome.FOUND_NONE, ReportOutcome.BELOW_THRESHOLD)
"""Outcomes of a search that was answered and shows nothing."""


def word_outcome(
    outcome: ReportOutcome,
    query: str,
    replies: Sequence[ProviderReply],
    hidden: Collection[SearchResult],
    *,
    web_wanted: bool,
    labels: Mapping[str, str] | None = None,
) -> str:
    """Return *outcome* in the specified words; empty where something is shown or awaited."""
    asked_for = one_line(query)
    match outcome:
        case ReportOutcome.COULD_NOT_ASK:
            return web_unavailable(replies, labels) if web_wanted else own_unavailable(replies, labels)
        case ReportOutcome.BELOW_THRESHOLD:
            count = sum(each.own is not web_wanted for each in hidden)
            return _WEAK.format(query=asked_for, where=WEB if web_wanted else OWN, count=count)
        case ReportOutcome.FOUND_NONE:
            return _NOTHING.format(query=asked_for)
        case _:
            return ""


def own_below(shown: Collection[SearchResult], hidden: Collection[SearchResult]) -> str:
    """Return that own documents were found beside the web, all below the threshold; empty otherwise."""
    count = sum(each.own for each in hidden)
    return _WEAK_BESIDE.format(count=count) if count and not any(each.own for each in shown) else ""


def web_unavailable(replies: Sequence[ProviderReply], labels: Mapping[str, str] | None = None) -> str:
    """Return the specified words for a search that no service answered, and why."""
    return _AWAY.format(why=reasons(replies, labels) or NOBODY)


def hidden_line(report: SearchReport) -> str:
    """Return how many results are hidden and why, of the web and of the library apart; empty without any."""
    return " · ".join(filter(None, (_hidden(report, own=False), _hidden(report, own=True))))


def _hidden(report: SearchReport, *, own: bool) -> str:
    parts = (("기준 미달", report.hidden_below), (OVER_COUNT, report.hidden_over_count))
    counts = [(name, sum(each.own is own for each in part)) for name, part in parts]
    total, why = sum(count for _, count in counts), ", ".join(f"{name} {count}" for name, count in counts if count)
    return f"숨긴 {OWN if own else '결과'} {total}개 ({why})" if total else ""
