"""The plan as a timeline: each part with how far it is, then the reading of pages and the writing of the report."""

from __future__ import annotations

import streamlit as st

from pages.parts import research_labels, research_state
from pages.parts.escaping import md
from pages.parts.page_state import REPORTED
from search_core.domain import STOPPED_MARKER, PlanOrigin, ResearchRun, ResearchStatus, Subtask, SubtaskState
from search_core.presenting.own_documents import count_sources

EDITABLE = (ResearchStatus.PLANNING, ResearchStatus.SEARCHING, ResearchStatus.READING)
_GATHERING = (ResearchStatus.QUEUED, *EDITABLE[:2])
_SIGNS = {
    SubtaskState.WAITING: ":gray[:material/radio_button_unchecked:]",
    SubtaskState.SEARCHING: ":blue[:material/progress_activity:]",
    SubtaskState.DONE: ":green[:material/check_circle:]",
    SubtaskState.FAILED: ":orange[:material/error:]",
    SubtaskState.LEFT_OUT: ":gray[:material/remove_circle_outline:]",
}


def plan(run: ResearchRun, *, live: bool) -> None:
    """Draw the plan of *run* as far as it is made; its parts can be edited until the report is written."""
    st.markdown(_heading(run))
    if not run.plan and live:
        st.markdown(f":shimmer[:small[{research_labels.PLANNING}]]")
        for _ in range(2):
            st.skeleton(height=44)
        return
    may_edit = live and run.status in EDITABLE
    with st.container(key="timeline"):
        for subtask in run.plan:
            with st.container(horizontal=True, wrap=False, vertical_alignment="top", key=f"step-{subtask.number}"):
                st.markdown(_subtask(run, subtask, live=live), width="stretch")
                if may_edit:
                    st.button(
                        research_labels.EDIT,
                        key=f"edit-subtask-{subtask.number}",
                        type="tertiary",
                        on_click=research_state.ask_to_edit,
                        args=(subtask.number,),
                    )
        if run.plan:
            _step("read", _reading(run, live=live))
            _step("write", _writing(run, live=live))


def steps(run: ResearchRun, *, live: bool) -> str:
    """Return the plan as Markdown, a paragraph for each part, without anything to press."""
    parts = [_subtask(run, subtask, live=live) for subtask in run.plan]
    return "\n\n".join([_heading(run), *parts, *([_reading(run, live=live), _writing(run, live=live)] if parts else [])])


def _heading(run: ResearchRun) -> str:
    """Return the title, who made the plan, and why it was not the model."""
    head = f"**{research_labels.PLAN}**"
    if run.plan_origin is not None and not (run.plan_origin is PlanOrigin.RULES and len(run.plan) == 1):
        head += f"  \n:small[:gray[{research_labels.ORIGINS[run.plan_origin]}]]"
    if run.plan_note:
        head += f"  \n:small[:orange[{md(run.plan_note, 300)}]]"
    return head


def _step(name: str, text: str) -> None:
    with st.container(key=f"step-{name}"):
        st.markdown(text)


def _subtask(run: ResearchRun, subtask: Subtask, *, live: bool) -> str:
    over = not live and subtask.state in (SubtaskState.WAITING, SubtaskState.SEARCHING)
    state = SubtaskState.LEFT_OUT if over else subtask.state
    found = [count_sources(subtask.found, subtask.own)] if subtask.found else []
    if state is SubtaskState.DONE:
        read = sum(source.read is True for source in run.sources if subtask.number in source.subtasks)
        facts = found or ([] if subtask.failure else [research_labels.STEP_NOTHING])
        facts += [research_labels.STEP_READ.format(count=read)] if read else []
    else:
        facts = [research_labels.STEPS[state], *(found if state is SubtaskState.FAILED else [])]
    if subtask.origin is PlanOrigin.USER and run.plan_origin is not PlanOrigin.USER:
        facts.append(research_labels.YOURS)
    return _line(_SIGNS[state], md(subtask.text, 300), " · ".join(facts), md(subtask.failure, 300))


def _line(sign: str, words: str, facts: str, trouble: str = "") -> str:
    below = [f":small[:gray[{facts}]]"] * bool(facts) + [f":small[:orange[{trouble}]]"] * bool(trouble)
    return "  \n".join((f"{sign} {words}", *below))


def _reading(run: ResearchRun, *, live: bool) -> str:
    sources = (*run.sources, *run.opened)
    read, failed = (sum(source.read is outcome for source in sources) for outcome in (True, False))
    reading = sum(source.reading for source in sources)
    facts = [research_labels.READ_STEP_DONE.format(count=read)] if read else []
    facts += [research_labels.READ_STEP_FAILED.format(count=failed)] if failed else []
    facts += [research_labels.READ_STEP_ON.format(count=reading)] if reading and live else []
    if live and run.status in _GATHERING and not reading:
        state, none = SubtaskState.WAITING, research_labels.READ_STEP_WAITS
    elif live and (reading or run.status is ResearchStatus.READING):
        state, none = SubtaskState.SEARCHING, research_labels.READ_STEP_WAITS
    else:
        state, none = SubtaskState.DONE if read else SubtaskState.LEFT_OUT, research_labels.READ_STEP_NONE
    return _line(_SIGNS[state], research_labels.READ_STEP, " · ".join(facts) or none)


def _writing(run: ResearchRun, *, live: bool) -> str:
    if live:
        on = run.status is ResearchStatus.WRITING
        state = SubtaskState.SEARCHING if on else SubtaskState.WAITING
        words = research_labels.WRITE_STEP_ON if on else research_labels.WRITE_STEP_WAITS
    elif run.status in REPORTED and run.report and run.sources:
        state, words = SubtaskState.DONE, research_labels.WRITE_STEP_DONE
    else:
        state, written = SubtaskState.LEFT_OUT, run.sources and run.report.replace(STOPPED_MARKER, "").strip()
        words = research_labels.WRITE_STEP_CUT if written else research_labels.WRITE_STEP_NONE
    return _line(_SIGNS[state], research_labels.WRITE_STEP, words)
