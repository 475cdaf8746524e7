"""검색 상태: how asking the search services has gone, service by service and request by request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import frame, health_board, services
from pages.parts.escaping import md
from pages.parts.progress import service_lines
from search_core.presenting import headline, ledger

if TYPE_CHECKING:
    from search_core.core import ProbeJob

POLL_S = 0.5
_PROBE = "health-probe-job"
_MARKS = {True: ":green[:material/check_circle:]", False: ":orange[:material/error_outline:]"}


def _start() -> None:
    st.session_state[_PROBE] = services.core().start_probe()


def _job() -> ProbeJob | None:
    """Return the check this visitor looks at: their own, or one that is under way."""
    newest = services.core().monitor.newest_probe
    if newest is not None and not newest.done:
        st.session_state[_PROBE] = newest
    return st.session_state.get(_PROBE)


def _progress(job: ProbeJob) -> None:
    if job.done:
        st.rerun()
    replies, waiting = job.replies, job.waiting
    with st.container(border=True):
        words = f"검색 서비스를 점검하고 있어요 · {len(replies) + len(waiting)}곳 중 {len(replies)}곳 끝남"
        st.markdown(f":shimmer[**{words}**]")
        st.markdown("  \n".join(service_lines(replies, waiting)))


def _outcome(job: ProbeJob) -> None:
    names = services.core().provider_labels()
    with st.container(border=True):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", wrap=False):
            st.markdown(f"**점검을 마쳤어요** · {md(headline(job.replies, names), 600)}", width="stretch")
            st.button(
                "닫기",
                key="probe-close",
                type="tertiary",
                icon=":material/close:",
                on_click=st.session_state.pop,
                args=(_PROBE, None),
            )
        st.markdown("\n".join(f"- {_MARKS[line.status.answered]} {md(line.checked)}" for line in ledger(job.replies, names)))


st.header("검색 상태", anchor=False)
with frame.whole():
    head = st.container(key="health-now")
    job = _job()
    st.button(
        "지금 점검",
        key="probe",
        icon=":material/stethoscope:",
        type="primary",
        help="점검은 켜져 있는 서비스마다 한 번씩 물어봐요. 유료 서비스는 요청 1건이 쓰여요. 아래 숫자에는 넣지 않아요.",
        disabled=job is not None and not job.done,  # even one of another visitor
        on_click=_start,
    )
    with st.container(key="probe-panel"):  # always there, so that nothing below changes its place in the tree
        if job is not None and job.done:
            _outcome(job)
        elif job is not None:
            st.fragment(_progress, run_every=POLL_S)(job)
    health_board.board(head)
