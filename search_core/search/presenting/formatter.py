"""Results as numbered Korean text with attribution; Markdown signs stay, code that renders the text escapes them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from search_core.domain.reply import ProviderReply
from search_core.domain.report import ReportOutcome, outcome_of
from search_core.domain.result import SearchResult
from search_core.search.presenting.dates import is_recent, korean_date, published, recent_day_in
from search_core.search.presenting.ledger import (
    NOTHING_SHOWN,
    headline,
    own_below,
    steps_to_mend,
    unanswered,
    word_outcome,
)
from search_core.search.presenting.score_text import UNSCORED, points
from search_core.search.presenting.summaries import best_sentences, foreign_language, korean_sentences
from search_core.search.presenting.wording import language_name, one_line

OWN_DOCUMENTS = "내 자료에서"
LATE = "뒤늦게 도착한 결과"
INDENT = "   "
NEW = "🆕"
SAMPLE = "예시"
KOREAN_ORIGINAL = "원문의 한국어:"
NO_TEXT = "미리 볼 수 있는 본문이 없어요. 출처에서 확인해 주세요."
_NEXT_STEPS = {
    ReportOutcome.FOUND_NONE: "더 짧은 검색어로 다시 찾아보세요.",
    ReportOutcome.BELOW_THRESHOLD: "기준을 낮추면 볼 수 있어요.",
}
_SUMMARY_ORIGINS = {"model": "AI 요약", "extract": "원문"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A group of results listed together, in order."""

    own: bool
    """Whether the results are documents of the library, which are listed apart from web pages."""
    results: tuple[SearchResult, ...]
    late: bool = False
    """Whether the results arrived after the other web results were shown; such results are listed last."""


def sections(results: Sequence[SearchResult]) -> list[Section]:
    """Return *results* as displayed: web results, late ones, then documents of the library."""
    web = hidden_sections([result for result in results if not result.late or result.own])
    late = tuple(result for result in results if result.late and not result.own)
    return sorted([*web, *([Section(own=False, results=late, late=True)] if late else [])], key=lambda part: part.own)


def hidden_sections(results: Sequence[SearchResult]) -> list[Section]:
    """Return hidden *results* as listed: web results, then documents of the library."""
    parts = (Section(own=own, results=tuple(result for result in results if result.own is own)) for own in (False, True))
    return [part for part in parts if part.results]


def origin_of(result: SearchResult) -> str:
    """Return the label of a foreign *result*: "영문 자료 · 원문" or "영문 자료 · AI 요약"."""
    origin = result.summary_origin if result.summary else "extract"
    return f"{language_name(foreign_language(result))} 자료 · {_SUMMARY_ORIGINS.get(origin, origin)}"


class ResultFormatter:
    """Writes results out for people and for models."""

    def __init__(self, now: datetime | None = None, labels: Mapping[str, str] | None = None) -> None:
        self.now = now or datetime.now(UTC)
        self._labels = dict(labels or {})

    def format_results(self, results: Sequence[SearchResult], first: int = 1) -> str:
        """Return *results* as a list numbered from *first*: title, score, summary, source, services and date."""
        return "\n\n".join(self._entry(number, result) for number, result in enumerate(results, start=first))

    def create_summary(self, result: SearchResult) -> str:
        """Return the text of *result*: its snippet or, if it is foreign, a labelled summary or its original sentences.

        Korean sentences of a foreign text follow unchanged if the summary lacks them.
        """
        foreign = foreign_language(result)
        summary = one_line(result.summary) or best_sentences(result.snippet)
        if not foreign or not summary:
            return result.snippet if result.snippet.strip() else NO_TEXT
        return "\n".join([f"[{origin_of(result)}] {summary}", *own_korean(result, summary)])

    def format_korean_response(
        self,
        results: Sequence[SearchResult],
        *,
        query: str = "",
        replies: Sequence[ProviderReply] | None = None,
        for_model: bool = False,
        web_wanted: bool = True,
        has_video: bool = True,
        hidden: Collection[SearchResult] | None = None,
    ) -> str:
        """Return a heading, the list and failed services; without results, the reasons.

        Documents of the library have their own heading and continue the numbering. *replies* says who was asked: None if
        unknown, empty if nobody. *for_model* ends texts without results with advice for a language model instead of a reader.
        *web_wanted* False means the web was not to be asked, *has_video* False that there is no video. *hidden* are the results
        that are not shown; None takes those of *replies*.
        """
        asked = replies or ()
        weak = {result.url: result for reply in asked for result in reply.results}.values() if hidden is None else hidden
        outcome = ReportOutcome.FOUND if results else ReportOutcome.FOUND_NONE
        if replies is not None:
            outcome = outcome_of(replies, results, weak, web_wanted=web_wanted)
        gaps = headline(asked, self._labels, self.now) if any(reply.is_degraded() for reply in asked) else ""
        lead = word_outcome(outcome, query, asked, weak, web_wanted=web_wanted, labels=self._labels)
        if outcome in NOTHING_SHOWN:
            beside = own_below(results, weak) if web_wanted else ""
            next_step = "기존 지식을 바탕으로 답변하세요." if for_model else _NEXT_STEPS[outcome]
            lead = " ".join(filter(None, (lead, beside, next_step, gaps if unanswered(asked) else "")))
        elif lead and web_wanted:
            lead = f"{lead} {self._without_web(asked, for_model=for_model, has_video=has_video)}"
        blocks = [lead, self._lists(results, one_line(query)) if results else "", gaps if outcome is ReportOutcome.FOUND else ""]
        return "\n\n".join(filter(None, blocks))

    def _lists(self, results: Sequence[SearchResult], query: str) -> str:
        blocks: list[str] = []
        first, counted = 1, None
        for section in sections(results):
            if section.own is not counted:
                counted = section.own
                what = OWN_DOCUMENTS if section.own else "검색 결과"
                count = sum(result.own is section.own for result in results)
                asked_for = f"'{query}' {what}" if query else what
                blocks.append(f"{asked_for} {count}건이에요.")
            if section.late:
                blocks.append(f"{LATE} {len(section.results)}건")
            blocks.append(self.format_results(section.results, first))
            first += len(section.results)
        return "\n\n".join(blocks)

    def _entry(self, number: int, result: SearchResult) -> str:
        mark = f" · {SAMPLE}" if result.sample else ""
        reached = points(result.relevance_score)
        score = UNSCORED if reached is None else f"관련도 {reached}점"
        lines = [f"{number}. **{one_line(result.title) or result.url}**{mark} · {score}"]
        summary = f"\n{INDENT * 2}".join(self.create_summary(result).splitlines())
        lines.append(f"{INDENT}요약: {summary}")
        source = one_line(result.source)
        lines.append(f"{INDENT}출처: {f'{source} · ' if source else ''}{result.url}")
        services = ", ".join(self._labels.get(name, name) for name in result.providers)
        lines.append(f"{INDENT}검색 서비스: {one_line(services) or '알 수 없음'} · 날짜: {self._dates(result)}")
        return "\n".join(lines)

    def _dates(self, result: SearchResult) -> str:
        """Return the date of *result* and, if its text names a more recent one, that too."""
        newest_day = recent_day_in(result.snippet, self.now)
        date = self._date(result.publish_date)
        return (
            date if newest_day is None or is_recent(result.publish_date, self.now) else f"{date} · 본문: {self._date(newest_day)}"
        )

    def _date(self, date: datetime | None) -> str:
        if date is None:
            return "알 수 없음"
        if is_recent(date, self.now):
            return f"{NEW} **{published(date, self.now)}** ({korean_date(date)})"
        return f"{korean_date(date)} ({published(date, self.now)})"

    def _without_web(self, replies: Sequence[ProviderReply], *, for_model: bool, has_video: bool) -> str:
        """Return what to do if no web service answered."""
        if for_model:
            return "기존 지식 그래프와 대화 맥락만을 바탕으로 답변하세요."
        if to_mend := steps_to_mend(replies):
            next_step = " ".join((*to_mend, *(["영상만으로 계속할 수도 있어요."] if has_video else [])))
        else:
            next_step = "잠시 뒤 다시 시도하거나 영상만으로 계속해 주세요." if has_video else "잠시 뒤 다시 시도해 주세요."
        return f"결과가 없다는 뜻이 아니에요. {next_step}"


def own_korean(result: SearchResult, summary: str) -> tuple[str, ...]:
    """Return the Korean sentences of the foreign *result* that its *summary* lacks, on a labelled line."""
    left = [sentence for sentence in korean_sentences(result.snippet) if sentence not in summary]
    return (f"{KOREAN_ORIGINAL} {' '.join(left)}",) if left and foreign_language(result) else ()
