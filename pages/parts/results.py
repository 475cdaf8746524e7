"""The list of results with its head line, what is hidden, and who was asked; redrawn alone when a control moves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from pages.parts import controls, labels, live_region, outcomes, profile_choice, question_box, result_labels, services
from pages.parts.card import card
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.progress import provider_labels
from search_core.domain import RankingOptions, SearchReport, SearchResult
from search_core.presenting import Section, hidden_counts, sections, threshold_points

PAGE_SIZE = 10
"""Cards drawn at once; fifty of them would cost every visitor a second."""
HIDDEN_OPEN_KEY = "hidden-open"


@st.fragment(key="results")
def results() -> None:
    """Draw the sidebar controls and, below the question, the results placed as the controls stand."""
    session, ranking = page_session(), controls.ranking()
    if session.placed != ranking:
        session.placed = ranking
        if session.newer is not None:  # the visitor has the list placed anew: nothing has to wait any longer
            session.show_newer()
            st.rerun()
    result_labels.store_search()
    report, left_out = controls.place_results(session.report) if session.report is not None else (None, 0)
    with st.sidebar:
        profile_choice.choice()
        controls.sidebar(report)
    with st.container(key="earlier" if session.searching else "found"):
        if report is not None:
            _report(report, left_out)
    live_region.announce_results(report)


def _report(report: SearchReport, left_out: int) -> None:
    latest = page_session().newer or report
    question_box.chips(report.constructed)
    _head_line(report, latest)
    if not latest.waiting:  # before all have answered it is not known what is missing
        outcomes.notes(report, latest)
    if left_out:
        st.caption(labels.LEFT_OUT.format(count=left_out))
    if not report.waiting:
        outcomes.above_list(report)
    _cards(report, hidden=False)
    if report.hidden:
        _hidden(report)
    _ledger(latest)


def _hidden(report: SearchReport) -> None:
    label = labels.HIDDEN.format(count=len(report.hidden))
    key = f"hidden-{len(report.hidden)}"  # a new label makes a new panel: whether it is open is stored apart from it
    panel = st.expander(
        label,
        expanded=bool(st.session_state.get(HIDDEN_OPEN_KEY)),
        key=key,
        icon=":material/visibility_off:",
        on_change=_note_open,
        args=(key,),
    )
    if panel.open:
        with panel:
            st.caption(labels.HIDDEN_NOTE)
            _cards(report, hidden=True)


def _note_open(key: str) -> None:
    """Remember whether the panel is open; the one that was clicked may be gone meanwhile, for another of the same kind."""
    state = st.session_state
    state[HIDDEN_OPEN_KEY] = bool(state.get(key, not state.get(HIDDEN_OPEN_KEY)))


def _head_line(report: SearchReport, latest: SearchReport) -> None:
    """Say how many results are in sight, and of the *latest* report of their search how far that is."""
    own = len(report.own_results)
    facts = [labels.WEB_AWAY] if report.web_unavailable else []
    if report.web_wanted and not report.web_unavailable:
        facts.append(labels.COUNT.format(count=len(report.web_results)))
    if own or not report.web_wanted:
        facts.append(labels.OWN_COUNT.format(count=own))
    if report.hidden:
        facts.append(labels.HIDDEN_COUNT.format(count=len(report.hidden), reasons=hidden_counts(report)))
    facts.append(labels.SECONDS.format(seconds=latest.elapsed_ms / 1000))
    if latest.waiting and page_session().has_partial_results:
        facts.append(labels.STILL_WAITING.format(count=len(latest.waiting)))
    elif web := [line for line in services.core().ledger(latest) if line.web]:
        facts.append(labels.ANSWERED.format(asked=len(web), answered=sum(line.answered for line in web)))
    st.markdown(" · ".join(facts))


def _cards(report: SearchReport, *, hidden: bool) -> None:
    """Draw a page of the shown or of the hidden results; the hidden ones are numbered on after the shown."""
    ranking = report.options.ranking
    listed = report.hidden if hidden else report.results
    prefix, after = ("h", len(report.results)) if hidden else ("", 0)
    pages = math.ceil(len(listed) / PAGE_SIZE)
    key = f"{prefix}page-{len(listed)}-{report.created_at}"  # another list starts at its first page
    first = (int(st.session_state.get(key) or 1) - 1) * PAGE_SIZE
    names, place, headed = provider_labels(), 0, False
    for section in sections(listed, entity_first=ranking.entity_first and not hidden):
        on_page = range(max(first, place), min(first + PAGE_SIZE, place + len(section.results)))
        if on_page and section.own and not headed:
            headed = True
            _own_heading(sum(result.own for result in listed))
        if on_page and section.line:
            _section_line(section, f"{prefix}{place}")
        for number in on_page:
            at = number - place
            if hidden and _crosses_threshold(section.results, at, ranking):
                _threshold_line(ranking, f"{prefix}{number}")
            card(
                section.results[at],
                after + number + 1,
                key=f"{prefix}{number + 1}",
                names=names,
                ranking=ranking,
                hidden=hidden,
            )
        place += len(section.results)
    if pages > 1:
        st.pagination(pages, key=key)


def _crosses_threshold(results: Sequence[SearchResult], place: int, ranking: RankingOptions) -> bool:
    """Return whether the threshold runs right above the result at *place*."""
    before = place == 0 or ranking.passes(results[place - 1].relevance_score)
    return before and not ranking.passes(results[place].relevance_score)


def _threshold_line(ranking: RankingOptions, key: str) -> None:
    with st.container(key=f"threshold-line-{key}"):
        st.caption(labels.THRESHOLD_LINE.format(points=threshold_points(ranking.threshold)))


def _section_line(section: Section, key: str) -> None:
    with st.container(key=f"section-line-{key}"):
        st.markdown(f"**{labels.SECTION_LINE.format(line=section.line, count=len(section.results))}**")


def _own_heading(count: int) -> None:
    """Draw the heading over documents of the library, which says whether a language model is sent any of their text."""
    settings = services.core().settings
    sent = labels.OWN_SENT if settings.may_send_own_documents else labels.OWN_NOT_SENT
    st.markdown(f"## {labels.OWN_HEADING.format(count=count)}", anchors=False)
    st.caption(f"{labels.OWN_NOTE} {sent}" if settings.openai_model else labels.OWN_NOTE)


def _ledger(report: SearchReport) -> None:
    panel = st.expander(labels.LEDGER, key="ledger", on_change="rerun", icon=":material/fact_check:")
    if panel.open:
        with panel:
            lines = services.core().ledger(report)
            web = [line.korean for line in lines if line.web] or [labels.LEDGER_NOBODY] * report.web_wanted
            web += filter(None, [services.core().not_asked(report)])
            for title, entries in (
                (labels.LEDGER_WEB, web),
                (labels.LEDGER_OWN, [line.text for line in lines if not line.web]),
            ):
                if entries:
                    st.markdown("\n".join([title, "", *(f"- {md(text)}" for text in entries)]))
