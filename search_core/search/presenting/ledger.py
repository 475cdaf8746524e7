"""The outcome of a search in Korean sentences: which services were asked, how they answered, and what to do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from search_core.domain.query import WritingOutcome, WrittenQuery
from search_core.domain.reply import ProviderReply, SearchStatus, web_answered
from search_core.domain.report import ReportOutcome, SearchReport
from search_core.domain.result import SearchResult
from search_core.language.korean.particles import with_particle
from search_core.search.presenting.dates import relative_time, span
from search_core.search.presenting.score_text import OVER_COUNT
from search_core.search.presenting.wording import one_line

NOBODY_TO_ASK = "설정에서 웹 검색 서비스를 하나 이상 켜 주세요."

_ENDED = {
    SearchStatus.SUCCESS: "결과를 찾았어요",
    SearchStatus.NO_RESULTS: "답했지만 찾은 것이 없어요",
    SearchStatus.API_KEY_MISSING: "아직 준비되지 않아서 물어보지 못했어요",
    SearchStatus.INVALID_API_KEY: "키가 맞지 않아요",
    SearchStatus.QUOTA_EXHAUSTED: "쓸 수 있는 양을 다 썼어요",
    SearchStatus.RATE_LIMITED: "요청 한도를 넘었어요",
    SearchStatus.BLOCKED: "접속을 막았어요",
    SearchStatus.NETWORK_ERROR: "연결되지 않았어요",
    SearchStatus.TIMEOUT: "시간 안에 답하지 않았어요",
    SearchStatus.NOT_AWAITED: "검색 시간이 다 되어 기다리지 않았어요",
    SearchStatus.INVALID_RESPONSE: "읽을 수 없는 답을 보냈어요",
    SearchStatus.COOLING_DOWN: "앞선 요청이 실패해서 잠시 쉬고 있어요",
    SearchStatus.UNKNOWN_ERROR: "알 수 없는 문제가 생겼어요",
}
_NEXT = {
    SearchStatus.NO_RESULTS: "더 짧은 검색어로 다시 찾아보세요",
    SearchStatus.API_KEY_MISSING: "설정을 확인해 주세요",
    SearchStatus.INVALID_API_KEY: "설정의 키를 확인해 주세요",
    SearchStatus.QUOTA_EXHAUSTED: "요금제를 확인하거나 다른 검색 서비스를 켜 주세요",
    SearchStatus.RATE_LIMITED: "잠시 뒤 다시 시도해 주세요",
    SearchStatus.BLOCKED: "잠시 뒤 다시 시도하거나 다른 검색 서비스를 켜 주세요",
    SearchStatus.NETWORK_ERROR: "인터넷 연결을 확인하고 다시 시도해 주세요",
    SearchStatus.TIMEOUT: "다시 시도해 주세요",
    SearchStatus.INVALID_RESPONSE: "잠시 뒤 다시 시도해 주세요",
    SearchStatus.COOLING_DOWN: "조금 기다렸다가 다시 시도해 주세요",
    SearchStatus.UNKNOWN_ERROR: "다시 시도해 주세요",
}
_AGAIN = "다시 시도해 주세요."
"""Last sentence of several kinds of advice ("try again"); of advice that ends so, only the longest is shown."""
_WRITING = {
    WritingOutcome.WRITTEN: "검색어를 썼어요: ‘{text}’ · {seconds:.1f}초",
    WritingOutcome.DROPPED: "질문이나 영상과 이어지지 않는 검색어를 써서 쓰지 않았어요 · {seconds:.1f}초",
    WritingOutcome.SAME: "이미 물어본 것과 같은 검색어를 썼어요 · {seconds:.1f}초",
    WritingOutcome.TAKEN_AWAY: "빼 두신 검색어를 써서 쓰지 않았어요",
    WritingOutcome.LATE: "제때 검색어를 쓰지 못해서 기다리지 않았어요",
    WritingOutcome.FAILED: "검색어를 받지 못했어요",
}
_OUT_OF_ORDER = ("서비스에 문제가 생겨 답하지 못했어요", "잠시 뒤 다시 시도해 주세요")
"""What happened and what to do if a service was reached and said itself that it is out of order."""
_UNREACHED_OR_OUT_OF_ORDER = (
    "연결되지 않았거나 서비스에 문제가 생겼어요",
    "인터넷 연결을 확인하거나 잠시 뒤 다시 시도해 주세요",
)
"""What happened and what to do if it is unknown whether the service was reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """One search service in the ledger, with all it was asked."""

    reply: ProviderReply
    """Its last reply with results, or else its last one."""
    label: str
    """What the page calls the service."""
    text: str
    """What happened and what to do next, Korean, without the name."""
    reason: str
    """What happened, in a few Korean words."""
    next_step: str
    """What the user can do about a failure, in Korean; empty if nothing has to be done."""
    count: int
    """Number of results in all replies of the service, each page once."""

    @property
    def korean(self) -> str:
        """Return the line with the name of the service."""
        return f"{self.label}: {self.text}"

    @property
    def checked(self) -> str:
        """Return the line for a probe, which says only whether the service answers, not what it found."""
        return f"{self.label}: {self.reason}." if self.reply.status is SearchStatus.NO_RESULTS else self.korean

    @property
    def answered(self) -> bool:
        """Return whether the service itself answered, or its cached answer is still valid."""
        return self.reply.status.answered and not self.reply.stale


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureNotice:
    """Says that no service could be asked, and what to check."""

    checks: tuple[str, ...]
    """Advice on what to check, each once; paused services are left out, as ``retry_after_s`` says when to ask them again."""
    retry_after_s: float | None
    """The shortest pause a service asked for."""


def ledger(
    replies: Sequence[ProviderReply], labels: Mapping[str, str] | None = None, now: datetime | None = None
) -> tuple[LedgerLine, ...]:
    """Return one line per search service, in order of asking; ages are relative to *now* (default: this moment)."""
    by_provider: dict[str, list[ProviderReply]] = {}
    for reply in replies:
        by_provider.setdefault(reply.provider, []).append(reply)
    return tuple(_line(own, (labels or {}).get(name, name), now or datetime.now(UTC)) for name, own in by_provider.items())


def writing_line(written: WrittenQuery | None) -> str:
    """Return the outcome of asking a language model for a query; empty if none was asked."""
    return "" if written is None else _WRITING[written.outcome].format(text=written.text, seconds=written.took_ms / 1000)


def without_pauses(replies: Sequence[ProviderReply]) -> tuple[ProviderReply, ...]:
    """Return *replies* without the pauses that services asked for, which are over when the text is read."""
    return tuple(replace(reply, retry_after_s=None) for reply in replies)


def not_asked_line(report: SearchReport, labels: Mapping[str, str]) -> str:
    """Return which web services were not asked, and why; empty if all were."""
    names = ", ".join(labels.get(name, name) for name in report.not_asked)
    answered = any(reply.web and reply.is_success() and not reply.stale for reply in report.replies)
    why = "묻지 않았어요. 순서가 앞선 곳에서 결과를 찾았어요." if answered else "묻기 전에 검색이 끝났어요."
    return f"{names}에는 {why}" if names else ""


def headline(replies: Sequence[ProviderReply], labels: Mapping[str, str] | None = None, now: datetime | None = None) -> str:
    """Return the ledger in a sentence or two: how many web services answered, and how the others failed.

    The library counts only if it was asked alone.
    """
    asked = ledger(replies, labels, now)
    lines = [line for line in asked if line.reply.web] or asked
    if not lines:
        return "물어본 곳이 없어요."
    answered = sum(line.answered for line in lines)
    if answered == len(lines):
        return f"{len(lines)}곳 모두 답했어요." if len(lines) > 1 else f"{with_particle(lines[0].label, '은')} 답했어요."
    others: dict[str, list[str]] = {}
    for line in lines:
        if not line.answered:
            reason = _stored_sentence(line.reply, now or datetime.now(UTC)) if line.reply.stale else line.reason
            others.setdefault(reason, []).append(line.label)
    counted = answered or any(line.reply.status is SearchStatus.NOT_AWAITED for line in lines)
    start = f"{len(lines)}곳 중 {answered}곳이 답했어요." if counted else f"{len(lines)}곳 중 답한 곳이 없어요."
    return " ".join((start, *(f"{with_particle(', '.join(names), '은')} {reason}." for reason, names in others.items())))


def failure_notice(replies: Sequence[ProviderReply], labels: Mapping[str, str] | None = None) -> FailureNotice | None:
    """Return the notice for a search that no web service could answer, or None if one did, even from the cache."""
    if web_answered(replies):
        return None
    lines = [line for line in ledger(replies, labels) if line.reply.web]
    sentences = [line.korean for line in lines if line.reply.advice]
    steps = {
        f"{line.next_step}.": None
        for line in lines
        if not line.reply.advice and not (line.reply.status is SearchStatus.COOLING_DOWN and line.reply.retry_after_s)
    }
    again = max((step for step in steps if step.endswith(_AGAIN)), key=len, default="")
    checks = [*sentences, *(step for step in steps if step == again or not step.endswith(_AGAIN))]
    return FailureNotice(checks=tuple(checks) if lines else (NOBODY_TO_ASK,), retry_after_s=shortest_pause(lines))


def shortest_pause(lines: Iterable[LedgerLine]) -> float | None:
    """Return the seconds until the first paused service may be asked again; None if waiting would not help."""
    return min((line.reply.retry_after_s for line in lines if line.reply.retry_after_s is not None), default=None)


def reasons(replies: Sequence[ProviderReply], labels: Mapping[str, str] | None = None) -> str:
    """Return in one line why each failed web service failed."""
    lines = [line for line in ledger(replies, labels) if line.reply.web and not line.reply.status.answered]
    return ", ".join(f"{line.label}: {line.reason}" for line in lines)


def unanswered(replies: Sequence[ProviderReply]) -> str:
    """Return in one sentence how many web services answered, if some but not all did ("5곳 중 2곳만"); otherwise empty."""
    web = {reply.provider for reply in replies if reply.web}
    answered = {reply.provider for reply in replies if reply.web and reply.status.answered}
    return f"웹 검색 서비스 {len(web)}곳 중 {len(answered)}곳만 답했어요." if answered and answered != web else ""


def steps_to_mend(replies: Sequence[ProviderReply]) -> tuple[str, ...]:
    """Return what must be set up before web services can answer; empty if trying later may be enough."""
    web = [reply for reply in replies if reply.web]
    if not all(reply.cause.lasting or reply.status is SearchStatus.API_KEY_MISSING for reply in web):
        return ()
    return tuple(dict.fromkeys(f"{_NEXT[reply.cause]}." for reply in web)) or (NOBODY_TO_ASK,)


def status_sentence(status: SearchStatus) -> str:
    """Return a sentence on the meaning of *status* and what to do about it."""
    ended, next_step = _ENDED[status], _NEXT.get(status, "")
    if status is SearchStatus.NETWORK_ERROR:
        ended, next_step = _UNREACHED_OR_OUT_OF_ORDER
    return f"{ended}. {next_step}." if next_step else f"{ended}."


def end_of(reply: ProviderReply) -> tuple[str, str]:
    """Return the end of a request in a few Korean words, and the remedy; empty if none is needed."""
    if reply.out_of_order and not reply.status.answered:
        return _OUT_OF_ORDER
    if reply.status is SearchStatus.NOT_AWAITED and reply.advice:
        return reply.advice.rstrip("."), ""
    return _ENDED[reply.cause], _NEXT.get(reply.cause, "")


def _line(own: Sequence[ProviderReply], label: str, now: datetime) -> LedgerLine:
    asked = [reply for reply in own if reply.status is not SearchStatus.COOLING_DOWN]
    shown = next((reply for reply in reversed(asked) if reply.results), (asked or own)[-1])
    if not shown.status.answered:  # a pause may have begun with it
        shown = replace(shown, retry_after_s=None if shown.cause.lasting else own[-1].retry_after_s)
    count = len({result.url for reply in own for result in reply.results})
    reason, next_step = end_of(shown)
    queries = dict.fromkeys(query for reply in asked for query in (reply.query, *reply.also))
    named = queries if any(reply.also for reply in asked) else ()
    return LedgerLine(
        reply=shown,
        label=label,
        text=_text(shown, count, len(queries), ", ".join(f"‘{query}’" for query in named), now),
        reason=reason,
        next_step=next_step,
        count=count,
    )


def _text(reply: ProviderReply, count: int, requests: int, named: str, now: datetime) -> str:
    if reply.advice and not reply.stale:
        return reply.advice
    if reply.stale:
        text = f"{_stored_sentence(reply, now)}. 지금은 답을 받지 못했어요"
    elif reply.status is SearchStatus.SUCCESS:
        kept = "저장된 결과" if reply.from_cache else f"{reply.latency_ms / 1000:.1f}초"
        text = f"{count}건 · {kept}"
    else:
        text = end_of(reply)[0]
    if reply.cut:
        text += f" · 제목이나 요약이 너무 긴 {reply.cut}건은 잘랐어요"
    if requests > 1:
        text += f" · 검색어 {requests}개로 물었어요" + (f": {named}" if named else "")
    if reply.status is SearchStatus.SUCCESS and not reply.stale:
        return text
    if reply.status is SearchStatus.NOT_AWAITED:
        return f"{text}."
    pause = (
        f"{span(reply.retry_after_s)} 뒤 다시 시도해 주세요" if reply.retry_after_s else end_of(reply)[1] or "다시 시도해 주세요"
    )
    return f"{text}. {pause}."


def _stored_sentence(reply: ProviderReply, now: datetime) -> str:
    when = relative_time(reply.stored_at, now) if reply.stored_at is not None else "전"
    return f"{when}에 저장된 결과예요"


NOBODY = "물어볼 수 있는 웹 검색 서비스가 없어요"
_NOTHING = "[검색 완료] '{query}'에 대한 검색 결과가 없습니다."
_WEAK = "[검색 완료] '{query}'에 대해 {where}에서 찾은 {count}건이 모두 관련도 기준보다 낮아요."
_WEAK_BESIDE = "내 자료에서 찾은 {count}건은 모두 관련도 기준보다 낮아요."
_AWAY = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: {why})."
WEB, OWN = "웹", "내 자료"


def outcome_sentence(report: SearchReport, labels: Mapping[str, str] | None = None) -> str:
    """Return why *report* shows nothing, in the agreed words; empty if it has results or services are still awaited.

    If the web was to be searched, documents of the library do not count as results.
    """
    query, web_wanted = report.question.text, report.web_wanted
    sentence = word_outcome(report.outcome, query, report.replies, report.hidden, web_wanted=web_wanted, labels=labels)
    few = unanswered(report.replies) if report.outcome in NOTHING_SHOWN else ""
    return f"{sentence} {few}".rstrip()


NOTHING_SHOWN = (ReportOutcome.FOUND_NONE, ReportOutcome.BELOW_THRESHOLD)
"""Outcomes of a search that services answered and that still shows no result."""


def word_outcome(
    outcome: ReportOutcome,
    query: str,
    replies: Sequence[ProviderReply],
    hidden: Collection[SearchResult],
    *,
    web_wanted: bool,
    labels: Mapping[str, str] | None = None,
) -> str:
    """Return *outcome* in the agreed words; empty if results are shown or services are awaited."""
    asked_for = one_line(query)
    match outcome:
        case ReportOutcome.COULD_NOT_ASK if web_wanted:
            return web_unavailable(replies, labels)
        case ReportOutcome.COULD_NOT_ASK:
            return " ".join(("내 자료를 찾아보지 못했어요.", *(line.korean for line in ledger(replies, labels))))
        case ReportOutcome.BELOW_THRESHOLD:
            count = sum(result.own is not web_wanted for result in hidden)
            return _WEAK.format(query=asked_for, where=WEB if web_wanted else OWN, count=count)
        case ReportOutcome.FOUND_NONE:
            return _NOTHING.format(query=asked_for)
        case _:
            return ""


def own_below(shown: Collection[SearchResult], hidden: Collection[SearchResult]) -> str:
    """Return a note that own documents were found but are all below the threshold; otherwise empty."""
    count = sum(result.own for result in hidden)
    return _WEAK_BESIDE.format(count=count) if count and not any(result.own for result in shown) else ""


def web_unavailable(replies: Sequence[ProviderReply], labels: Mapping[str, str] | None = None) -> str:
    """Return the agreed words for a search that no service answered, with the reasons."""
    return _AWAY.format(why=reasons(replies, labels) or NOBODY)


def hidden_line(report: SearchReport) -> str:
    """Return how many results are hidden and why, of the web and of the library apart; empty without any."""
    return " · ".join(filter(None, (_hidden(report, own=False), _hidden(report, own=True))))


def _hidden(report: SearchReport, *, own: bool) -> str:
    parts = (("기준 미달", report.hidden_below), (OVER_COUNT, report.hidden_over_count))
    counts = [(name, sum(result.own is own for result in part)) for name, part in parts]
    total, why = sum(count for _, count in counts), ", ".join(f"{name} {count}" for name, count in counts if count)
    return f"숨긴 {OWN if own else '결과'} {total}개 ({why})" if total else ""
