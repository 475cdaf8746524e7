"""A search as it goes on: who answered, who is still awaited, and the stop button."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import frame, labels, search_actions, services
from pages.parts.escaping import md
from pages.parts.labels import span
from pages.parts.page_session import PageSession, page_session
from search_core.domain import ProviderReply, SearchStatus

if TYPE_CHECKING:
    from search_core.core import SearchProgress

POLL_S = 0.4
PHASES = {
    "understanding": "질문을 이해하고 있어요",
    "asking": "검색 서비스에 묻고 있어요",
    "scoring": "영상과의 관련도를 재고 있어요",
    "summarizing": "외국어 자료를 정리하고 있어요",
}
NEWER_SHOW = "순서대로 보기"
NEWER_BETTER, NEWER_SHOW_BETTER = "의미까지 보고 다시 채점했어요", "더 정확한 순서로 보기"


def progress() -> None:
    """Draw the search under way, redrawn by itself until it ends, and what came of it that is not in sight yet."""
    session = page_session()
    # A container of its own: a page under load would otherwise lose the element after a fragment that redraws itself.
    with st.container(key="progress"):
        if session.job is not None:
            st.fragment(_view, run_every=POLL_S)()
        else:
            st.empty()  # takes what stood in the place of results away at once, and not when the page is drawn to its end
            if session.newer is not None:
                with st.container(border=True, key="progress-beside"):
                    _newer(session)


def _view() -> None:
    session = page_session()
    job = session.job
    if job is None or job.done:
        st.rerun()
        return
    seen = job.snapshot()
    if seen.report is not None and seen.report is not session.report and seen.report is not session.newer:
        st.rerun()  # there are results, more of them, or more summaries
        return
    if session.report is None:
        with st.container(key="progress-alone"):
            with st.container(border=True):
                _under_way(seen, beside=False)
            for _ in range(3):
                st.skeleton(height=96)
        return
    st.empty()
    with st.container(border=True, key="progress-beside"):
        _newer(session)
        _under_way(seen, beside=True)


def _under_way(seen: SearchProgress, *, beside: bool) -> None:
    """Draw what the search is at, with the stop button; *beside* results in a few lines, and only while a service is awaited."""
    phase = PHASES.get(seen.phase, PHASES["asking"])
    words = f"**{phase} · {seen.elapsed_s:.1f}초**"
    frame.under_way(words, "검색 멈추기", "stop", search_actions.stop, icon=":material/stop_circle:")
    lines = service_lines(seen.replies, seen.waiting)
    if lines and (seen.waiting or not beside):  # once all have answered, who was asked is said with the results
        st.markdown((" · " if beside else "  \n").join(lines))


def _newer(session: PageSession) -> None:
    """Offer what has been found since the results in sight were drawn."""
    if session.newer is None or session.report is None:
        return
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="newer"):
        st.markdown(f"**{newer_words(session)}**", width="content")
        st.button(
            newer_button(session),
            key="show-newer",
            type="primary",
            icon=":material/vertical_align_top:",
            help="보고 있는 결과가 갑자기 움직이지 않게 그대로 두었어요. 누르면 모든 결과를 점수 순서대로 보여줘요.",
            on_click=search_actions.show_newer,
        )


def newer_button(session: PageSession) -> str:
    """Return what the button says that shows what has come: the order is better where it was scored anew."""
    again = session.newer is not None and session.report is not None and session.newer.scorer != session.report.scorer
    return NEWER_SHOW_BETTER if again else NEWER_SHOW


def newer_words(session: PageSession) -> str:
    """Return what has come since the results in sight were drawn: more of them, or another order; empty where nothing has."""
    if session.newer is None or session.report is None:
        return ""
    seen = {result.url for result in (*session.report.results, *session.report.hidden)}
    count = sum(result.url not in seen for result in (*session.newer.results, *session.newer.hidden))
    if count:
        return f"결과가 {count}건 더 왔어요"
    return "점수가 달라져서 순서가 바뀌었어요" if session.newer.scorer == session.report.scorer else NEWER_BETTER


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
