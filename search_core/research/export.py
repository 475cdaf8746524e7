"""A run as a file to take away, in Korean: Markdown, HTML, PDF or DOCX, citations intact; nothing in it runs, loads or escapes.

What the model wrote passes ``safe_markdown`` first, which leaves no picture, no HTML and no link of its own; its numbers in
brackets become references to the list of sources, and only that list has addresses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from search_core.domain import PlanOrigin, ResearchRun, ResearchSource, ResearchStatus, Subtask, SubtaskState
from search_core.llm import safe_markdown
from search_core.llm.markdown import MAX_CHARS, TOP_HEADING
from search_core.presenting import korean_date
from search_core.presenting.dates import date_text
from search_core.presenting.document import DocumentFormat, document_file
from search_core.presenting.document.blocks import (
    Block,
    Code,
    Document,
    Heading,
    Items,
    Paragraph,
    Quotation,
    Run,
    SourceEntry,
    Table,
    heading_of,
    items_of,
    line_of,
    link_of,
    plain_runs,
    row_of,
    times_of,
    video_of,
)
from search_core.presenting.document.markdown import markdown_file
from search_core.presenting.score_text import scored_by_words
from search_core.presenting.wording import READ, count_sources, mark_unsupported
from search_core.text.sentences import shorten
from search_core.text.video_time import clock

MAX_SNIPPET_CHARS = 400
DEEPEST = 6
"""Of the levels of headings that Markdown has."""
_REPORT_LEVEL = 3
"""Of the highest headings of a report."""
ResearchFormat = DocumentFormat

_ENDS = {
    ResearchStatus.COMPLETE: "끝까지 조사했어요.",
    ResearchStatus.FINISHED_EARLY: "지금까지 찾은 자료로 마무리한 조사예요.",
    ResearchStatus.STOPPED: "사용자가 멈춘 조사예요. 멈출 때까지의 내용이에요.",
    ResearchStatus.FAILED: "조사가 끝까지 되지 못했어요.",
}
_NO_SITE = "웹 주소 없음"
_STILL_RUNNING = "아직 조사하고 있어요. 여기까지의 내용이에요."
_ORIGINS = {PlanOrigin.MODEL: "언어 모델", PlanOrigin.RULES: "규칙", PlanOrigin.USER: "사용자"}
_STATES = {
    SubtaskState.WAITING: "찾아보지 못함",
    SubtaskState.SEARCHING: "끝까지 찾아보지 못함",
    SubtaskState.DONE: "조사함",
    SubtaskState.FAILED: "물어보지 못함",
    SubtaskState.LEFT_OUT: "조사하지 못함",
}
_TIMES = (
    ("계획", "query_decomposition"),
    ("검색", "search_duration_ms"),
    ("읽기", "scrape_duration_ms"),
    ("작성", "analysis_duration_ms"),
    ("모두", "total_ms"),
)
_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_PARSER.parse("*a*")  # the first text puts its rules together, which two threads must not do at once
_PLAIN = Run("")
_CITED = re.compile(r"\[(\d{1,4})\]")
_SECTION = re.compile(r"\n(?=#{1,6} )")


def build_document(run: ResearchRun) -> Document:
    """Return *run* as a document."""
    title = line_of(run.request.question) or "심층 조사"
    blocks: list[Block] = [Heading(1, (Run(title),)), items_of(_facts(run))]
    blocks += _plan(run)
    blocks.append(heading_of("보고서"))
    blocks += _report_blocks(run) or (Paragraph(plain_runs("아직 쓴 글이 없어요.")),)
    blocks += _sources(run)
    if run.coverage:
        blocks += [heading_of("어디까지 조사했나요"), items_of(map(plain_runs, run.coverage))]
    blocks += times_of(run.metrics, _TIMES)
    return Document(title=title, blocks=tuple(blocks))


def _facts(run: ResearchRun) -> Iterator[tuple[Run, ...]]:
    yield plain_runs(f"조사한 날: {korean_date(run.created_at)}")
    yield plain_runs(f"상태: {_ENDS.get(run.status, _STILL_RUNNING)}")
    video = run.request.video
    if video is not None:
        yield from video_of(video)
    if run.request.own_only:
        yield plain_runs("찾은 곳: 웹은 검색하지 않고 내 자료만 찾아봤어요.")
    if run.by_model is not None and run.sources:
        yield plain_runs(
            "글: 언어 모델이 자료를 바탕으로 썼어요." if run.by_model else "글: 언어 모델 없이 자료에서 뽑은 발췌예요."
        )
    if run.own_sent is not None:
        yield plain_runs(f"내 자료: {'언어 모델에도 보냈어요.' if run.own_sent else '언어 모델에 보내지 않았어요.'}")
    for note in (run.plan_note, run.report_note, *(failure.korean for failure in run.failures)):
        if note.strip():
            yield plain_runs(f"알림: {note}")


def _plan(run: ResearchRun) -> list[Block]:
    if not run.plan:
        return []
    rows = [row_of(("번호", "나눠 조사한 것", "만든 곳", "상태", "출처"))]
    rows += [row_of(_subtask(subtask)) for subtask in run.plan]
    return [heading_of("조사 계획"), Table(tuple(rows))]


def _subtask(subtask: Subtask) -> tuple[str, ...]:
    state = _STATES[subtask.state]
    shown = f"{state}: {subtask.failure}" if subtask.failure else state
    return str(subtask.number), subtask.text, _ORIGINS[subtask.origin], shown, count_sources(subtask.found, subtask.own)


def _sources(run: ResearchRun) -> list[Block]:
    if not run.sources:
        return [heading_of("출처"), Paragraph(plain_runs("찾은 출처가 없어요."))]
    counts = Counter(source.domain or _NO_SITE for source in run.sources if not source.own).most_common()
    rows = [row_of(("사이트", "출처")), *(row_of((domain, f"{count}개")) for domain, count in counts)]
    by_words = scored_by_words(run.plan)
    note = [Paragraph(plain_runs(by_words))] if by_words else []
    entries = [_entry(source) for source in sorted(run.sources, key=lambda source: source.number)]
    by_site: list[Block] = [Heading(3, (Run("사이트별 출처"),)), Table(tuple(rows))] if counts else []
    return [heading_of("출처"), *note, *entries, *by_site]


def _entry(source: ResearchSource) -> SourceEntry:
    score = f"관련도 {source.relevance_score:.2f}" if source.relevance_score is not None else ""
    facts = " · ".join(filter(None, (source.domain, date_text(source.publish_date), READ[source.read], score)))
    lines = [shorten(line_of(source.snippet), MAX_SNIPPET_CHARS)] if source.snippet.strip() else []
    if source.moment is not None:
        lines.append(f"영상 {clock(source.moment.start_s)}: “{shorten(line_of(source.moment.text), MAX_SNIPPET_CHARS)}”")
    return SourceEntry(
        number=source.number,
        title=link_of(source.title.strip() or source.url, source.url),
        address="" if source.own else line_of(source.url),
        facts=line_of(facts),
        lines=tuple(map(line_of, lines)),
    )


def _report_blocks(run: ResearchRun) -> tuple[Block, ...]:
    """Return the report of *run*, unsupported sentences marked."""
    numbers = {str(source.number): "" for source in run.sources}
    text = mark_unsupported(run.shown_report, run.unsupported)
    pieces = _SECTION.split(text) if len(text) > MAX_CHARS else [text]
    safe = "\n\n".join(safe_markdown(piece, numbers) for piece in pieces)
    return _blocks(SyntaxTreeNode(_PARSER.parse(safe)), frozenset(map(int, numbers)))


def _blocks(parent: SyntaxTreeNode, numbers: frozenset[int]) -> tuple[Block, ...]:
    read = (_block(node, numbers) for node in parent.children)
    return tuple(block for block in read if block is not None)


def _block(node: SyntaxTreeNode, numbers: frozenset[int]) -> Block | None:
    match node.type:
        case "paragraph":
            return Paragraph(tuple(_runs(node.children, numbers)))
        case "heading":
            level = min(DEEPEST, _REPORT_LEVEL + max(0, int(node.tag[1]) - TOP_HEADING - 1))
            return Heading(level, tuple(_runs(node.children, numbers)))
        case "blockquote":
            return Quotation(_blocks(node, numbers))
        case "bullet_list" | "ordered_list":
            start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
            return Items(tuple(_blocks(item, numbers) for item in node.children), start)
        case "fence" | "code_block":
            return Code(node.content.rstrip("\n"))
        case "table":
            rows = (row for part in node.children for row in part.children)
            return Table(tuple(tuple(tuple(_runs(cell.children, numbers)) for cell in row.children) for row in rows))
    return None


def _runs(nodes: Iterable[SyntaxTreeNode], numbers: frozenset[int], style: Run = _PLAIN) -> Iterator[Run]:
    """Yield what *nodes* say; text within what is set off has its *style*."""
    for node in nodes:
        match node.type:
            case "code_inline":
                yield Run(node.content, code=True)
            case "softbreak" | "hardbreak":
                yield Run(" " if node.type == "softbreak" else "\n")
            case "text":
                yield from _split_citations(style._replace(text=node.content), numbers)
            case "strong":
                yield from _runs(node.children, numbers, style._replace(bold=True))
            case "em":
                yield from _runs(node.children, numbers, style._replace(italic=True))
            case "s":
                yield from _runs(node.children, numbers, style._replace(struck=True))
            case _:
                yield from _runs(node.children, numbers, style)


def _split_citations(run: Run, numbers: frozenset[int]) -> Iterator[Run]:
    """Yield *run* with its numbers in brackets as references where there is such a source."""
    done = 0
    for match in _CITED.finditer(run.text):
        if int(match[1]) in numbers:
            if match.start() > done:
                yield run._replace(text=run.text[done : match.start()])
            yield run._replace(text=match[0], cites=int(match[1]))
            done = match.end()
    if done < len(run.text):
        yield run._replace(text=run.text[done:])


def export_run(run: ResearchRun, format_name: ResearchFormat) -> bytes:
    """Return *run* as a file, whole or as far as it has come; a PDF takes some seconds the first time."""
    return document_file(build_document(run), format_name, run.created_at)


def markdown_section(run: ResearchRun, level: int) -> str:
    """Return *run* as a part of a larger Markdown file: without its title, its headings from *level* on."""
    title, *blocks = build_document(run).blocks
    assert isinstance(title, Heading)
    deeper = level - title.level - 1
    moved = tuple(replace(b, level=min(DEEPEST, b.level + deeper)) if isinstance(b, Heading) else b for b in blocks)
    return markdown_file(Document(title="", blocks=moved)).decode("utf-8").rstrip("\n")
