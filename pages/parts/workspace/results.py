"""The results as cards, with reasons, hidden results and services asked; a moved control redraws only them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import wait
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.shared import buttons, frame, own_documents, run_page, services
from pages.parts.shared.buttons import line
from pages.parts.shared.escaping import clean, link, md
from pages.parts.shared.page_session import AnswerLineWork, page_session
from pages.parts.workspace import controls, outcomes, query_chips, result_labels, search_actions, video_panel
from search_core.domain.report import AnswerLine, ReportOutcome, SearchReport
from search_core.domain.result import SearchResult
from search_core.domain.video import TranscriptPassage
from search_core.language.dates import clock
from search_core.language.sentences import shorten
from search_core.runtime import run_in_thread
from search_core.search.presenting.dates import is_recent, korean_date, published, recent_day_in
from search_core.search.presenting.formatter import LATE, SAMPLE, Section, hidden_sections, origin_of, own_korean, sections
from search_core.search.presenting.ledger import NOBODY, hidden_line, ledger, not_asked_line, writing_line
from search_core.search.presenting.score_text import BY_WORDS, hidden_because, main_reason, part_values, points

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

PAGE_SIZE = 10
"""Cards drawn at once; fifty would take a second."""
HIDDEN = "h"
"""Begins the keys of hidden results."""
SNIPPET_CHARS = 160
BAR = 8
"""Blocks of a full bar."""
SCENES, WEB, OWN = "영상 장면", "웹 결과", "내 자료"


def evidence(scenes: Sequence[TranscriptPassage] | None = None, *, due: bool = False) -> None:
    """Draw the progress of the search and its results, beside the relevant *scenes* of the video, which may still be *due*."""
    session = page_session()
    scenes = scenes if session.video is not None and session.lines else None
    if session.error and not session.searching:
        st.error(md(session.error), icon=":material/error:")
    above = st.container(key="above-list")
    if session.searching:  # the earlier list goes first and its replacement comes last, so that nothing moves
        results(scenes, due=due)
    with above:
        search_actions.progress()
    if not session.searching:
        results(scenes, due=due)


def has_list() -> bool:
    """Return whether the page has a result list, expects one, or explains why there is none."""
    session = page_session()
    return session.report is not None or session.searching or bool(session.error)


def gone(scenes: Sequence[TranscriptPassage]) -> None:
    """Say that a question's list is no longer stored and offer to search again; its *scenes* are still shown."""
    with st.container(horizontal=True, vertical_alignment="center", border=True, key="list-gone"):
        st.markdown(":material/history: 이 질문으로 찾은 결과는 이제 보관하고 있지 않아요.", width="stretch")
        st.button("다시 검색", key="search-again", icon=":material/refresh:", on_click=search_actions.again)
    if page_session().lines:
        _scenes(scenes)


@st.fragment(key="results")
def results(scenes: Sequence[TranscriptPassage] | None, *, due: bool) -> None:
    """Draw the sidebar controls and the results arranged by them."""
    session, ranking = page_session(), controls.ranking()
    result_labels.store_search()
    report = services.core().arrange(session.report, ranking) if session.report is not None else None
    with st.sidebar:
        controls.sidebar(report)
    with st.container(key="list"):
        # Streamlit keeps what a container showed until the run ends, so another search's results are removed at once.
        another = report is None or session.drawn != session.report_of
        place = st.empty() if another else st
        session.drawn = session.report_of
        if report is not None:
            with place.container(key="earlier" if session.searching else "found"):
                _report(report, scenes, due=due)
    _announce_results(report)


def _report(report: SearchReport, scenes: Sequence[TranscriptPassage] | None, *, due: bool) -> None:
    session, ended = page_session(), not report.waiting
    query_chips.strip(report.constructed)
    if ended:
        if not session.early:
            outcomes.notes(report)
        outcomes.above_list(report)
    if report.web_results:
        answer_line(report)
    _tabs(report, scenes, due=due)
    if due or not ended:  # the outcome below would be pushed down by what is still to come
        return
    if session.early:
        outcomes.notes(report)
    if report.hidden:
        _hidden(report)
    _ledger(report)
    with st.popover(buttons.EXPORT, icon=":material/download:", type="tertiary", key="export"):
        core, formats = services.core(), ("markdown", "html", "csv", "json")
        buttons.download_buttons(formats, lambda name: core.export(report, name), "maekrak", report.created_at, key="export")


def _tabs(report: SearchReport, scenes: Sequence[TranscriptPassage] | None, *, due: bool) -> None:
    """Draw the evidence in tabs (scenes of the video, results of the web, own documents); empty tabs are left out."""
    of_web = report.web_wanted or not report.own_results
    names = [SCENES] * (scenes is not None) + [WEB] * of_web + [OWN] * bool(report.own_results)
    web = report.web_results or report.waiting
    first = WEB if web or len(names) == 1 else OWN if report.own_results else SCENES
    places: dict[str, DeltaGenerator] = {}
    if len(names) > 1:
        key = f"found-tabs-{page_session().report_of}-{names.index(first)}-{len(names)}"
        places.update(zip(names, st.tabs(names, default=first, key=key), strict=True))
    else:
        places.update({name: st.container() for name in names})
    if scenes is not None:
        with places[SCENES]:
            if due:
                search_actions.awaited_cards()
            else:
                _scenes(scenes)
    if of_web:
        with places[WEB]:
            _web(report)
    if report.own_results:
        with places[OWN]:
            _own_heading(report.own_results)
            _cards(report, [part for part in sections(report.results) if part.own], prefix="doc-")


def _scenes(scenes: Sequence[TranscriptPassage]) -> None:
    if not scenes:
        st.caption("자막에서 질문과 가까운 곳을 아직 찾지 못했어요.")
    for place, passage in enumerate(scenes[:4]):
        label = f":gray[{clock(passage.start_s)}]  {md(passage.text, SNIPPET_CHARS)}"
        line(label, video_panel.seek, passage.start_s, key=f"scene-{place}")


def _web(report: SearchReport) -> None:
    parts = sections(report.results)
    first = [part for part in parts if not part.own and not part.late]
    if report.waiting and report.web_wanted and not any(not entry.own for entry in (*report.results, *report.hidden)):
        search_actions.awaited_cards()
    else:
        _head_line(report)
        _cards(report, first)
    for part in parts:
        if part.late:
            _cards(report, [part], prefix="late-", after=sum(len(entry.results) for entry in first))


def _hidden(report: SearchReport) -> None:
    with st.expander(hidden_line(report), key="hidden", icon=":material/visibility_off:", on_change="rerun") as panel:
        if panel.open:
            st.caption("점수가 높은 순서예요. 무엇 때문에 숨겼는지 하나하나에 적어 두었어요.")
            _cards(report, hidden_sections(report.hidden), prefix=HIDDEN, after=len(report.web_results))


def _head_line(report: SearchReport) -> None:
    own = len(report.own_results)
    facts = []
    if report.web_wanted and not report.web_unavailable:
        facts.append(f"**{len(report.web_results)}건**")
    asked_alone = not report.web_wanted and report.outcome is not ReportOutcome.COULD_NOT_ASK
    if facts if own else asked_alone:  # without web results their heading counts them
        facts.append(f"내 자료 **{own}건**")
    for name, of_own in (("숨김", False), ("숨긴 내 자료", True)):
        if count := sum(result.own is of_own for result in report.hidden):
            facts.append(f"{name} {count}")
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="list-head"):
        if facts:
            st.caption(" · ".join(facts), width="content")
        if report.scorer == BY_WORDS and services.core().scorer().state in ("loading", "ready"):
            st.caption("의미 모델이 늦어져서 이번에는 단어로 채점했어요.", width="content")


def _cards(report: SearchReport, parts: Sequence[Section], *, prefix: str = "", after: int = 0) -> None:
    """Draw one page of the results in *parts*, numbered on from earlier ones; *prefix* distinguishes their widgets."""
    count, hidden = sum(len(part.results) for part in parts), prefix == HIDDEN
    key = f"{prefix}page-{count}-{page_session().report_of}"  # another list starts at its first page
    first, place = frame.first_on_page(key, PAGE_SIZE), 0
    moments: set[float] = set()
    own_after = (len(report.own_results) if hidden else 0) - sum(len(part.results) for part in parts if not part.own)
    for part in parts:
        on_page = range(max(first, place), min(first + PAGE_SIZE, place + len(part.results)))
        line_above = f"**{LATE} {len(part.results)}건**" if part.late else "**내 자료**" if hidden and part.own else ""
        if on_page and line_above:
            with st.container(key=f"section-line-{prefix}{place}"):
                st.markdown(line_above)
        for number in on_page:
            shown = f"자료 {own_after + number + 1}" if part.own else f"{after + number + 1}"
            _card(report, part.results[number - place], shown, f"{prefix}{number + 1}", hidden=hidden, moments=moments)
        place += len(part.results)
    frame.pages(key, count, PAGE_SIZE)


def _own_heading(documents: Sequence[SearchResult]) -> None:
    """Draw the heading of own documents, which says whether a language model receives their text."""
    settings, samples = services.core().settings, sum(result.sample for result in documents)
    sent = "외국어 문서는 한국어로 요약하려고 언어 모델에도 보내요."
    if not settings.may_send_own_documents:
        sent = "문서의 글은 언어 모델에 보내지 않아요."
    place = "이 앱에 넣어 둔 문서" if not samples else "맥락에 들어 있는 예시 문서"
    if 0 < samples < len(documents):
        place = "이 앱에 넣어 둔 문서와 예시 문서"
    st.markdown(f"## :material/folder_open: 내 자료에서 {len(documents)}건", anchors=False)
    st.caption(f"웹이 아니라, {place}에서 찾았어요. {sent if settings.openai_model else ''}".rstrip())


def _ledger(report: SearchReport) -> None:
    labels = services.core().provider_labels()
    lines = ledger(report.replies, labels)
    answered = [line.answered for line in lines if line.reply.web]
    summary = f"웹 검색 {len(answered)}곳 중 {sum(answered)}곳 응답" if answered else ""
    words = (run_page.COVERAGE, summary, f"{report.elapsed_ms / 1000:.1f}초")
    with st.expander(" · ".join(filter(None, words)), key="ledger", on_change="rerun", icon=":material/fact_check:") as panel:
        if panel.open:
            web = [line.korean for line in lines if line.reply.web] or [f"{NOBODY}."] * report.web_wanted
            web += filter(None, [not_asked_line(report, labels)])
            for title, entries in (
                ("**웹 검색 서비스**", web),
                ("**내 자료** (웹이 아니에요)", [line.text for line in lines if not line.reply.web]),
                ("**언어 모델**", list(filter(None, [writing_line(report.written)]))),
            ):
                if entries:
                    st.markdown("\n".join([title, "", *(f"- {md(text)}" for text in entries)]))


def _card(report: SearchReport, result: SearchResult, number: str, key: str, *, hidden: bool, moments: set[float]) -> None:
    """Draw *result* of *report* and, if it is *hidden*, the reason; *key* distinguishes its widgets.

    *moments* has the moments that earlier cards quoted; this card's is added to it.
    """
    names = services.core().provider_labels()
    with st.container(border=True, key=f"card-{key}"):
        with st.container(horizontal=True, wrap=False, vertical_alignment="top"):
            _title(result, number, key)
            _score(result)
        because = f":orange-badge[{hidden_because(result, report.options.ranking)}] " if hidden else ""
        st.markdown(f"{because}{_meta(result, names)}")
        if result.summary or result.snippet:
            shown = clean(result.summary or shorten(result.snippet, SNIPPET_CHARS), 300)
            st.text("\n".join([shown, *map(clean, own_korean(result, shown) if result.summary else ())]))
        with st.container(horizontal=True, vertical_alignment="center"):
            if result.moment is not None and page_session().video is not None:
                at = result.moment.start_s
                quote = "" if at in moments else md(result.moment.text, 34)
                moments.add(at)
                video_panel.moment_button(at, f"moment-{key}", quote=quote)
            result_labels.choice(result, f"내 {number}" if result.own else f"{number}번 결과")
        with st.expander("점수 근거", key=f"why-{key}", type="compact", on_change="rerun", icon=":material/help:") as why:
            if why.open:  # below what it explains, and not over it
                _explanation(result, names)


def _title(result: SearchResult, number: str, key: str) -> None:
    title = clean(result.title, 200) or clean(result.url, 120)
    if result.url.startswith(own_documents.PREFIX):
        own_documents.title_button(f"{number}\\. :blue[{md(title)}]", result.url, f"title-{key}")
        return
    with st.container(key=f"heading-{key}"):
        st.markdown(f"{number}\\. {link(title, result.url)}")


def _score(result: SearchResult) -> None:
    score = points(result.relevance_score)
    if score is None:
        st.badge("점수 없음", color="gray")
    else:
        st.progress(score, text=f"**{score}**", width=72)


def _meta(result: SearchResult, names: Mapping[str, str]) -> str:
    facts = [md(result.source, 60)] if result.source else []
    if result.providers:
        first = md(names.get(result.providers[0], result.providers[0]), 30)
        others = len(result.providers) - 1
        facts += [f"{first} 외 {others}곳"] if others else [first] if first not in facts else []
    if result.publish_date is not None:
        when = published(result.publish_date)
        facts.append(f":green-badge[🆕 {when}]" if is_recent(result.publish_date) else when)
    if not is_recent(result.publish_date) and (newest_day := recent_day_in(result.snippet)) is not None:
        facts.append(f":green-badge[🆕 본문 {published(newest_day)}]")
    badges = [f":violet-badge[{SAMPLE}]"] if result.sample else []
    badges += [f":blue-badge[{md(name, 24)}]" for name in result.entity_matches[:3]]
    if result.summary:
        badges.append(f":gray-badge[{origin_of(result)}]")
    return f":small[:gray[{' · '.join(facts)}]] {' '.join(badges)}"


def _explanation(result: SearchResult, names: Mapping[str, str]) -> None:
    if result.parts is None:
        st.caption("이번에는 관련도를 재지 못해서 검색 서비스가 준 순서대로 보여드려요.")
    else:
        st.markdown(main_reason(result))
        st.markdown("\n".join(["| 근거 | 값 |\n|:--|:--|", *(_row(name, value) for name, value in part_values(result))]))
    facts = []
    if result.entity_matches:
        facts.append(f"영상에서 나온 이름: {', '.join(md(name, 40) for name in result.entity_matches[:8])}")
    if result.ranks:
        places = (f"{md(names.get(name, name), 30)} {place}위" for name, place in result.ranks)
        facts.append(f"본 곳: {', '.join(places)}")
    if result.publish_date is not None:
        facts.append(f"날짜: {korean_date(result.publish_date)}")
    if facts:
        st.caption("\n\n".join(facts))
    if result.summary and result.snippet:
        st.text(f"원문: {clean(result.snippet, 400)}")


def _row(name: str, value: float) -> str:
    full = round(max(0.0, min(1.0, value)) * BAR)
    return f"| {name} | :primary[{'■' * full}]:gray[{'□' * (BAR - full)}] |"


def _announce_results(report: SearchReport | None) -> None:
    if report is None or page_session().job is not None:
        frame.announce("search-", "")
        return
    counts = (("결과 {count}건이 나왔어요.", report.web_results), ("내 자료에서 {count}건이 나왔어요.", report.own_results))
    sentences = (words.format(count=len(results)) for words, results in counts if results)
    why_nothing = "웹 검색 결과를 가져오지 못했어요." if report.web_unavailable else outcomes.reason(report)
    frame.announce(f"search-{page_session().report_of}", " ".join(filter(None, (why_nothing, *sentences))))


AT_ONCE_S = 0.3
"""An answer line found within this is drawn with the results; for a later one space is kept, so that nothing moves."""
POLL_S = 0.4


def answer_line(report: SearchReport) -> None:
    """Draw the sentence that surely answers, if any; *report* is arranged by the controls."""
    session = page_session()
    if session.report is None:
        return
    searched = replace(session.report, results=tuple(result for result in session.report.results if not result.late))
    if session.answer is None or not _says_the_same(session.answer.report, searched):
        outcome = run_in_thread(partial(services.core().answer_line, searched), "maekrak-beside-page")
        session.answer = AnswerLineWork(searched, outcome, late=not wait([outcome], timeout=AT_ONCE_S).done)
    work = session.answer
    with st.container(key="answer-line-late" if work.late else "answer-line"):
        if not work.outcome.done():
            st.fragment(_await, run_every=POLL_S)()
        elif not _draw(work.outcome.result(), report) and work.late:
            st.caption("웹 결과에서는 질문에 바로 답하는 문장을 찾지 못했어요.")


def _says_the_same(earlier: SearchReport, report: SearchReport) -> bool:
    """Return whether both reports have the same results with the same scores, whatever their summaries."""
    quoted = ([(result.url, result.relevance_score) for result in one.results] for one in (earlier, report))
    return earlier.question is report.question and next(quoted) == next(quoted)


def _await() -> None:
    work = page_session().answer
    if work is None or work.outcome.done():
        st.rerun()
    st.caption("결과에서 답이 되는 문장을 찾고 있어요.")


def _draw(line: AnswerLine | None, report: SearchReport) -> bool:
    """Draw the answer line if its result is on the page, and return whether it was drawn."""
    names = {result.url: f"{number}번 결과" for number, result in enumerate(report.web_results, start=1)}
    names |= {result.url: f"자료 {number}번" for number, result in enumerate(report.own_results, start=1)}
    if line is None or line.url not in names:
        return False
    st.markdown(f"**{md(line.sentence, 200)}**  \n:small[:gray[{names[line.url]}에서 그대로 옮긴 문장 · {md(line.source, 60)}]]")
    return True
