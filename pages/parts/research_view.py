"""A run on the page: how far it is, its plan, its report, its sources; drawn anew by itself until it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages.parts import plan_editor, research_labels, research_plan, research_report, research_sources, research_state, run_page
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from search_core.domain import ResearchEntry, ResearchRun, ResearchStatus
from search_core.presenting import korean_date
from search_core.presenting.own_documents import count_sources

POLL_S = 0.5
POLL_PLAN_S = 2.0
"""A plan that waits changes only when it is agreed to in another tab."""
NAMED_DOMAINS = 3


def view(run: ResearchRun, entries: tuple[ResearchEntry, ...]) -> None:
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
    page = research_state.research_page()
    page.announce_end(research_labels.ANNOUNCED, under_way=not run.status.ended)
    if run.status.ended:
        research_report.changes(run, page.earlier(run, entries))
    # A container of its own: a page under load would otherwise lose what stands after a part that redraws itself.
    with st.container(key="run"):
        if run.status is not ResearchStatus.PLANNED:
            draw_watched(run, _draw)
        else:
            watch_plan(run)
    if run.status is ResearchStatus.PLANNED:
        plan_editor.waiting_plan(run)
    elif run.status.ended:
        research_report.after(run)


def watch_plan(run: ResearchRun) -> None:
    """Draw the page anew when the plan waits no more."""
    st.fragment(_look_at_plan, run_every=POLL_PLAN_S)(run.id)


def _look_at_plan(run_id: str) -> None:
    run = research_state.research_page().find(run_id)
    if run is None or run.status is not ResearchStatus.PLANNED:
        st.rerun()


def draw_watched(run: ResearchRun, draw: Callable[[ResearchRun], None]) -> None:
    """Have *draw* draw a run, again and again until it ends."""
    if run.status.ended:
        draw(run)
    else:
        st.fragment(_draw_live, run_every=POLL_S)(run.id, draw)


def _draw_live(run_id: str, draw: Callable[[ResearchRun], None]) -> None:
    """Draw a run under way; the whole page anew when it has ended, waits for the visitor or cannot be had any more."""
    run = research_state.research_page().find(run_id)
    if run is None or run.status.ended or run.status is ResearchStatus.PLANNED:
        st.rerun()
        return
    draw(run)


def _draw(run: ResearchRun) -> None:
    live = not run.status.ended
    with st.container(border=True, key="research-status"):
        if live:
            may_finish = run.status is not ResearchStatus.WRITING
            run_page.progress(research_state.research_page(), doing(run), may_finish=may_finish)
        else:
            _end(run)
    plan, report = st.columns([1, 1.75], gap="medium")
    with plan, st.container(key="plan"):
        research_plan.plan(run, live=live)
    with report, st.container(key="report"):
        research_report.report(run, live=live, contents=not live)
    with st.container(key="research-sources"):
        research_sources.sources(run, live=live, can_seek=page_session().video is not None)


def doing(run: ResearchRun) -> str:
    """Return what a run does now, for how long it has gone on and what it has found, as Markdown."""
    return run_page.doing(run, (run_page.elapsed(run), *_found(run)))


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


def _found(run: ResearchRun) -> list[str]:
    """Return how many sources there are by now, over how many sites, and apart from them own documents, as Markdown."""
    own = sum(source.own for source in run.sources) if run.sources else run.count - sum(run.domains.values())
    web = [count_sources(run.count - own, 0)] if run.count > own or not own else []
    return [*web, *([spread(run.domains)] if run.domains else []), *([count_sources(own, own)] if own else [])]


def spread(domains: Mapping[str, int]) -> str:
    """Return over how many sites the sources are spread, as Markdown, the first of them by name."""
    named = [
        research_labels.SPREAD_ONE.format(domain=md(domain or research_labels.NO_SITE, 40), count=count)
        for domain, count in list(domains.items())[:NAMED_DOMAINS]
    ]
    more = research_labels.SPREAD_MORE if len(domains) > NAMED_DOMAINS else ""
    return research_labels.SPREAD.format(count=len(domains), most=", ".join(named) + more)
