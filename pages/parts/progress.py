"""A search as it goes on: who answered, who is still awaited, and the stop button."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.parts import labels, searching, services
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.words import span
from search_core.domain import ProviderReply, SearchStatus

POLL_S = 0.4


def progress() -> None:
    """Draw the search under way, redrawn by itself until it ends."""
    live = page_session().job is not None
    # A container of its own: a page under load would otherwise lose the element after a fragment that redraws itself.
    with st.container(key="progress"):
        if live:
            st.fragment(_view, run_every=POLL_S)()


def provider_labels() -> dict[str, str]:
    """Return what the page calls each search service."""
    return services.core().provider_labels()


def _view() -> None:
    session = page_session()
    job = session.job
    if job is None or job.done:
        st.rerun()
        return
    seen = job.snapshot()
    if seen.report is not None and seen.report is not session.report:  # there are results, or more summaries of them
        st.rerun()
        return
    phase = labels.PHASES.get(seen.phase, labels.PHASES["asking"])
    with st.container(border=True):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(f":shimmer[**{labels.SEARCHING.format(phase=phase, seconds=seen.elapsed_s)}**]", width="content")
            st.button(labels.STOP, key="stop", icon=":material/stop_circle:", on_click=searching.stop)
        names = provider_labels()
        if session.summarizing:  # who was asked is said with the results
            return
        lines = [reply_line(reply, names) for reply in seen.replies] + [waiting_line(name, names) for name in seen.waiting]
        if lines:
            st.markdown("  \n".join(lines))
    if session.report is None:
        for _ in range(3):
            st.skeleton(height=96)


def waiting_line(name: str, names: Mapping[str, str]) -> str:
    """Return the line of a search service that has not answered yet."""
    return f":gray[:material/hourglass_empty: {labels.WAITING.format(label=md(names.get(name, name)))}]"


def reply_line(reply: ProviderReply, names: Mapping[str, str]) -> str:
    """Return the line of a search service that has come to an end, well or not."""
    label = md(names.get(reply.provider, reply.provider))
    seconds = reply.latency_ms / 1000
    if reply.results:
        words = labels.REPLIED.format(label=label, count=len(reply.results), seconds=seconds)
        return f":green[:material/check_circle:] {words}"
    if reply.status is SearchStatus.NO_RESULTS:
        return f":gray[:material/remove_circle_outline: {labels.REPLIED_NONE.format(label=label, seconds=seconds)}]"
    words = labels.STATUSES[reply.status.value]
    if reply.status is SearchStatus.COOLING_DOWN and reply.retry_after_s:
        words = labels.RESTING.format(status=words, span=span(reply.retry_after_s))
    return f":orange[:material/error_outline:] {label} · {words}"
