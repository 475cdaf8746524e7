"""The sidebar: earlier checks, and what can be done with the one that is open."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import claims_labels, claims_state, export, labels, run_history
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.visitor import owner
from search_core.domain import ClaimsEntry, ClaimsRun
from search_core.presenting import relative_time
from search_core.presenting.dates import KOREA

if TYPE_CHECKING:
    from search_core.claims.export import ClaimsFormat


def sidebar(run: ClaimsRun | None, entries: Sequence[ClaimsEntry]) -> None:
    """Draw the tools of the open run and the list, those about the video that is open first, newest first."""
    with st.sidebar, st.container(key="history"):
        st.button(
            claims_labels.NEW,
            key="new-claims",
            icon=":material/add:",
            width="stretch",
            disabled=run is None,
            on_click=claims_state.claims_page().leave,
        )
        if run is not None:
            _tools(run)
        current = run.id if run is not None else ""
        run_history.draw(
            entries,
            current,
            _entry,
            heading=claims_labels.HISTORY if page_session().video is not None else claims_labels.HISTORY_ALL,
            more=claims_labels.MORE_RUNS,
            others=claims_labels.HISTORY_OTHER,
        )


def _entry(entry: ClaimsEntry, current: str) -> None:
    title = md(entry.title, 70) or labels.UNTITLED
    st.button(
        claims_labels.ENTRY.format(
            icon=claims_labels.STATUS_ICONS.get(entry.status, claims_labels.ICON_RUNNING),
            title=f"**{title}**" if entry.id == current else title,
            when=relative_time(entry.created_at, datetime.now(UTC)),
            count=entry.claims,
            status=claims_labels.STATUSES[entry.status],
        ),
        key=f"run-{entry.id}" if entry.id != current else f"run-open-{entry.id}",
        type="tertiary",
        width="stretch",
        wrap=True,
        on_click=claims_state.open_run,
        args=(entry.id,),
    )


def _tools(run: ClaimsRun) -> None:
    with st.container(horizontal=True, key="run-tools"):
        with st.popover(claims_labels.EXPORT, icon=":material/download:", type="tertiary", key="export-run"):
            stamp = run.created_at.astimezone(KOREA).strftime("%Y%m%d-%H%M")
            whose = owner()  # a file is made on a thread that does not know the visitor
            export.buttons(
                claims_labels.EXPORTS,
                lambda name: _file(run.id, whose, name),  # type: ignore[arg-type]
                stem=f"maekrak-claims-{stamp}",
                key="export-run",
            )
        st.button(
            claims_labels.DELETE,
            key="delete-run",
            type="tertiary",
            icon=":material/delete:",
            disabled=not run.status.ended,
            help=None if run.status.ended else claims_labels.DELETE_LATER,
            on_click=_ask_to_delete,
        )


def _file(run_id: str, whose: str, name: ClaimsFormat) -> bytes:
    from search_core.claims.export import export_claims

    return export_claims(claims_state.claims().get(run_id, whose), name).data


def _ask_to_delete() -> None:
    claims_state.claims_page().deleting = True
    st.rerun()


def dialog(run: ClaimsRun) -> None:
    """Ask whether the run is to be deleted, if the visitor wants it to be."""
    if claims_state.claims_page().deleting:
        _delete(run)


def _keep() -> None:
    claims_state.claims_page().deleting = False


@st.dialog(claims_labels.DELETE_TITLE, on_dismiss=_keep)
def _delete(run: ClaimsRun) -> None:
    title = md(run.request.video.title, 120) or labels.UNTITLED
    st.markdown(claims_labels.DELETE_NOTE.format(title=title, count=len(run.checks)))
    with st.container(horizontal=True):
        st.button(claims_labels.DELETE_YES, key="delete-run-yes", type="primary", on_click=_delete_run, args=(run.id,))
        st.button(claims_labels.KEEP, key="delete-run-no", on_click=_close)


def _delete_run(run_id: str) -> None:
    claims_state.delete(run_id)
    st.rerun()


def _close() -> None:
    _keep()
    st.rerun()
