"""Changing a plan: all of it while it waits for the visitor, or one part while the run goes on; and deleting a run."""

from __future__ import annotations

import streamlit as st

from pages.parts import research_labels, research_state, run_page
from pages.parts.escaping import md
from pages.parts.research_state import Draft
from search_core.domain import MAX_QUESTION_CHARS, ResearchRun


def waiting_plan(run: ResearchRun) -> None:
    """Draw the plan of a run that waits, every part of it to be changed; nothing redraws it but the visitor."""
    from search_core.research.plan_answer import MAX_SUBTASKS  # loaded by now: the run came through it

    at = research_state.research_page()
    draft = _draft(run)
    with st.container(border=True, key="waiting-plan"):
        st.markdown(f"**{research_labels.AGREE_TITLE}**  \n:small[:gray[{_origin(run)}{research_labels.AGREE_NOTE}]]")
        if run.plan_note:
            st.markdown(f":small[:orange[{md(run.plan_note, 300)}]]")
        with st.form("waiting-plan-form", border=False):
            for place, (number, text) in enumerate(draft.parts.items(), start=1):
                with st.container(horizontal=True, wrap=False, vertical_alignment="bottom"):
                    st.text_input(
                        research_labels.EDIT_LABEL.format(number=place),
                        value=text,
                        max_chars=MAX_QUESTION_CHARS,
                        key=_key(draft, number),
                    )
                    st.form_submit_button(
                        research_labels.REMOVE,
                        key=f"remove-part-{number}",
                        icon=":material/close:",
                        type="tertiary",
                        disabled=len(draft.parts) == 1,
                        on_click=_remove,
                        args=(draft, number),
                    )
            with st.container(horizontal=True):
                st.form_submit_button(
                    research_labels.AGREE,
                    key="agree",
                    type="primary",
                    icon=":material/travel_explore:",
                    on_click=_agree,
                    args=(draft,),
                )
                st.form_submit_button(
                    research_labels.ADD,
                    key="add-part",
                    icon=":material/add:",
                    disabled=len(draft.parts) >= MAX_SUBTASKS,
                    on_click=_add,
                    args=(draft,),
                )
                st.form_submit_button(research_labels.GIVE_UP, key="give-up", type="tertiary", on_click=at.stop)


def _origin(run: ResearchRun) -> str:
    return f"{research_labels.ORIGINS[run.plan_origin]}. " if run.plan_origin is not None else ""


def _draft(run: ResearchRun) -> Draft:
    at = research_state.research_page()
    if at.draft is None or at.draft.run != run.id:
        at.draft = Draft(run.id, {part.number: part.text for part in run.plan}, len(run.plan) + 1)
    return at.draft


def _key(draft: Draft, number: int) -> str:
    return f"part-{draft.run}-{number}"


def _typed_texts(draft: Draft) -> dict[int, str]:
    return {number: str(st.session_state.get(_key(draft, number), text) or "") for number, text in draft.parts.items()}


def _remove(draft: Draft, number: int) -> None:
    draft.parts = {part: text for part, text in _typed_texts(draft).items() if part != number}


def _add(draft: Draft) -> None:
    draft.parts = {**_typed_texts(draft), draft.next: ""}
    draft.next += 1


def _agree(draft: Draft) -> None:
    draft.parts = _typed_texts(draft)
    research_state.agree([text.strip() for text in draft.parts.values() if text.strip()])


def dialog(run: ResearchRun) -> None:
    """Draw what is asked about the run, if anything is."""
    page = research_state.research_page()
    if page.dialog == "edit":
        st.dialog(research_labels.EDIT_TITLE, on_dismiss=page.close_dialog)(_edit)(run)
    run_page.deletion_dialog(page, run.id, research_labels.DELETE_NOTE.format(question=md(run.request.question, 120)))


def _edit(run: ResearchRun) -> None:
    at = research_state.research_page()
    number = at.editing
    text = next((part.text for part in run.plan if part.number == number), "")
    key = f"subtask-{run.id}-{number}"
    with st.form("edit-form", border=False):
        st.text_area(
            research_labels.EDIT_LABEL.format(number=number),
            value=text,
            max_chars=MAX_QUESTION_CHARS,
            height=100,
            key=key,
        )
        st.caption(research_labels.EDIT_NOTE)
        if at.refused:
            st.error(md(at.refused, 300), icon=":material/error:")
        with st.container(horizontal=True):
            st.form_submit_button(research_labels.SAVE, key="save-subtask", type="primary", on_click=_save, args=(number, key))
            st.form_submit_button(research_labels.CANCEL, key="keep-subtask", on_click=at.ask, args=("",))


def _save(number: int, key: str) -> None:
    research_state.edit(number, str(st.session_state[key] or "").strip())
    st.rerun()
