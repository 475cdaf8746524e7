"""Research in a conversation: a card with how far the run is, its plan, its report and its sources, redrawn while it goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts import (
    chat_state,
    labels,
    research_labels,
    research_plan,
    research_report,
    research_sources,
    research_state,
    research_view,
)
from pages.parts.escaping import md
from search_core.domain import Message, ResearchRun, ResearchStatus

_RESUMABLE = (ResearchStatus.STOPPED, ResearchStatus.FAILED)


def card(message: Message, *, can_seek: bool, may_resume: bool) -> None:
    """Draw the run of *message*, by itself while it goes on; *may_resume* offers to go on with one that broke off."""
    run = message.research
    if run is None:
        st.markdown(f"{research_labels.BADGE}\n\n:orange[:material/info:] {md(message.missing, 400)}")
        return
    draw = partial(_draw_run, can_seek=can_seek, may_resume=may_resume)
    if run.status is ResearchStatus.PLANNED:
        draw(run)
        research_view.watch_plan(run)
    else:
        research_view.draw_watched(run, draw)


def _draw_run(run: ResearchRun, *, can_seek: bool, may_resume: bool) -> None:
    live = not run.status.ended
    waits = run.status is ResearchStatus.PLANNED
    with st.container(horizontal=True, vertical_alignment="center", key=f"research-head-{run.id}"):
        with st.container(width="stretch", key=f"now-{run.id}"):
            st.markdown(f"{research_labels.BADGE} {_progress(run)}")
        _buttons(run, may_resume=may_resume)
    if run.plan or live:
        label = research_labels.THOUGHTS.format(count=len(run.plan)) if run.plan else research_labels.PLANNING
        with st.expander(label, key=f"thoughts-{run.id}", type="compact", icon=":material/account_tree:", expanded=live):
            st.markdown(research_plan.steps(run, live=live))
    if not waits:
        research_report.report(run, live=live, key=f"report-text-{run.id}")
    if run.sources:
        with st.expander(research_sources.heading(run), key=f"found-{run.id}", type="compact", icon=":material/link:"):
            st.markdown(research_sources.source_list(run, can_seek=can_seek))
    if run.coverage:
        with st.expander(research_labels.COVERAGE, key=f"coverage-{run.id}", type="compact", icon=":material/fact_check:"):
            st.markdown(research_report.coverage(run))
    st.page_link(
        "pages/research.py",
        label=research_labels.OPEN if run.status.ended else research_labels.OPEN_LIVE,
        icon=":material/open_in_new:",
        query_params={research_state.ResearchPageState.PARAM: run.id},
    )


def _progress(run: ResearchRun) -> str:
    """Return how far the run is, and under it what is known of it, as Markdown."""
    if run.status is ResearchStatus.PLANNED:
        return f"**{research_labels.WAITS}**"
    if run.status.ended:
        return research_view.ending(run)
    return research_view.doing(run)


def _buttons(run: ResearchRun, *, may_resume: bool) -> None:
    if run.status is ResearchStatus.PLANNED:
        _button("agree", run.id, research_labels.AGREE, "", ":material/travel_explore:", _agree)
        _button("give-up", run.id, research_labels.GIVE_UP, "", ":material/close:", _stop)
    elif not run.status.ended:
        writes = run.status is ResearchStatus.WRITING
        _button("finish", run.id, labels.RUN_FINISH, research_labels.RUNS.finish_help, ":material/task_alt:", _finish, off=writes)
        _button("stop", run.id, labels.RUN_STOP, research_labels.RUNS.stop_help, ":material/stop_circle:", _stop)
    elif may_resume and run.search_failed:
        again, own = research_labels.SEARCH_AGAIN, research_labels.OWN_ONLY
        _button("resume", run.id, again, research_labels.SEARCH_AGAIN_HELP, ":material/refresh:", _resume)
        _button("own-documents", run.id, own, research_labels.OWN_ONLY_HELP, ":material/folder_open:", _without_web)
    elif may_resume and run.status in _RESUMABLE:
        _button("resume", run.id, research_labels.RESUME, research_labels.RESUME_HELP, ":material/play_arrow:", _resume)


def _button(name: str, run_id: str, label: str, tip: str, icon: str, act: Callable[[str], None], *, off: bool = False) -> None:
    st.button(label, key=f"{name}-run-{run_id}", icon=icon, help=tip or None, disabled=off, on_click=act, args=(run_id,))


_agree = partial(chat_state.steer, lambda service, run_id, owner: service.agree(run_id, owner))
_finish = partial(chat_state.steer, lambda service, run_id, owner: service.finish(run_id, owner))
_stop = partial(chat_state.steer, lambda service, run_id, owner: service.cancel(run_id, owner))
_resume = partial(chat_state.steer, lambda service, run_id, owner: service.resume(run_id, owner))
_without_web = partial(chat_state.steer, lambda service, run_id, owner: service.resume(run_id, owner, own_only=True))
