"""Results as numbered Korean text with attribution.

Korean titles and snippets are given back letter for letter. Line breaks are the one thing that could make a result look like
another entry of the list, so a title's become spaces, and every further line of a snippet stands indented under its own entry.
Signs that mean something in Markdown are left alone: whoever draws Markdown from this text escapes it there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from search_core.domain import ProviderReply, SearchResult
from search_core.presenting.dates import is_recent, korean_date, relative_time
from search_core.presenting.extract import extract_summary, foreign_language
from search_core.presenting.ledger import headline, reasons
from search_core.presenting.wording import language_name, one_line

INDENT = "   "
NEW = "🆕"
NOBODY = "물어볼 수 있는 검색 서비스가 없어요"
NO_TEXT = "미리 볼 수 있는 본문이 없어요. 출처에서 확인해 주세요."
_ORIGINS = {"model": "AI 요약", "extract": "자동 정리"}


class ResultFormatter:
    """Writes results out for people and for models."""

    def __init__(self, now: datetime | None = None, labels: Mapping[str, str] | None = None) -> None:
        """Count ages from *now* (default: this moment); *labels* says what search services are called."""
        self.now = now or datetime.now(UTC)
        self._labels = dict(labels or {})

    def format_results(self, results: Sequence[SearchResult]) -> str:
        """Return *results* as a numbered list: title, score, summary, source with address, services and date of each."""
        return "\n\n".join(self._entry(number, result) for number, result in enumerate(results, start=1))

    def create_summary(self, result: SearchResult) -> str:
        """Return the Korean summary of *result*: its own snippet, or for a foreign one a labelled Korean line."""
        foreign = foreign_language(result)
        if not foreign:
            return result.snippet if result.snippet.strip() else NO_TEXT
        origin = result.summary_origin if result.summary else "extract"
        label = f"[{language_name(foreign)} 자료 · {_ORIGINS.get(origin, origin)}]"
        return f"{label} {one_line(result.summary) if result.summary else extract_summary(result)}"

    def format_korean_response(
        self,
        results: Sequence[SearchResult],
        *,
        query: str = "",
        replies: Sequence[ProviderReply] | None = None,
        for_model: bool = False,
    ) -> str:
        """Return heading, list and, where services failed, what is missing; without results, why there are none.

        *replies* says who was asked; None means that this is not known, empty that there was nobody to ask. *for_model* ends
        the sentences without results in what a language model is to do, not in what a reader can do.
        """
        if not results:
            return self._nothing(one_line(query), replies, for_model=for_model)
        asked = f"'{one_line(query)}' 검색 결과" if query else "검색 결과"
        lines = [f"{asked} {len(results)}건이에요.", "", self.format_results(results)]
        if replies and any(reply.is_degraded() for reply in replies):
            lines += ["", headline(replies, self._labels, self.now)]
        return "\n".join(lines)

    def outcome(self, query: str, replies: Sequence[ProviderReply] | None) -> str:
        """Return in the specified words that nothing was found, or that nobody could be asked and why."""
        if replies is not None and not any(reply.status.answered for reply in replies):
            why = reasons(replies, self._labels) or NOBODY
            return f"[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: {why})."
        return f"[검색 완료] '{one_line(query)}'에 대한 검색 결과가 없습니다."

    def _entry(self, number: int, result: SearchResult) -> str:
        lines = [f"{number}. **{one_line(result.title) or result.url}** · {self._score(result)}"]
        lines.append(f"{INDENT}요약: {_indented(self.create_summary(result))}")
        source = one_line(result.source)
        lines.append(f"{INDENT}출처: {f'{source} · ' if source else ''}{result.url}")
        services = ", ".join(self._labels.get(name, name) for name in result.providers)
        lines.append(f"{INDENT}검색 서비스: {one_line(services) or '알 수 없음'} · 날짜: {self._date(result.publish_date)}")
        return "\n".join(lines)

    def _score(self, result: SearchResult) -> str:
        if result.relevance_score is None:
            return "관련도 재지 못함"
        return f"관련도 {round(max(0.0, min(1.0, result.relevance_score)) * 100)}점"

    def _date(self, date: datetime | None) -> str:
        if date is None:
            return "알 수 없음"
        if is_recent(date, self.now):
            return f"{NEW} **{relative_time(date, self.now)}** ({korean_date(date)})"
        return f"{korean_date(date)} ({relative_time(date, self.now)})"

    def _nothing(self, query: str, replies: Sequence[ProviderReply] | None, *, for_model: bool) -> str:
        found = sum(len(reply.results) for reply in replies or ())
        if found:
            return f"[검색 완료] '{query}'에 대해 찾은 {found}건이 모두 관련도 기준보다 낮아요. 기준을 낮추면 볼 수 있어요."
        if replies is not None and not any(reply.status.answered for reply in replies):
            next_step = (
                "기존 지식 그래프와 대화 맥락만을 바탕으로 답변하세요."
                if for_model
                else "결과가 없다는 뜻이 아니에요. 잠시 뒤 다시 시도하거나 영상만으로 계속해 주세요."
            )
            return f"{self.outcome(query, replies)} {next_step}"
        next_step = "기존 지식을 바탕으로 답변하세요." if for_model else "더 짧은 검색어로 다시 찾아보세요."
        text = f"{self.outcome(query, replies)} {next_step}"
        if replies and not all(reply.status.answered for reply in replies):
            text += f" {headline(replies, self._labels, self.now)}"
        return text


def _indented(text: str) -> str:
    """Return *text* with every line after the first under the entry it belongs to."""
    return f"\n{INDENT * 2}".join(text.splitlines()) if text.splitlines() else text
