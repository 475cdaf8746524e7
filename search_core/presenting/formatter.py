"""Results as numbered Korean text with attribution, and a whole report as JSON.

Korean titles and snippets stay unchanged except for line breaks, which could make a result look like two: in titles they become
spaces, and further lines of a snippet are indented. Markdown signs stay: code that renders the text as Markdown escapes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from search_core.domain.plain_json import plain_json
from search_core.domain.reply import ProviderReply, web_answered
from search_core.domain.report import SearchReport
from search_core.domain.result import SearchResult
from search_core.presenting.dates import is_recent, korean_date, recent_day_in, relative_time
from search_core.presenting.ledger import headline, own_unavailable, reasons, steps_to_mend, unanswered
from search_core.presenting.score_text import UNSCORED, points
from search_core.presenting.summaries import best_sentences, foreign_language, korean_sentences
from search_core.presenting.wording import language_name, one_line

OWN_DOCUMENTS = "내 자료에서"
LATE = "뒤늦게 도착한 결과"
INDENT = "   "
NEW = "🆕"
NOBODY = "물어볼 수 있는 웹 검색 서비스가 없어요"
SAMPLE = "예시"
KOREAN_ORIGINAL = "원문의 한국어:"
NO_TEXT = "미리 볼 수 있는 본문이 없어요. 출처에서 확인해 주세요."
_SUMMARY_ORIGINS = {"model": "AI 요약", "extract": "원문"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A group of results listed together, in order."""

    own: bool
    """Whether they are documents of the library, which stand apart from pages of the web."""
    results: tuple[SearchResult, ...]
    late: bool = False
    """Whether they came after the other web results were shown, and are listed after them."""


def sections(results: Sequence[SearchResult]) -> list[Section]:
    """Return *results* as displayed: web results, late ones, then documents of the library."""
    web = hidden_sections([result for result in results if not result.late or result.own])
    late = tuple(result for result in results if result.late and not result.own)
    return sorted([*web, *([Section(own=False, results=late, late=True)] if late else [])], key=lambda part: part.own)


def hidden_sections(results: Sequence[SearchResult]) -> list[Section]:
    """Return hidden *results* as listed: web results, then documents of the library."""
    parts = (Section(own=own, results=tuple(each for each in results if each.own is own)) for own in (False, True))
    return [part for part in parts if part.results]


def origin_of(result: SearchResult) -> str:
    """Return the label of a foreign *result*: "영문 자료 · 원문" or "영문 자료 · AI 요약"."""
    origin = result.summary_origin if result.summary else "extract"
    return f"{language_name(foreign_language(result))} 자료 · {_SUMMARY_ORIGINS.get(origin, origin)}"


class ResultFormatter:
    """Writes results out for people and for models."""

    def __init__(self, now: datetime | None = None, labels: Mapping[str, str] | None = None) -> None:
        """Take *now* (default: this moment) for ages; *labels* names the services."""
        self.now = now or datetime.now(UTC)
        self._labels = dict(labels or {})

    def format_results(self, results: Sequence[SearchResult], first: int = 1) -> str:
        """Return *results* as a list numbered from *first*: title, score, summary, source, services and date."""
        return "\n\n".join(self._entry(number, result) for number, result in enumerate(results, start=first))

    def create_summary(self, result: SearchResult) -> str:
        """Return the text of *result*: its snippet, or a labelled summary or original of a foreign one.

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
    ) -> str:
        """Return a heading, the list and failed services; without results, the reasons.

        Documents of the library have their own heading and continue the numbering. *replies* says who was asked: None if
        unknown, empty if nobody. *for_model* ends texts without results with advice for a language model instead of a reader.
        *web_wanted* False means the web was not to be asked, *has_video* False that there is no video.
        """
        away = web_wanted and replies is not None and not web_answered(replies)
        if not results:
            if away:
                return self._unavailable_text(replies or (), for_model=for_model, has_video=has_video)
            return self._nothing_text(one_line(query), replies, for_model=for_model, web_wanted=web_wanted)
        lines = [self._unavailable_text(replies or (), for_model=for_model, has_video=has_video), ""] if away else []
        if not away and web_wanted and replies and all(result.own for result in results):
            lines = [self._web_nothing_text(one_line(query), replies), ""]
        lines += self._lists(results, one_line(query))
        if not away and replies and any(reply.is_degraded() for reply in replies):
            lines += [headline(replies, self._labels, self.now), ""]
        return "\n".join(lines[:-1])

    def _lists(self, results: Sequence[SearchResult], query: str) -> list[str]:
        lines: list[str] = []
        first, counted = 1, None
        for section in sections(results):
            if section.own is not counted:
                counted = section.own
                what = OWN_DOCUMENTS if section.own else "검색 결과"
                count = sum(result.own is section.own for result in results)
                asked = f"'{query}' {what}" if query else what
                lines += [f"{asked} {count}건이에요.", ""]
            if section.late:
                lines += [f"{LATE} {len(section.results)}건", ""]
            lines += [self.format_results(section.results, first), ""]
            first += len(section.results)
        return lines

    def outcome_sentence(self, report: SearchReport) -> str:
        """Return the specified words if nothing was found or no service could be asked; empty with results.

        If the web was to be searched, documents of the library do not count as found.
        """
        if report.web_unavailable:
            return self.unavailable(report.replies)
        wanted = [reply for reply in report.replies if reply.web or not report.web_wanted]
        if any(reply.results for reply in wanted):
            return ""
        if not any(reply.status.answered for reply in wanted):
            return own_unavailable(wanted, self._labels)
        return f"{nothing_found(report.question.text)} {unanswered(wanted)}".rstrip()

    def not_asked(self, report: SearchReport) -> str:
        """Return which web services were not asked, and why; empty if all were."""
        names = ", ".join(self._labels.get(name, name) for name in report.not_asked)
        found = any(reply.web and reply.is_success() and not reply.stale for reply in report.replies)
        why = "묻지 않았어요. 순서가 앞선 곳에서 결과를 찾았어요." if found else "묻기 전에 검색이 끝났어요."
        return f"{names}에는 {why}" if names else ""

    def unavailable(self, replies: Sequence[ProviderReply]) -> str:
        """Return the specified words for a search that no service answered, and why."""
        why = reasons(replies, self._labels) or NOBODY
        return f"[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: {why})."

    def _entry(self, number: int, result: SearchResult) -> str:
        mark = f" · {SAMPLE}" if result.sample else ""
        reached = points(result.relevance_score)
        score = UNSCORED if reached is None else f"관련도 {reached}점"
        lines = [f"{number}. **{one_line(result.title) or result.url}**{mark} · {score}"]
        lines.append(f"{INDENT}요약: {_indent(self.create_summary(result))}")
        source = one_line(result.source)
        lines.append(f"{INDENT}출처: {f'{source} · ' if source else ''}{result.url}")
        services = ", ".join(self._labels.get(name, name) for name in result.providers)
        lines.append(f"{INDENT}검색 서비스: {one_line(services) or '알 수 없음'} · 날짜: {self._dates(result)}")
        return "\n".join(lines)

    def _dates(self, result: SearchResult) -> str:
        """Return the date of *result* and, if its text names a more recent one, that too."""
        newest_day = recent_day_in(result.snippet, self.now)
        known = self._date(result.publish_date)
        return (
            known
            if newest_day is None or is_recent(result.publish_date, self.now)
            else f"{known} · 본문: {self._date(newest_day)}"
        )

    def _date(self, date: datetime | None) -> str:
        if date is None:
            return "알 수 없음"
        if is_recent(date, self.now):
            return f"{NEW} **{relative_time(date, self.now)}** ({korean_date(date)})"
        return f"{korean_date(date)} ({relative_time(date, self.now)})"

    def _unavailable_text(self, replies: Sequence[ProviderReply], *, for_model: bool, has_video: bool) -> str:
        if for_model:
            return f"{self.unavailable(replies)} 기존 지식 그래프와 대화 맥락만을 바탕으로 답변하세요."
        if to_mend := steps_to_mend(replies):
            next_step = " ".join((*to_mend, *(["영상만으로 계속할 수도 있어요."] if has_video else [])))
        else:
            next_step = "잠시 뒤 다시 시도하거나 영상만으로 계속해 주세요." if has_video else "잠시 뒤 다시 시도해 주세요."
        return f"{self.unavailable(replies)} 결과가 없다는 뜻이 아니에요. {next_step}"

    def _web_nothing_text(self, query: str, replies: Sequence[ProviderReply]) -> str:
        """Return the text above own documents when services answered but no page of the web is shown."""
        found = _count(reply for reply in replies if reply.web)
        hidden = f"[검색 완료] '{query}'에 대해 웹에서 찾은 {found}건은 관련도가 낮아 숨겼어요."
        return f"{hidden} 기준을 낮추면 볼 수 있어요." if found else nothing_found(query)

    def _nothing_text(self, query: str, replies: Sequence[ProviderReply] | None, *, for_model: bool, web_wanted: bool) -> str:
        if not web_wanted and replies and not any(reply.status.answered for reply in replies):
            return own_unavailable(replies, self._labels)
        text, next_step = nothing_found(query), "더 짧은 검색어로 다시 찾아보세요."
        for where, of_web in ((f"{OWN_DOCUMENTS} ", False), ("", True)):
            if found := _count(reply for reply in replies or () if reply.web is of_web):
                text = f"[검색 완료] '{query}'에 대해 {where}찾은 {found}건이 모두 관련도 기준보다 낮아요."
                next_step = "기준을 낮추면 볼 수 있어요."
        text += f" {'기존 지식을 바탕으로 답변하세요.' if for_model else next_step}"
        if unanswered(replies or ()):
            text += f" {headline(replies or (), self._labels, self.now)}"
        return text


def nothing_found(query: str) -> str:
    """Return the specified words for a search for *query* without results."""
    return f"[검색 완료] '{one_line(query)}'에 대한 검색 결과가 없습니다."


def _count(replies: Iterable[ProviderReply]) -> int:
    """Return how many different pages *replies* contain."""
    return len({result.url for reply in replies for result in reply.results})


def own_korean(result: SearchResult, summary: str) -> tuple[str, ...]:
    """Return the Korean sentences of the foreign *result* that its *summary* lacks, on a labelled line."""
    left = [sentence for sentence in korean_sentences(result.snippet) if sentence not in summary]
    return (f"{KOREAN_ORIGINAL} {' '.join(left)}",) if left and foreign_language(result) else ()


def _indent(text: str) -> str:
    """Return *text* with its further lines indented below the entry."""
    return f"\n{INDENT * 2}".join(text.splitlines()) if text.splitlines() else text


def report_json(report: SearchReport, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the JSON of *report*; *labels* names the search services in its outcome."""
    because = report.options.ranking.reason_hidden
    hidden = [{**plain_json(each), "hidden_because": because(each.relevance_score).value} for each in report.hidden]
    outcome = ResultFormatter(report.created_at, labels).outcome_sentence(report)
    return {**plain_json(report), "hidden": hidden, "outcome": outcome}
