"""A running search: which services answered, which are awaited, and the stop button."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import frame, search_actions, services
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.job import SEARCHES_AT_ONCE
from search_core.presenting import LedgerLine, ledger

if TYPE_CHECKING:
    from search_core.core import SearchProgress

POLL_S = 0.4
PHASES = {
    "queued": f"지금 검색 {SEARCHES_AT_ONCE}건이 진행 중이에요, 잠시만요",
    "understanding": "질문을 이해하고 있어요",
    "asking": "검색 서비스에 묻고 있어요",
    "scoring": "영상과의 관련도를 재고 있어요",
    "summarizing": "외국어 자료를 정리하고 있어요",
}
_SIGNS = {
    SearchStatus.SUCCESS: ":green[:material/check_circle:]",
    SearchStatus.NO_RESULTS: ":gray[:material/remove_circle_outline:]",
    SearchStatus.NOT_AWAITED: ":gray[:material/hourglass_disabled:]",  # no failure
}
_TROUBLE = ":orange[:material/error_outline:]"


def progress() -> None:
    """Draw the running search, redrawn by itself until it ends."""
    session = page_session()
    # A container of its own: a page under load would otherwise lose the element after a fragment that redraws itself.
    with st.container(key="progress"):
        if session.job is not None:
            st.fragment(_view, run_every=POLL_S)()
        else:
            st.empty()  # removes the earlier results at once, not at the end of the run


def _view() -> None:
    session = page_session()
    job = session.job
    if job is None or job.done:
        st.rerun()
        return
    seen = job.snapshot()
    if seen.report is not None and seen.report is not session.taken:
        st.rerun()  # there are results, more of them, or more summaries
        return
    if session.report is None:
        with st.container(key="progress-alone"):
            with st.container(border=True):
                _under_way(seen, beside=False)
            awaited_cards()
        return
    st.empty()
    with st.container(border=True, key="progress-beside"):
        _under_way(seen, beside=True)


def awaited_cards() -> None:
    """Draw placeholders until results come."""
    for _ in range(3):
        st.skeleton(height=96)


def _under_way(seen: SearchProgress, *, beside: bool) -> None:
    """Draw the stage of the search and the stop button; *beside* results only briefly, while a service is awaited."""
    phase = PHASES.get(seen.phase, PHASES["asking"])
    words = f"**{phase} · {seen.elapsed_s:.1f}초**"
    frame.under_way(words, "검색 멈추기", "stop", search_actions.stop, icon=":material/stop_circle:")
    lines = service_lines(seen.replies, seen.waiting)
    if lines and (seen.waiting or not beside):  # after all have answered, the results say who was asked
        st.markdown((" · " if beside else "  \n").join(lines))


def service_lines(replies: Sequence[ProviderReply], waiting: Iterable[str]) -> list[str]:
    """Return one Markdown line for each search service, pending ones last."""
    names = services.core().provider_labels()
    awaited = (f":gray[:material/hourglass_empty: {md(names.get(name, name))} 응답 대기 중]" for name in waiting)
    return [*map(service_line, ledger(replies, names)), *awaited]


def service_line(line: LedgerLine) -> str:
    """Return the line of a search service that has finished, successfully or not."""
    words = line.text if line.status is SearchStatus.SUCCESS else f"· {line.reason}"
    return f"{_SIGNS.get(line.status, _TROUBLE)} {md(f'{line.label} {words}')}"
