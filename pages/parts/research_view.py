"""A run on the page: how far it is, its plan, its report, its sources; drawn anew by itself until it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import streamlit as st

from pages.parts import (
    frame,
    plan_editor,
    research_labels,
    research_plan,
    research_report,
    research_sources,
    research_state,
)
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from search_core.domain import ResearchEntry, ResearchRun, ResearchStatus
from search_core.presenting import korean_date
from search_core.presenting.wording import count_sources

POLL_S = 0.5
POLL_PLAN_S = 2.0
"""A plan that waits changes only when it is agreed to in another tab."""
NAMED_DOMAINS = 3


def view(run: ResearchRun, entries: Sequence[ResearchEntry]) -> None:
    """Draw *run*; *entries* are the runs of the visitor, newest first."""
    with st.container(horizontal=True, vertical_alignment="center", key="research-title"):
        st.markdown(f"## {md(run.request.question, 500)}", anchors=False, width="stretch")
        if run.request.conversation_id:
            st.page_link(
                "pages/chat.py",
                label=research_labels.FROM_CHAT,
                icon=":material/forum:",
                query_params={"chat": run.request.conversation_id},
            )
    _announce(run)
    if run.status.ended:
        research_report.changes(run, research_state.earlier(run, tuple(entries)))
    # A container of its own: a page under load would otherwise lose what stands after a part that redraws itself.
    with st.container(key="run"):
        if run.status is ResearchStatus.PLANNED:
            st.fragment(_watch_plan, run_every=POLL_PLAN_S)(run.id)
        elif not run.status.ended:
            st.fragment(_draw_live, run_every=POLL_S)(run.id)
        else:
            _draw(run, live=False)
    if run.status is ResearchStatus.PLANNED:
        plan_editor.waiting_plan(run)
    elif run.status.ended:
        research_report.after(run)


def _announce(run: ResearchRun) -> None:
    """Announce to screen-reader users that a run they watched has ended."""
    page = research_state.research_page()
    if not run.status.ended:
        page.awaited = True
    elif page.awaited:
        page.awaited = False
        page.announced = run.id
    frame.announce(f"run-{page.announced}", research_labels.ANNOUNCED if page.announced else "")


def _watch_plan(run_id: str) -> None:
    """Draw the page anew when the plan waits no more."""
    run = research_state.research_page().find(run_id)
    if run is None or run.status is not ResearchStatus.PLANNED:
        st.rerun()


def _draw_live(run_id: str) -> None:
    """Draw a run under way; the whole page anew when it has ended or waits for the visitor."""
    run = research_state.research_page().find(run_id)
    if run is None or run.status.ended or run.status is ResearchStatus.PLANNED:
        st.rerun()
        return
    _draw(run, live=True)


def _draw(run: ResearchRun, *, live: bool) -> None:
    with st.container(border=True, key="research-status"):
        if live:
            _progress(run)
        else:
            _end(run)
    plan, report = st.columns([1, 1.75], gap="medium")
    with plan, st.container(key="plan"):
        research_plan.plan(run, live=live)
    with report, st.container(key="report"):
        research_report.report(run, live=live, contents=not live)
    with st.container(key="research-sources"):
        research_sources.sources(run, live=live, can_seek=page_session().video is not None)


def _progress(run: ResearchRun) -> None:
    message = research_labels.QUEUED if run.status is ResearchStatus.QUEUED else run.message
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch", key="research-now"):
            st.markdown(f":shimmer[**{md(message, 200)}**]  \n:small[:gray[{facts(run)}]]")
        st.button(
            research_labels.FINISH,
            key="finish-research",
            icon=":material/task_alt:",
            help=research_labels.FINISH_HELP,
            disabled=run.status is ResearchStatus.WRITING,
            on_click=research_state.finish,
        )
        st.button(
            research_labels.STOP,
            key="stop-research",
            icon=":material/stop_circle:",
            help=research_labels.STOP_HELP,
            on_click=research_state.stop,
        )


def ending(run: ResearchRun) -> str:
    """Return how a run ended and under it what it found, own documents counted apart, as Markdown."""
    facts = [korean_date(run.created_at), *_found(run)]
    facts += [research_labels.OWN_ONLY_FACT] if run.request.own_only else []
    end = research_labels.SEARCH_FAILED if run.search_failed else research_labels.ENDS[run.status]
    if run.status is ResearchStatus.FINISHED_EARLY and not run.sources:
        end = research_labels.FINISHED_EMPTY
    return f"**{end}**  \n:small[:gray[{' · '.join(facts)}]]"


def _end(run: ResearchRun) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch", key="research-now"):
            st.markdown(ending(run))
        if run.search_failed:
            _after_failed_search(run)
        else:
            _after(run)
    left = [f"{part.number}. {md(part.text, 120)}" for part in run.plan if part.number in run.unanswered]
    if left:
        st.markdown(f":small[:orange[{research_labels.UNANSWERED.format(parts=' / '.join(left))}]]")


def _after_failed_search(run: ResearchRun) -> None:
    """Offer to ask the web once more, or to do without it."""
    _go_on(run, research_labels.SEARCH_AGAIN, research_labels.SEARCH_AGAIN_HELP, ":material/refresh:")
    st.button(
        research_labels.OWN_ONLY,
        key="research-own-documents",
        icon=":material/folder_open:",
        help=research_labels.OWN_ONLY_HELP,
        on_click=research_state.resume,
        args=(run.id,),
        kwargs={"own_only": True},
    )


def _go_on(run: ResearchRun, label: str, about: str, icon: str) -> None:
    st.button(label, key="resume-research", icon=icon, type="primary", help=about, on_click=research_state.resume, args=(run.id,))


def _after(run: ResearchRun) -> None:
    """Offer to go on with a run that did not come to its end, and to ask anew."""
    if run.status is not ResearchStatus.COMPLETE:
        _go_on(run, research_labels.RESUME, research_labels.RESUME_HELP, ":material/play_arrow:")
    st.button(
        research_labels.AGAIN_ON_THE_WEB if run.request.own_only else research_labels.AGAIN,
        key="research-again",
        icon=":material/refresh:",
        help=research_labels.AGAIN_HELP,
        on_click=research_state.again,
        args=(run,),
    )


def facts(run: ResearchRun) -> str:
    """Return for how long a run has gone on and what it has found, as Markdown."""
    return " · ".join((elapsed((datetime.now(UTC) - run.created_at).total_seconds()), *_found(run)))


def _found(run: ResearchRun) -> list[str]:
    """Return how many sources there are by now, over how many sites, and apart from them own documents, as Markdown."""
    own = sum(source.own for source in run.sources) if run.sources else run.count - sum(run.domains.values())
    web = [count_sources(run.count - own, 0)] if run.count > own or not own else []
    return [*web, *([spread(run.domains)] if run.domains else []), *([count_sources(own, own)] if own else [])]


def elapsed(seconds: float) -> str:
    """Return for how long a run has gone on, as in "12초째" or "1분 5초째"."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    if minutes:
        return research_labels.ELAPSED_MINUTES.format(minutes=minutes, seconds=rest)
    return research_labels.ELAPSED_SECONDS.format(seconds=rest)


def spread(domains: Mapping[str, int]) -> str:
    """Return over how many sites the sources are spread, as Markdown, the first of them by name."""
    named = [
        research_labels.SPREAD_ONE.format(domain=md(domain or research_labels.NO_SITE, 40), count=count)
        for domain, count in list(domains.items())[:NAMED_DOMAINS]
    ]
    more = research_labels.SPREAD_MORE if len(domains) > NAMED_DOMAINS else ""
    return research_labels.SPREAD.format(count=len(domains), most=", ".join(named) + more)
