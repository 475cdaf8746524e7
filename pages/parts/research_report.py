"""The report of a run as it is written, its failures, its sources by site, and the next steps."""

from __future__ import annotations

import re

import streamlit as st

from pages.parts import chat_text, own_documents, video_panel
from pages.parts.escaping import clean, link, md
from pages.parts.page_session import page_session
from search_core.domain.research import SEARCH_FAILED, STOPPED_MARKER, CoverageKind, ResearchRun, ResearchSource, ResearchStatus
from search_core.presenting import points
from search_core.presenting.dates import date_text
from search_core.presenting.score_text import scored_by_words
from search_core.presenting.wording import count_sources

_WORDS = re.compile(r"^(?![#>\s]).", re.MULTILINE)
"""The beginning of a line that is no heading and no note over the report."""
SNIPPET_CHARS = 220
QUOTE_CHARS = 40
ADDRESS_CHARS = 60
NO_SITE = "사이트 모름"
COVERAGE = "검색 내역"


def report(run: ResearchRun, *, live: bool) -> None:
    """Draw the report as far as it is written, with linked citation numbers and unsupported sentences marked."""
    notes = [md(run.report_note, 300)] if run.report_note and not run.report.startswith(">") else []  # that report has it
    if run.own_sent is not None:
        notes.append("내 자료도 AI 모델에 보냈어요." if run.own_sent else "내 자료는 AI 모델에 보내지 않았어요.")
    note = f"  \n:small[:gray[{' '.join(notes)}]]" if notes else ""
    if live or says_something(run):
        st.markdown(f"**보고서**{note}")
    box = st.error if run.status is ResearchStatus.FAILED else st.warning  # failures that were overcome only warn
    for korean in dict.fromkeys(failure.korean for failure in run.failures if failure.kind != SEARCH_FAILED):
        box(md(korean, 400), icon=":material/error:")
    if says_something(run):
        written, held = chat_text.with_sources(run.shown_report, run.unsupported, run.sources)
        with st.container(key=f"report-text-{run.id}"):
            st.markdown(f"{written}{held}")
    elif live:
        st.caption("자료를 모으는 대로 여기에 보고서를 써요.")
        for _ in range(3):
            st.skeleton(height=56)


def says_something(run: ResearchRun) -> bool:
    """Return whether there is report text besides headings and the mark of a stop."""
    return _WORDS.search(run.report.replace(STOPPED_MARKER, "")) is not None


def is_written(run: ResearchRun) -> bool:
    """Return whether there is a report from sources, not just an explanation of why there is none."""
    return bool(run.sources) and says_something(run)


def coverage(run: ResearchRun) -> str:
    """Return the coverage of the run as a Markdown list, each service under its subtask."""
    return "\n".join(f"{'  ' * (line.kind is CoverageKind.SERVICE)}- {md(line.text, 400)}" for line in run.coverage_lines)


def sources(run: ResearchRun, *, live: bool) -> None:
    """Draw in a fold the sources of *run* by site, the most relevant first; clicking a moment moves the video."""
    if not run.sources:
        return
    from search_core.research import by_domain  # loaded by now: the run came through it

    key, count = f"found-{run.id}", count_sources(len(run.sources), sum(source.own for source in run.sources))
    with st.expander(count, key=key, type="compact", icon=":material/link:", on_change="rerun") as panel:
        if not panel.open:
            return
        if by_words := scored_by_words(run.plan):
            st.caption(by_words)
        for domain, own in by_domain(run.sources).items():
            st.markdown(f":small[**{md(domain, 80) or NO_SITE}** :gray[{len(own)}]]")
            for source in own:
                _source(run, source, live=live)


def _source(run: ResearchRun, source: ResearchSource, *, live: bool) -> None:
    key = f"source-{run.id}-{source.number}"
    with st.container(key=key):
        title, *below = _lines(source)
        if source.url.startswith(own_documents.PREFIX) and not live:  # a part that redraws itself would close the dialog
            label = f"{source.number}\\. :blue[{md(source.title or source.url, 200)}]"
            own_documents.title_button(label, source.url, f"title-{key}")
            st.markdown("  \n".join(below))
        else:
            st.markdown("  \n".join((title, *below)))
        if source.moment is not None:
            quote, start_s = md(source.moment.text, QUOTE_CHARS), source.moment.start_s
            video_panel.moment_button(start_s, f"moment-{key}", quote=quote, disabled=page_session().video is None)


def _lines(source: ResearchSource) -> list[str]:
    """Return the facts about a source as lines of Markdown, first its number and title."""
    shown = "" if source.own else source.url.split("://", 1)[-1].removeprefix("www.").rstrip("/")
    score = points(source.relevance_score)
    facts = [
        md(shown, ADDRESS_CHARS),
        date_text(source.publish_date),
        f"관련도 {score}" if score is not None else "",
        _reading(source),
    ]
    title = link(clean(source.title, 200) or clean(source.url, 120), source.url)
    lines = [f"{source.number}\\. {title}", f":small[:gray[{' · '.join(filter(None, facts))}]]"]
    return [*lines, f":small[{md(source.snippet, SNIPPET_CHARS)}]"] if source.snippet.strip() else lines


def _reading(source: ResearchSource) -> str:
    if source.reading:
        return "읽는 중…"
    if source.read is None:
        return "요약만 봤어요"
    if source.read:
        return ":green[:material/check_circle: 본문을 읽었어요]"
    from search_core.research import unread_reason  # loaded by now: the run came through it

    return f":orange[본문은 못 읽었어요 ({unread_reason(source.failure)})]"
