"""The coverage ledger of a check of claims: how many were checked, what failed and why, who was asked, which pages were read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from search_core.domain import ClaimCheck, ClaimsMetrics, ClaimState
from search_core.presenting.wording import judging_text

_FOUND = re.compile(r"\d+건")
_REASONS = re.compile(r" \(.*\)(?=\.$)")
"""What each service answered, which differs from claim to claim and is listed below."""
_NOT_CHECKED = "확인하지 못했어요."


def coverage(checks: Sequence[ClaimCheck], metrics: ClaimsMetrics) -> tuple[str, ...]:
    """Return the ledger in Korean sentences."""
    states = Counter(check.state for check in checks)
    compared = sum(check.state is ClaimState.CHECKED and not all(source.own for source in check.sources) for check in checks)
    lines = [f"주장 {len(checks)}개 중 {compared}개를 웹과 견주었어요."]
    failures = Counter(_REASONS.sub("", check.failure) for check in checks if check.state is ClaimState.FAILED)
    for failure, count in failures.most_common():
        reason = failure if failure.endswith(_NOT_CHECKED) else f"{_NOT_CHECKED} {failure}"
        lines.append(f"주장 {count}개는 {reason}".strip())
    if unfound := states[ClaimState.CHECKED] - compared:
        lines.append(f"주장 {unfound}개는 웹에서 찾아봤지만 견줄 자료가 없었어요.")
    if states[ClaimState.LEFT_OUT]:
        lines.append(f"주장 {states[ClaimState.LEFT_OUT]}개는 남겨 두었어요. 이어서 확인할 수 있어요.")
    lines.extend(_pages(checks, metrics))
    lines.extend(judging_text(metrics.judging))
    asked = Counter(_answer_of(service) for check in checks for service in check.services)
    lines.extend(f"{service} (주장 {count}개)" for service, count in asked.most_common())
    return tuple(lines)


def _answer_of(service: str) -> str:
    """Return the sentence about a service without how many results it had for one claim, and how long it took."""
    label, _, answer = service.partition(": ")
    return f"{label}: 결과를 찾았어요." if _FOUND.match(answer) else service


def _pages(checks: Sequence[ClaimCheck], metrics: ClaimsMetrics) -> list[str]:
    sources = [source for check in checks for source in check.sources if not source.own]
    own = sum(source.own for check in checks for source in check.sources)
    beside = [f"내 자료 {own}건은 따로 견주고 웹으로 세지 않았어요."] if own else []
    read, unread = (sum(source.read is state for source in sources) for state in (True, False))
    searched = f"검색 요청 {metrics.searches}번"
    if not sources:
        return [f"{searched}."] * bool(metrics.searches) + beside
    failed = f", 읽지 못한 페이지 {unread}쪽" if unread else ""
    snippets = sum(source.read is None for source in sources)
    only = f", 요약만 본 자료 {snippets}개" if snippets else ""
    return [f"{searched}, 본문까지 읽은 페이지 {read}쪽{failed}{only}.", *beside]
