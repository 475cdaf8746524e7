"""A report as a file, in which texts of providers cannot run as formulas or scripts, or load anything."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from search_core.domain.plain_json import plain_json
from search_core.domain.report import SearchReport
from search_core.domain.result import SearchResult
from search_core.errors import UnknownFormatError
from search_core.language.dates import clock
from search_core.search.presenting.dates import date_text, korean_date
from search_core.search.presenting.document import document_file, escape, link
from search_core.search.presenting.formatter import (
    LATE,
    OWN_DOCUMENTS,
    SAMPLE,
    ResultFormatter,
    Section,
    hidden_sections,
    sections,
)
from search_core.search.presenting.ledger import OWN, WEB, headline, ledger, not_asked_line, outcome_sentence, writing_line
from search_core.search.presenting.score_text import PART_NAMES, explain, hidden_because, points, threshold_points
from search_core.search.presenting.wording import transcript_source

ExportFormat = Literal["markdown", "html", "csv", "json"]

COLUMNS = (
    "순서",
    "보임",
    "관련도",
    "제목",
    "요약",
    "주소",
    "출처",
    "검색 서비스",
    "날짜",
    "언어",
    "영상 시각",
    "영상 발언",
    "영상 속 이름",
    "원문",
    "자료",
    "숨긴 이유",
    *PART_NAMES.values(),
)
"""Columns of the table; the score and its components are in points from 0 to 100."""
_FORMULA = re.compile(r"^[\s'\"]*[=+\-@＝＋－＠]|^[\t\r\n]")
"""Beginnings of cells that spreadsheets run as formulas ("=", "＝"; OWASP, CSV Injection)."""
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn"})
"""Unicode categories of invisible characters; a spreadsheet may drop them before it looks for a formula."""
_SHOWN, _HIDDEN = "예", "숨김"


def export(report: SearchReport, format_name: ExportFormat, *, labels: Mapping[str, str] | None = None) -> bytes:
    """Return *report* as a file; *labels* names the search services; raises UnknownFormatError."""
    named = dict(labels or {})
    match format_name:
        case "markdown" | "html":
            return document_file(_markdown(report, named), format_name)
        case "csv":
            return csv_table(COLUMNS, _rows(report, named), _frame(report, named))
        case "json":
            return _json(report, named)
    raise UnknownFormatError(format_name, get_args(ExportFormat))


def json_file(values: object) -> bytes:
    """Return *values* as JSON, UTF-8."""
    return json.dumps(values, ensure_ascii=False, indent=2).encode("utf-8", "replace")


def _json(report: SearchReport, labels: dict[str, str]) -> bytes:
    lines = ledger(report.replies, labels, report.created_at)
    values = {
        **report_json(report, labels),
        "headline": headline(report.replies, labels, report.created_at),
        "ledger": [{"provider": line.reply.provider, "label": line.label, "text": line.text} for line in lines],
    }
    return json_file(values)


def _rows(report: SearchReport, labels: dict[str, str]) -> Iterator[list[object]]:
    formatter = ResultFormatter(report.created_at, labels)
    ranking = report.options.ranking
    listed = ((shown, result) for shown, part in _lists(report) for section in part for result in section.results)
    for number, (shown, result) in enumerate(listed, start=1):
        because = hidden_because(result, ranking) if shown == _HIDDEN else ""
        texts = [*_row(result, formatter, labels), because]
        marks = (points(getattr(result.parts, part, None)) for part in PART_NAMES)  # empty where not measured
        yield [number, shown, *map(inert_cell, texts), *("" if mark is None else str(mark) for mark in marks)]


def _lists(report: SearchReport) -> tuple[tuple[str, list[Section]], ...]:
    return (_SHOWN, sections(report.results)), (_HIDDEN, hidden_sections(report.hidden))


def _row(result: SearchResult, formatter: ResultFormatter, labels: Mapping[str, str]) -> tuple[str, ...]:
    moment = result.moment
    return (
        "" if (reached := points(result.relevance_score)) is None else str(reached),
        result.title,
        formatter.create_summary(result),
        result.url,
        result.source,
        ", ".join(labels.get(name, name) for name in result.providers),
        result.publish_date.isoformat() if result.publish_date is not None else "",
        result.language,
        clock(moment.start_s) if moment is not None else "",
        moment.text if moment is not None else "",
        ", ".join(result.entity_matches),
        result.snippet,
        f"{OWN} ({SAMPLE})" if result.sample else OWN if result.own else WEB,
    )


def _frame(report: SearchReport, labels: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the context of the results: question, query, video, and how services answered."""
    video = report.question.video
    frame = [("질문", report.question.text), ("검색어", report.constructed.text)]
    if video is not None and video.title:
        frame.append(("영상", video.title))
    if video is not None and (source := transcript_source(video)):
        frame.append(("자막", source))
    if report.created_at is not None:
        frame.append(("검색한 날", korean_date(report.created_at)))
    if outcome := outcome_sentence(report, labels):
        frame.append(("알림", outcome))
    if report.waiting:
        waiting = ", ".join(labels.get(name, name) for name in report.waiting)
        frame.append(("알림", f"{waiting}의 답을 기다리는 동안의 결과예요."))
    ranking = report.options.ranking
    frame += [("관련도 기준", f"{threshold_points(ranking.threshold)}점"), ("결과 수", f"{ranking.max_results}건까지")]
    frame.append(("응답", headline(report.replies, labels, report.created_at)))
    frame += [(line.label, line.text) for line in ledger(report.replies, labels, report.created_at)]
    if writing := writing_line(report.written):
        frame.append(("언어 모델", writing))
    if not_asked := not_asked_line(report, labels):
        frame.append(("묻지 않은 곳", not_asked))
    return frame + [("알림", degradation.korean) for degradation in report.degradations]


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[object]], frame: Iterable[tuple[str, str]]) -> bytes:
    """Return CSV (UTF-8 with BOM): *columns*, *rows* of inert cells, and the context below."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows([columns, *rows, [], *(map(inert_cell, line) for line in frame)])
    return file.getvalue().encode("utf-8-sig", "replace")


def inert_cell(value: str) -> str:
    """Return *value* so that no spreadsheet runs it."""
    plain = value.replace("\x00", "")
    seen = "".join(char for char in plain if char not in _FILLERS and unicodedata.category(char) not in _UNSEEN)
    return f"'{plain}" if _FORMULA.search(plain) or _FORMULA.search(seen) else plain


def _markdown(report: SearchReport, labels: dict[str, str]) -> list[str]:
    formatter = ResultFormatter(report.created_at, labels)
    lines = [f"# {escape(report.question.text)}", ""]
    lines += [f"- {escape(label)}: {escape(value)}" for label, value in _frame(report, labels)]
    number = 0
    for shown, part in _lists(report):
        headed: bool | None = None
        for section in part:
            if section.own is not headed:
                headed = section.own
                lines += ["", f"## {_heading(shown, section, part)}", ""]
            if section.late:
                lines += [f"### {LATE} {len(section.results)}건", ""]
            for result in section.results:
                number += 1  # over all lists: a number is one result of the file
                because = hidden_because(result, report.options.ranking) if shown == _HIDDEN else ""
                lines += _item(number, result, formatter, labels, because)
    return lines


def _heading(shown: str, section: Section, part: Sequence[Section]) -> str:
    count = sum(len(other.results) for other in part if other.own is section.own)
    words = ("숨긴" if shown == _HIDDEN else "", OWN_DOCUMENTS if section.own else "결과", f"{count}건")
    return " ".join(word for word in words if word)


def _item(
    number: int,
    result: SearchResult,
    formatter: ResultFormatter,
    labels: Mapping[str, str],
    because: str,
) -> list[str]:
    services = ", ".join(labels.get(name, name) for name in result.providers)
    lines = [
        f"{number}. {link(result.title, result.url)}{f' · {SAMPLE}' if result.sample else ''}",
        f"   - 요약: {escape(formatter.create_summary(result))}",
        f"   - 출처: {escape(result.source)} · {escape(services)} · {date_text(result.publish_date)}",
        f"   - 점수: {escape(explain(result))}",
    ]
    if because:
        lines.append(f"   - 숨긴 이유: {escape(because)}")
    if result.moment is not None:
        lines.append(f"   - 영상 {clock(result.moment.start_s)}: “{escape(result.moment.text)}”")
    return lines


def report_json(report: SearchReport, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the JSON of *report*; *labels* names the search services in its outcome."""
    because = report.options.ranking.reason_hidden
    hidden = [{**plain_json(result), "hidden_because": because(result.relevance_score).value} for result in report.hidden]
    outcome = outcome_sentence(report, labels)
    return {**plain_json(report), "hidden": hidden, "outcome": outcome, "outcome_kind": report.outcome.value}
