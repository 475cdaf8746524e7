"""One check of a video: how far it is, its claims over the length of the video, and what each came to."""

from __future__ import annotations

import streamlit as st

from pages.parts import (
    claims_cards,
    claims_changes,
    claims_filters,
    claims_labels,
    claims_marks,
    claims_state,
    claims_timeline,
    labels,
    run_page,
)
from pages.parts.claims_timeline import FRAGMENT
from pages.parts.escaping import md
from search_core.domain import ClaimsEntry, ClaimsRun, ClaimState
from search_core.presenting import korean_date
from search_core.presenting.claim_text import RULES_ALONE

POLL_S = 0.7
MARKS_S = 2.0
"""Seconds between redraws of the verdicts in the transcript."""


def view(run: ClaimsRun, entries: tuple[ClaimsEntry, ...]) -> None:
    """Draw the run that is open, and keep drawing it until it has ended."""
    page = claims_state.claims_page()
    page.announce_end(claims_labels.ANNOUNCED, under_way=not run.status.ended)
    claims_marks.mark_checked(run.checks)
    with st.container(key="claims-page"):
        if run.status.ended:
            _end(run)
            claims_changes.changes(run, page.earlier(run, entries))
            st.fragment(_draw, key=FRAGMENT)(run)
            _after(run)
        else:
            st.fragment(_draw_live, run_every=POLL_S, key=FRAGMENT)(run.id)


def _draw_live(run_id: str) -> None:
    """Draw a run under way; the whole page anew when it has ended."""
    run = claims_state.claims_page().find(run_id)
    if run is None or run.status.ended:
        st.rerun()
        return
    claims_marks.mark_checked(run.checks)  # the transcript, which is redrawn by itself, shows them
    _progress(run)
    _draw(run)


def _draw(run: ClaimsRun) -> None:
    place, legend = st.container(key="timeline-place"), st.container(key="filters-place")
    with legend:
        shown = claims_filters.filters(run)
    with place:
        claims_timeline.timeline(run, shown)
    claims_cards.cards(run, shown)
    page = claims_state.claims_page()
    st.container(key=f"opened-{page.opened}-{page.opens}").html("<div></div>")  # by a new name the page knows what was opened


def _progress(run: ClaimsRun) -> None:
    page = claims_state.claims_page()
    finishing = page.finishing == run.id
    done = sum(check.state in (ClaimState.CHECKED, ClaimState.FAILED) for check in run.checks)
    facts = (claims_labels.PROGRESS.format(total=len(run.checks), done=done), run_page.elapsed(run))
    words = run_page.doing(run, facts, claims_labels.FINISHING if finishing else "")
    with st.container(border=True, key="claims-status"):
        run_page.progress(page, words, may_finish=not finishing)


def _end(run: ClaimsRun) -> None:
    facts = [korean_date(run.created_at), claims_labels.COUNT.format(count=len(run.checks))]
    with st.container(border=True, key="claims-status"):
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(width="stretch", key="claims-now"):
                st.markdown(f"**{claims_labels.ENDS[run.status]}**  \n:small[:gray[{' · '.join(facts)}]]")
            if any(check.state is not ClaimState.CHECKED for check in run.checks):
                st.button(
                    claims_labels.RESUME,
                    key="resume-claims",
                    icon=":material/play_arrow:",
                    type="primary",
                    help=claims_labels.RESUME_HELP,
                    on_click=claims_state.resume,
                    args=(run.id,),
                )
            st.button(
                claims_labels.AGAIN,
                key="claims-again",
                icon=":material/refresh:",
                help=claims_labels.AGAIN_HELP,
                on_click=claims_state.again,
                args=(run,),
            )
            st.button(
                claims_labels.OTHERS,
                key="claims-others",
                icon=":material/checklist:",
                help=claims_labels.OTHERS_HELP,
                on_click=claims_state.claims_page().leave,
            )
        _failures(run)


def _failures(run: ClaimsRun) -> None:
    """Say what failed, and where to look when it was the web."""
    for korean in dict.fromkeys(failure.korean for failure in run.failures):
        st.warning(md(korean, 400), icon=":material/error:")
    if any(check.state is ClaimState.FAILED for check in run.checks):
        st.page_link("pages/health.py", label=labels.SEE_HEALTH, icon=":material/monitor_heart:")


def _after(run: ClaimsRun) -> None:
    """Draw what stands under a run that has ended: what its words mean, how far it reached, and what it took."""
    with st.container(key="claims-after"):
        st.caption(f"{claims_labels.WHAT_IT_MEANS} {RULES_ALONE if run.judged_by_rules_alone else ''}".rstrip())
        if run.coverage:
            with st.expander(claims_labels.COVERAGE, key="claims-coverage", type="compact", icon=":material/fact_check:"):
                st.markdown("\n".join(f"- {md(line, 400)}" for line in run.coverage))
        known = run_page.step_times(run.metrics, claims_labels.METRICS)
        if run.metrics.total_ms > 0:
            seconds = run.metrics.total_ms / 1000
            taken = claims_labels.TAKEN.format(seconds=seconds, searches=run.metrics.searches, pages=run.metrics.pages)
            each = claims_labels.TAKEN_BY_EACH.format(metrics=known)
            st.caption("  \n".join((taken, each) if known else (taken,)))
