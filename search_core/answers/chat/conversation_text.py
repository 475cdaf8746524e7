"""A conversation as a Markdown file; foreign text in it cannot run, load or break out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from search_core.domain.conversation import AnswerRecord, Conversation, Message, MessageKind, MessageState, WebSource
from search_core.domain.research import ResearchRun
from search_core.domain.stance import Comparison, StanceRow, first_of_stories
from search_core.domain.video import VideoContext
from search_core.language.dates import clock
from search_core.models.llm.markdown import safe_markdown
from search_core.search.presenting.claim_text import JUDGED_BY, RULES_ALONE, TIMES
from search_core.search.presenting.dates import date_text, korean_date
from search_core.search.presenting.document import escape, items, link, table, video_facts
from search_core.search.presenting.formatter import OWN_DOCUMENTS, SAMPLE
from search_core.search.presenting.wording import READ, WITHOUT_WEB, mark_unsupported, moment_url, one_line, sent_to_model

RunText = Callable[["ResearchRun"], str]
"""Writes a run as Markdown to stand below a third-level heading; foreign text in it cannot run or load anything."""
UNTITLED = "새 대화"
_SPEAKERS = {MessageKind.ANSWER: "맥락의 답", MessageKind.CHECK: "온라인에서 확인한 답", MessageKind.RESEARCH: "깊이 조사"}
_ENDS = {
    MessageState.RUNNING: "답변이 아직 나오고 있어요.",
    MessageState.STOPPED: "멈춘 답변이에요. 여기까지 나왔어요.",
    MessageState.FAILED: "답변이 끝까지 나오지 못했어요.",
}
_COLUMNS = ("영상 시각", "판단", "출처", "날짜", "시기", "영상에서 한 말", "웹에서 쓴 말", JUDGED_BY)


def markdown_file(conversation: Conversation, run_text: RunText | None = None) -> bytes:
    """Return *conversation* as Markdown, UTF-8; *run_text* writes its research."""
    return "\n".join((*_lines(conversation, run_text), "")).encode("utf-8", "replace")


def _lines(conversation: Conversation, run_text: RunText | None) -> Iterator[str]:
    entry, video = conversation.entry, conversation.video
    yield f"# {escape(entry.title) or UNTITLED}"
    yield ""
    if video is not None:
        yield from items(video_facts(video))
    yield f"- 대화를 시작한 날: {korean_date(entry.created_at)}"
    number = 0
    for message in conversation.messages:
        yield ""
        if message.kind is MessageKind.QUESTION:
            number += 1
            yield f"## {number}\\. {escape(message.text) or '질문'}"
        elif message.kind is MessageKind.RESEARCH:
            run = message.research
            text = run_text(run) if run is not None and run_text is not None else f"- {escape(message.missing)}"
            yield from (f"### {_SPEAKERS[message.kind]}", "", text)
        else:
            yield from _turn(message, message.record or AnswerRecord(), video)


def _turn(message: Message, record: AnswerRecord, video: VideoContext | None) -> Iterator[str]:
    yield f"### {_SPEAKERS[message.kind]}"
    yield from answer_lines(record, video)
    if message.state in _ENDS:
        yield from ("", f"- {_ENDS[message.state]} {escape(record.error)}".rstrip())


def answer_lines(record: AnswerRecord, video: VideoContext | None) -> Iterator[str]:
    """Yield the Markdown of an answer or of a check."""
    moments = {clock(moment): moment_url(video, moment) for moment in record.moments}
    if record.text:
        yield from ("", safe_markdown(record.text, moments))
    if record.moments:
        shown = (link(label, url) if url else label for label, url in moments.items())
        yield from ("", f"- 영상 시각: {', '.join(shown)}")
    if record.notice:
        yield f"- 알림: {escape(record.notice)}"
    if record.fallback is not None and record.fallback.triggered:
        yield f"- 영상만으로는 답이 모자라요.{'' if record.fallback.enabled else ' 웹 검색은 꺼져 있어요.'}"
    yield from _web(record)
    yield from _beside_the_web(record, video)


def _web(record: AnswerRecord) -> Iterator[str]:
    if record.searched_for:
        yield from ("", f"- 웹에서 찾은 말: {escape(record.searched_for)}")
    if record.comparison is not None:
        yield from ("", escape(record.summary))
        yield from _stances(record, record.comparison)
    if record.web_text:
        links = {str(source.number): source.url for source in record.sources}
        yield from ("", safe_markdown(mark_unsupported(record.web_text, record.unsupported), links))
    if record.failure is not None:
        yield from ("", *(f"- {escape(line)}" for line in (record.failure.korean, record.failure.reason) if line))
    if record.sources:
        yield from _sources(record)
    if record.headline:
        yield from ("", f"- 검색 서비스: {escape(record.headline)}")
        yield from (f"  - {escape(line)}" for line in record.ledger)


def _beside_the_web(record: AnswerRecord, video: VideoContext | None) -> Iterator[str]:
    """Yield what own documents say, and the model's answer from them and the video if the web search failed."""
    if record.own is not None:
        yield from ("", OWN_DOCUMENTS, "")
        for document in record.own.documents:
            sample = f" ({SAMPLE})" if document.sample else ""
            yield f"{document.number}. {link(document.title, document.url)}{sample} — “{escape(document.quote)}”"
        yield from ("", f"- {sent_to_model(record.own)}")
    if record.without_web is not None:
        labels = {clock(moment): moment_url(video, moment) for moment in record.without_web.moments}
        labels |= {str(number): "" for number in record.without_web.cited}
        text = mark_unsupported(record.without_web.text, record.without_web.unsupported)
        yield from ("", WITHOUT_WEB, "", safe_markdown(text, labels))


def _stances(record: AnswerRecord, comparison: Comparison) -> Iterator[str]:
    if not comparison.rows:
        return
    yield ""
    rows = zip(comparison.rows, first_of_stories(comparison.rows), strict=True)
    yield from table((_COLUMNS, *(_cells(row, record.sources[row.source], first=first) for row, first in rows)))
    if comparison.judged_by_rules_alone:
        yield from ("", f"- {RULES_ALONE}")


def _cells(row: StanceRow, source: WebSource, *, first: bool) -> tuple[str, ...]:
    name = f"{one_line(source.source).strip()}{'' if first else ' (되풀이)'}"
    when = (date_text(row.date), TIMES[row.after_video])
    cells = (clock(row.moment_s), row.stance.label, name, *when, row.statement, row.quote, row.judged_by)
    return tuple(map(escape, cells))


def _sources(record: AnswerRecord) -> Iterator[str]:
    read = {page.number: not page.failure for page in record.pages}
    yield from ("", "출처", "")
    for source in record.sources:
        facts = f"{escape(source.source)} · {date_text(source.publish_date)} · {READ[read.get(source.number)]}"
        yield f"{source.number}. {link(source.title, source.url)} — {facts}"
