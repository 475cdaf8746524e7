"""The sidebar: earlier runs, and what can be done with the one that is open."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import export, research_labels, research_state, run_history, services
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.visitor import owner
from search_core.domain import ResearchEntry, ResearchRun, ResearchStatus
from search_core.presenting import relative_time
from search_core.presenting.dates import KOREA

if TYPE_CHECKING:
    from search_core.research import ResearchFormat


def sidebar(run: ResearchRun | None, entries: Sequence[ResearchEntry]) -> None:
    """Draw the tools of the open run and the list, those about the video that is open first, newest first."""
    with st.sidebar, st.container(key="history"):
        st.button(
            research_labels.NEW,
            key="new-research",
            icon=":material/add:",
            width="stretch",
            disabled=run is None,
            on_click=research_state.research_page().leave,
        )
        if run is not None:
            _tools(run)
        current = run.id if run is not None else ""
        run_history.draw(
            entries,
            current,
            _entry,
            heading=research_labels.HISTORY if page_session().video is not None else research_labels.HISTORY_ALL,
            more=research_labels.MORE_RUNS,
            others=research_labels.HISTORY_OTHER,
        )


def _entry(entry: ResearchEntry, current: str) -> None:
    question = md(entry.question, 70)
    st.button(
        research_labels.ENTRY.format(
            icon=research_labels.ICONS.get(entry.status, research_labels.ICON_RUNNING),
            question=f"**{question}**" if entry.id == current else question,
            when=relative_time(entry.created_at, datetime.now(UTC)),
            status=research_labels.STATUSES[entry.status],
        ),
        key=f"run-{entry.id}" if entry.id != current else f"run-open-{entry.id}",
        type="tertiary",
        width="stretch",
        wrap=True,
        on_click=research_state.open_run,
        args=(entry.id,),
    )


def _tools(run: ResearchRun) -> None:
    with st.container(horizontal=True, key="run-tools"):
        with st.popover(research_labels.EXPORT, icon=":material/download:", type="tertiary", key="export-run"):
            stamp = run.created_at.astimezone(KOREA).strftime("%Y%m%d-%H%M")
            whose = owner()  # a file is made on a thread that does not know the visitor
            export.buttons(
                research_labels.EXPORTS,
                lambda name: _file(run.id, whose, name),  # type: ignore[arg-type]
                stem=f"maekrak-research-{stamp}",
                key="export-run",
            )
        goes_on = not (run.status.ended or run.status is ResearchStatus.PLANNED)
        st.button(
            research_labels.DELETE,
            key="delete-run",
            type="tertiary",
            icon=":material/delete:",
            disabled=goes_on,
            help=research_labels.DELETE_LATER if goes_on else None,
            on_click=research_state.open_dialog,
            args=("delete",),
        )


def _file(run_id: str, whose: str, name: ResearchFormat) -> bytes:
    from search_core.research import export_run  # loaded by now: the run came through it

    return export_run(services.core().research.get(run_id, whose), name).data
