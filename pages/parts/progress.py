"""A search as it goes on: who answered, who is still awaited, and the stop button."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import frame, labels, search_actions, services
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from search_core.domain import ProviderReply, SearchStatus
from search_core.job import SEARCHES_AT_ONCE
from search_core.presenting.dates import span

if TYPE_CHECKING:
    from search_core.core import SearchProgress

POLL_S = 0.4
PHASES = {
    "queued": f"지금 {SEARCHES_AT_ONCE}명이 검색 중이에요, 잠시만요",
    "understanding": "질문을 이해하고 있어요",
    "asking": "검색 서비스에 묻고 있어요",
    "scoring": "영상과의 관련도를 재고 있어요",
    "summarizing": "외국어 자료를 정리하고 있어요",
}


def progress() -> None:
    """Draw the search under way, redrawn by itself until it ends."""
    session = page_session()
    # A container of its own: a page under load would otherwise lose the element after a fragment that redraws itself.
    with st.container(key="progress"):
        if session.job is not None:
            st.fragment(_view, run_every=POLL_S)()
        else:
            st.empty()  # takes what stood in the place of results away at once, and not when the page is drawn to its end


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
    """Draw what stands in the place of results until they come."""
    for _ in range(3):
        st.skeleton(height=96)


def _under_way(seen: SearchProgress, *, beside: bool) -> None:
    """Draw what the search is at, with the stop button; *beside* results in a few lines, and only while a service is awaited."""
    phase = PHASES.get(seen.phase, PHASES["asking"])
    words = f"**{phase} · {seen.elapsed_s:.1f}초**"
    frame.under_way(words, "검색 멈추기", "stop", search_actions.stop, icon=":material/stop_circle:")
    lines = service_lines(seen.replies, seen.waiting)
    if lines and (seen.waiting or not beside):  # once all have answered, who was asked is said with the results
        st.markdown((" · " if beside else "  \n").join(lines))


def service_lines(replies: Iterable[ProviderReply], waiting: Iterable[str]) -> list[str]:
    """Return a line of Markdown for each search service, those that have not answered yet last."""
    names = services.core().provider_labels()
    awaited = (f"{md(names.get(name, name))} 응답 대기 중" for name in waiting)
    return [*(reply_line(reply, names) for reply in replies), *(f":gray[:material/hourglass_empty: {each}]" for each in awaited)]


def reply_line(reply: ProviderReply, names: Mapping[str, str]) -> str:
    """Return the line of a search service that has come to an end, well or not."""
    label = md(names.get(reply.provider, reply.provider))
    seconds = reply.latency_ms / 1000
    if reply.results:
        words = f"{label} {len(reply.results)}건 · {seconds:.1f}초"
        return f":green[:material/check_circle:] {words}"
    if reply.status is SearchStatus.NO_RESULTS:
        return f":gray[:material/remove_circle_outline: {label} 결과 없음 · {seconds:.1f}초]"
    words = "서비스에 문제가 생김" if reply.out_of_order else labels.STATUSES[reply.status.value]
    if reply.status is SearchStatus.COOLING_DOWN and reply.retry_after_s:
        words = f"{words} ({span(reply.retry_after_s)} 남음)"
    if reply.status is SearchStatus.NOT_AWAITED:  # no failure
        return f":gray[:material/hourglass_disabled: {label} · {words}]"
    return f":orange[:material/error_outline:] {label} · {words}"
