"""An answer or a check of one, drawn and as Markdown: what the video says, what the web says, and the actions on it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from pages.parts.shared import address, evidence, own_documents, run_page, services
from pages.parts.shared.buttons import button, quiet
from pages.parts.shared.escaping import link, md, tooltip
from pages.parts.shared.evidence import KINDS
from pages.parts.shared.page_session import page_session
from pages.parts.workspace import asking, chat_state, video_panel
from search_core.checking.verdicts.weighing import WeighedStatement, weigh_statements
from search_core.domain.claim import ClaimSource
from search_core.domain.conversation import (
    AnswerOrigin,
    AnswerRecord,
    Message,
    MessageKind,
    MessageState,
    PageOutcome,
    WebFailure,
    WebSource,
)
from search_core.domain.research import ResearchSource
from search_core.domain.stance import Stance
from search_core.language.dates import CLOCK, clock, clock_seconds
from search_core.models.llm.markdown import safe_markdown
from search_core.search.presenting.claim_text import RULES_ALONE, Evidence, evidence_of
from search_core.search.presenting.dates import date_text
from search_core.search.presenting.wording import sent_to_model

MAX_STATEMENTS = 12
"""Most statements drawn in one check; more would bury the answer."""
MAX_MOMENTS = 12
FROM_VIDEO, FROM_MODEL = ":gray-badge[:material/movie: 영상]", ":gray-badge[:material/smart_toy: AI 모델]"
FROM_WEB = ":blue-badge[:material/language: Web]"
WRITING = "답을 쓰고 있어요…"
SEARCHING = "웹에서 찾고 있어요…"
STOPPED = {MessageKind.ANSWER: "답변을 멈췄어요.", MessageKind.CHECK: "확인을 멈췄어요."}
AGAIN_SOON = "잠시 뒤에 다시 물어볼 수 있어요."
CHECKING, CHECKED, NOT_CHECKED = "웹에서 확인하고 있어요", "웹에서 확인했어요", "웹에서 확인하지 못했어요"


@dataclass(frozen=True, slots=True)
class MessageContext:
    """The facts about its conversation that a message needs."""

    asked: Mapping[str, Message]
    """The question of each answer, by the answer's id."""
    last_answer: str
    """Id of the answer whose question can be asked once more."""
    checks: Mapping[str, str]
    """The newest check of an answer, by the answer's id."""
    can_check: bool
    can_seek: bool
    evidence_of: str = ""
    """Id of the answer under which the search results are drawn, as it was made from them."""


def answer(message: Message, context: MessageContext, *, live: bool) -> None:
    """Draw an answer as far as it is written, and its actions once it is no longer *live*."""
    record, can_seek = message.record or AnswerRecord(), context.can_seek
    _video_part(record, can_seek=can_seek)
    report = page_session().report
    away = record.failure is not None and record.failure.web_away and report is not None and report.web_unavailable
    told_below = message.id == context.evidence_of and away
    if record.fallback is not None and record.fallback.triggered:
        if not told_below:
            with st.container(key=f"web-{message.id}"):
                if record.searched_for:
                    st.markdown(f"{FROM_WEB} **{_lead(record, live=live, has_video=can_seek)}**")
                _sources(message.id, record)
                _prose(record)
                _failure(record, message.created_at)
        _from_own_documents(message.id, record, live=live)
        _without_web(record, can_seek=can_seek)
    _ended(message, record)
    with st.container(horizontal=True, vertical_alignment="center", key=f"do-{message.id}"):
        if can_seek:
            _moment_buttons(message.id, moments(record.text))
        if not live:
            _tools(message, record, context)
    if not live:
        return
    if record.fallback is not None and record.fallback.triggered:
        phase = WRITING if record.sources or record.failure else SEARCHING
    elif record.origin is not None:
        phase = "답이 충분한지 보고 있어요…"
    else:
        phase = WRITING if record.passages or record.text else "자막을 살펴보고 있어요…"
    kind = "written" if services.core().settings.openai_model else "quoted"  # by which its room is kept until it is there
    st.container(key=f"{kind}-{message.id}").markdown(f":shimmer[:small[{phase}]]")


def _video_part(record: AnswerRecord, *, can_seek: bool) -> None:
    if record.text.strip():
        by_model = record.origin is not AnswerOrigin.EXTRACT
        badge = FROM_VIDEO if can_seek else FROM_MODEL if by_model else ""  # without a video nothing is quoted
        st.markdown(f"{badge}\n\n{video_markdown(record, can_seek=can_seek)}")
        if record.origin is AnswerOrigin.MODEL and (doubtful := uncertain_moments(record)):
            moments = ", ".join(f"[{clock(at_s)}](#t={at_s})" if can_seek else clock(at_s) for at_s in doubtful)
            words = f"음성 인식이 불확실한 곳을 옮긴 답이에요({moments}). 영상에서 직접 들어 확인해 주세요."
            st.caption(f":orange[:material/hearing:] {words}")
    _notice(record)


def _lead(record: AnswerRecord, *, live: bool, has_video: bool) -> str:
    """Return how far the search of the web for an answer has come."""
    stopped = record.failure is not None and record.failure.failure is WebFailure.STOPPED
    if record.failure is not None and record.failure.web_away and not stopped:
        return "영상에서는 답을 찾지 못했고, 웹에는 물어보지 못했어요" if has_video else "웹에는 물어보지 못했어요"
    if live and not (record.sources or record.failure):
        return "영상에서는 답을 찾지 못해 웹에서 찾고 있어요" if has_video else "웹에서 찾고 있어요"
    if stopped or not (record.sources or record.failure):
        return "영상에서는 답을 찾지 못했고, 웹에서 찾는 중에 멈췄어요" if has_video else "웹에서 찾는 중에 멈췄어요"
    return "영상에서는 답을 찾지 못해 웹에서 찾아봤어요" if has_video else "웹에서 찾아봤어요"


def check(message: Message, context: MessageContext, *, live: bool) -> None:
    """Draw a check as far as it has come: sources, statements, prose, then the services asked."""
    record = message.record or AnswerRecord()
    st.markdown(f"{FROM_WEB} **{_title(message, record, live=live)}**")
    _sources(message.id, record)
    if record.comparison is not None:
        _comparison(message.id, record, can_seek=context.can_seek)
    by_model = record.web_origin is AnswerOrigin.MODEL or (live and services.core().settings.openai_model)
    if by_model or record.comparison is None or not record.comparison.rows:  # without a model it repeats what is compared
        _prose(record)
    _failure(record, message.created_at)
    _notice(record)
    _ended(message, record)
    if live:
        compared = "영상의 말과 비교하고 있어요…" if record.comparison is None else WRITING
        phase = SEARCHING if not record.sources else compared if record.pages else "찾은 글을 읽고 있어요…"
        st.container(key=f"written-{message.id}").markdown(f":shimmer[:small[{phase}]]")
        return
    _ledger(message.id, record)
    again = context.can_check and message.id == context.checks.get(message.about)
    if again and (record.failure is not None or message.state in (MessageState.FAILED, MessageState.STOPPED)):
        quiet("다시 확인", chat_state.check, message.about, key=f"check-again-{message.id}", icon="refresh")


def _title(message: Message, record: AnswerRecord, *, live: bool) -> str:
    """Return the title of a check: how far it is, or its result."""
    if live:
        return CHECKING if record.sources else SEARCHING
    if message.state is not MessageState.COMPLETE or record.failure is not None:
        return NOT_CHECKED
    if record.comparison is None:
        return CHECKED
    decided = any(row.stance is not Stance.CANNOT_TELL for row in record.comparison.rows)
    if decided:
        return CHECKED
    return f"웹에서 찾아봤지만 {'확인하지 못했어요' if record.comparison.rows else '비교할 말이 없었어요'}"


def _failure(record: AnswerRecord, since: datetime) -> None:
    """Say why the web gave no answer; if no service could be asked, say why each failed and whether to ask again soon.

    Pauses that are over, counted from *since*, are left out. No durations are given: they would be wrong a moment later.
    """
    if record.failure is not None:
        why, pause_s = record.failure.reason, record.failure.retry_after_s or 0.0
        again = AGAIN_SOON if (datetime.now(UTC) - since).total_seconds() < pause_s else ""
        reason = f"  \n:small[:gray[{md(f'{why} {again}'.strip(), 600)}]]" if why else ""
        st.markdown(f":orange[:material/cloud_off:] {md(record.failure.korean, 400)}{reason}")


def _sources(message_id: str, record: AnswerRecord) -> None:
    if record.sources:
        outcomes = {page.number: page for page in record.pages}
        label = f"출처 {len(record.sources)}곳"
        with st.expander(label, key=f"sources-{message_id}", type="compact", icon=":material/link:"):
            st.markdown("\n".join(_source(source, outcomes.get(source.number)) for source in record.sources))


def _prose(record: AnswerRecord) -> None:
    if record.web_text.strip():
        st.markdown("".join(with_sources(record.web_text, record.unsupported, record.sources)))


def _ledger(message_id: str, record: AnswerRecord) -> None:
    facts = [md(record.headline.rstrip(" ."), 200)] if record.headline else []
    if record.pages:
        facts.append(f"{len(record.pages)}쪽 중 {sum(not page.failure for page in record.pages)}쪽을 읽었어요")
    line = " · ".join(facts)
    run_page.coverage_fold(f"ledger-{message_id}", record.ledger, " · ".join(filter(None, (run_page.COVERAGE, line))))
    if line and not record.ledger:
        st.caption(line)


def _notice(record: AnswerRecord) -> None:
    if record.notice or not record.complete:
        st.markdown(f":orange[:material/info:] {md(record.notice, 300) or '답이 중간에 끊겼어요.'}")


def _ended(message: Message, record: AnswerRecord) -> None:
    if message.state is MessageState.STOPPED:
        rest = " 여기까지의 내용은 남겨 두었어요." if record.text or record.sources else ""
        words = f"{STOPPED[message.kind]}{rest}"
    elif record.error or message.state is MessageState.FAILED:
        words = md(record.error, 300) or "답을 만들다가 문제가 생겼어요. 다시 물어봐 주세요."
    else:
        return
    st.markdown(f":orange[:material/info:] {words}")


def _comparison(message_id: str, record: AnswerRecord, *, can_seek: bool) -> None:
    """Draw the result of the comparison, then a block for each statement."""
    comparison = record.comparison
    assert comparison is not None
    notes = [md(record.summary, 800), f":small[:gray[{RULES_ALONE}]]" if comparison.judged_by_rules_alone else ""]
    if any(notes):
        st.markdown("\n\n".join(filter(None, notes)))
    statements = weigh_statements(comparison)
    if statements:
        with st.container(key=f"stances-{message_id}"):
            for place, statement in enumerate(statements[:MAX_STATEMENTS]):
                with st.container(border=True, key=f"stance-{message_id}-{place}"):
                    _statement(f"{message_id}-{place}", statement, record, can_seek=can_seek)
            if len(statements) > MAX_STATEMENTS:
                st.caption(f"그 밖에 영상의 말 {len(statements) - MAX_STATEMENTS}개는 대화를 내보낸 파일에 있어요.")


def _statement(key: str, statement: WeighedStatement, record: AnswerRecord, *, can_seek: bool) -> None:
    """Draw the web's verdict on a statement and its strongest quotations, with the others in a fold."""
    sources = quotations(statement, record)
    shown = evidence.choose_strongest(sources, statement.verdict.stance)
    rest = [item for item in sources if item not in shown]
    head = f"{KINDS[statement.verdict.stance].badge} {md(statement.verdict.count, 400)}"
    evidence.pair(key, statement.statement, shown, head=head, moment="" if can_seek else clock(statement.moment_s))
    with st.container(horizontal=True, vertical_alignment="center", key=f"do-stance-{key}"):
        if can_seek:
            _moment_buttons(key, [int(statement.moment_s)])
        evidence.judges(key, sources)
    if rest:
        with st.expander(evidence.fold_label(shown, rest), key=f"others-{key}", type="compact", icon=":material/compare_arrows:"):
            st.markdown(evidence.others_markdown(rest))


def _moment_buttons(message_id: str, moments: Sequence[int]) -> None:
    for seconds in moments[:MAX_MOMENTS]:
        video_panel.moment_button(seconds, f"at-{message_id}-t{seconds}")


def _from_own_documents(message_id: str, record: AnswerRecord, *, live: bool) -> None:
    """Draw what own documents say, with buttons to open them once nothing is *live*, and whether a model received their text."""
    if record.own is None:
        return
    with st.container(key=f"own-{message_id}"):
        st.markdown(":violet-badge[:material/folder: 내 자료] **내 자료에서 찾은 내용이에요. 웹 검색 결과가 아니에요**")
        for document in record.own.documents:
            sample = " :gray-badge[예시]" if document.sample else ""
            if document.url.startswith(own_documents.PREFIX) and not live:  # a part that redraws itself would close the dialog
                label = f"{document.number}\\. :blue[{md(document.title or document.url, 140)}]{sample}"
                own_documents.title_button(label, document.url, f"title-{message_id}-{document.number}")
                st.markdown(f"“{md(document.quote, 400)}”")
            else:
                title = link(document.title or document.url, document.url, 140)
                st.markdown(f"{document.number}. {title}{sample}  \n   “{md(document.quote, 400)}”")
        st.caption(sent_to_model(record.own))


def _without_web(record: AnswerRecord, *, can_seek: bool) -> None:
    """Draw what a model adds to the first answer when the web gave none."""
    if record.without_web is not None:
        answer = record.without_web
        links = _moment_links(answer.text, can_seek=can_seek) | {str(number): "" for number in answer.cited}
        own = ", 내 자료" if record.own is not None and record.own.to_model else ""
        note = f"웹 대신 {'영상과 ' if can_seek else ''}대화{own}만으로 덧붙인 답이에요"
        marked = mark_unsupported(answer.text, answer.unsupported, links)
        st.markdown(f":gray-badge[:material/cloud_off: 웹 없이] **{note}**\n\n{marked}")


def _tools(message: Message, record: AnswerRecord, context: MessageContext) -> None:
    question_message = context.asked.get(message.id)
    question = question_message.text if question_message is not None else ""
    if question_message is not None and message.id != context.evidence_of:
        tip = "이 질문으로 찾은 결과를 여기에 다시 펼쳐요. 새로 검색하지 않아요."
        quiet("검색 결과 보기", address.show_again, question_message, key=f"show-list-{message.id}", icon="list", tip=tip)
    incomplete = message.state in (MessageState.FAILED, MessageState.STOPPED) or bool(record.error) or not record.complete
    if question and message.id == context.last_answer and (incomplete or record.failure is not None):
        tip = "같은 질문을 한 번 더 물어요"
        button("다시 묻기", asking.ask, question, key=f"retry-{message.id}", icon="refresh", tip=tip)
    may_check = context.can_check and message.id not in context.checks
    if may_check and message.state is MessageState.COMPLETE and record.text:
        about = f" :gray[· {md(question, 30)}]" if question.strip() else ""
        label, tip = f"온라인에서 확인{about}", "이 답을 웹의 자료와 비교해 봐요"
        button(label, chat_state.check, message.id, key=f"check-{message.id}", icon="language", tip=tip)


TOP_HEADING = 3
"""Heading level of a model's text; the pages' own titles are of the second."""
_MOMENT = re.compile(rf"\[({CLOCK})\]")
_CITATION = re.compile(r"(?P<head>\[\\\[(?P<number>\d{1,4})\\\]\]\([^()\s]+)\)|(?<!\[)\\\[(?P<bare>\d{1,4})\\\](?!\])")
"""A citation number in brackets, which ``safe_markdown`` turned into a link if its source has an address."""
_FLAG = "\u2042"
"""Marks the end of an unsupported sentence while a text is turned into Markdown."""
UNSUPPORTED = "출처에서 확인 안 됨"


def moments(text: str) -> tuple[int, ...]:
    """Return the moments that *text* cites, in seconds, in order, without duplicates."""
    return tuple(dict.fromkeys(int(clock_seconds(mark) or 0) for mark in _MOMENT.findall(text)))


def uncertain_moments(record: AnswerRecord) -> tuple[int, ...]:
    """Return the moments, in seconds, that the answer cites from passages with uncertain speech recognition."""
    doubtful = [segment for passage in record.passages for segment in passage.segments if segment.uncertain]
    cited = moments(record.text)
    return tuple(
        at for at in cited if any(int(segment.start_s) <= at < max(segment.end_s, segment.start_s + 1) for segment in doubtful)
    )


def video_markdown(record: AnswerRecord, *, can_seek: bool) -> str:
    """Return the answer from the video as Markdown, as far as it is written, with moments as links if there is a video."""
    return safe_markdown(record.text, _moment_links(record.text, can_seek=can_seek), top_heading=TOP_HEADING)


def _moment_links(text: str, *, can_seek: bool) -> dict[str, str]:
    return {mark: f"#t={int(clock_seconds(mark) or 0)}" if can_seek else "" for mark in _MOMENT.findall(text)}


def with_sources(
    text: str, unsupported: Sequence[tuple[int, int]], sources: Sequence[WebSource | ResearchSource]
) -> tuple[str, str]:
    """Return a model's *text* as Markdown with numbers linked to *sources*, and the note on *unsupported* sentences, if any.

    Each number has a tooltip with its source's title and text. The number of a document without a web address links to its entry
    in the list of sources.
    """
    markdown = mark_unsupported(text, unsupported, {str(source.number): source.url for source in sources})
    reason = f"‘{UNSUPPORTED}’이 붙은 문장은 근거를 출처의 글에서 찾지 못했어요."
    note = f"\n\n:small[:gray[{reason}]]" if unsupported and _FLAG not in text else ""
    tooltips = {source.number: f"{source.title} — {source.snippet}" for source in sources}

    def add_tooltip(cited: re.Match[str]) -> str:
        number = int(cited["number"] or cited["bare"])
        if number not in tooltips:
            return cited[0]
        head = cited["head"] or f"[{cited[0]}](#source-{number}"
        return f'{head} "{tooltip(tooltips[number])}")'

    return _CITATION.sub(add_tooltip, markdown), note


def mark_unsupported(text: str, unsupported: Sequence[tuple[int, int]], links: Mapping[str, str]) -> str:
    """Return a model's *text* as Markdown, with citation marks linked to *links* and *unsupported* sentences marked."""
    plain = text.replace(_FLAG, "")
    if len(plain) == len(text):  # otherwise the positions below would not match
        for end in sorted({end for _, end in unsupported}, reverse=True):
            plain = f"{plain[:end].rstrip()} {_FLAG}{plain[end:]}"
    return safe_markdown(plain, links, top_heading=TOP_HEADING).replace(_FLAG, f":orange-badge[{UNSUPPORTED}]")


def _source(source: WebSource, page: PageOutcome | None) -> str:
    """Return an entry of the list of sources: number, title, site, date, whether the page was read, and its text."""
    facts = [md(source.source, 60)] if source.source else []
    facts.append(date_text(source.publish_date))
    if page is not None and not page.failure:
        facts.append(":green[:material/check_circle: 본문을 읽었어요]")
    else:
        facts.append("요약만 봤어요" if page is None else "본문은 못 읽었어요")
    text = f"  \n   :small[{md(source.snippet, 300)}]" if source.snippet.strip() else ""
    return f"{source.number}. {link(source.title or source.url, source.url, 140)}  \n   :small[:gray[{' · '.join(facts)}]]{text}"


def quotations(statement: WeighedStatement, record: AnswerRecord) -> list[Evidence]:
    """Return what the sources of *record* say about *statement*; those that do not count come last."""
    read = {page.number: not page.failure for page in record.pages}
    sources = [
        ClaimSource(
            title=source.title,
            url=source.url,
            domain=source.source,
            publish_date=source.publish_date,
            read=read.get(source.number),
        )
        for source in record.sources
    ]
    items = evidence_of(statement.rows, sources, statement.verdict.stance)
    return [*items.web, *items.speakers]
