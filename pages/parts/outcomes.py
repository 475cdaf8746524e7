"""What a search came to when it is not simply a list: failures, gaps, old answers, and the next step for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import controls, labels, searching, services
from pages.parts.desk import desk
from pages.parts.escaping import md
from pages.parts.progress import provider_labels
from pages.parts.words import points, span
from search_core.domain import SearchReport
from search_core.presenting import ResultFormatter, failure_notice

if TYPE_CHECKING:
    from search_core.presenting import LedgerLine

LIBRARY = "library"
MAX_BROADER = 5


def notes(report: SearchReport) -> None:
    """Say above the list what limits it: services that failed, kept answers that are old, parts that did less."""
    lines = services.core().ledger(report)
    answered = [line for line in lines if line.answered]
    if len(answered) < len(lines) and any(line.status.answered for line in lines):
        sentence = services.core().headline(report)
        if [line.provider for line in answered] == [LIBRARY]:
            sentence = f"{labels.LIBRARY_ONLY} {sentence}"
        _note(f"{md(sentence)} {_pause(lines)}".strip())
    for degradation in report.degradations:
        st.warning(md(degradation.korean), icon=":material/info:")


def _pause(lines: Sequence[LedgerLine]) -> str:
    """Return when it makes sense to ask again, where a service said so."""
    pauses = [line.retry_after_s for line in lines if line.retry_after_s]
    return labels.RETRY_IN.format(span=span(min(pauses))) if pauses else ""


def _note(sentence: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, border=True, key="note"):
        st.markdown(f":orange[:material/cloud_off:] {sentence}", width="stretch")
        st.button(labels.REFRESH, key="refresh", type="tertiary", icon=":material/refresh:", on_click=searching.ask_fresh)


def instead_of_results(report: SearchReport) -> bool:
    """Draw what stands in for an empty list, with the next step; False when there is a list to draw."""
    if report.results:
        return False
    if report.hidden:
        _all_hidden(report)
    elif any(reply.status.answered for reply in report.replies):
        _nothing_found(report)
    else:
        _all_failed(report)
    return True


def _all_hidden(report: SearchReport) -> None:
    best = max(report.hidden, key=lambda result: result.relevance_score or 0.0)
    target = math.floor((points(best.relevance_score) or 0) / 2)
    count = sum((result.relevance_score or 0.0) * 100 >= target for result in report.hidden)
    with st.container(border=True, key="all-hidden"):
        st.markdown(f"## :material/filter_alt_off: {labels.ALL_HIDDEN}", anchors=False)
        st.button(
            labels.LOWER.format(count=min(count, controls.ranking().max_results)),
            key="lower-threshold",
            type="primary",
            on_click=controls.lower_threshold,
            args=(target,),
        )


def _outcome(report: SearchReport) -> str:
    return ResultFormatter(labels=provider_labels()).outcome(report.question.text, report.replies)


def _nothing_found(report: SearchReport) -> None:
    tried = list(dict.fromkeys(reply.query for reply in report.replies if reply.query)) or [report.constructed.text]
    parts = report.constructed.parts
    broader = [query for query in report.constructed.fallback_queries if query not in tried]
    if len(parts) > 1:
        broader += [part.text for part in parts if part.text not in (*tried, *broader)]
    with st.container(border=True, key="nothing-found"):
        st.markdown(f"## :material/search_off: {labels.NOTHING}", anchors=False)
        st.caption(md(_outcome(report)))
        st.markdown(labels.NOTHING_TRIED.format(queries=", ".join(f"“{md(query, 100)}”" for query in tried)))
        if broader:
            st.caption(labels.NOTHING_BROADER)
            with st.container(horizontal=True, key="chips-broader"):
                for index, query in enumerate(broader[:MAX_BROADER]):
                    st.button(md(query, 80), key=f"broader-{index}", on_click=searching.ask_broader, args=(query,))


def _all_failed(report: SearchReport) -> None:
    has_video = desk().video is not None and bool(desk().lines)
    notice = failure_notice(report.replies, provider_labels(), has_video=has_video)
    if notice is None:
        return
    retry, *without_web = notice.actions
    with st.container(border=True, key="all-failed"):
        st.markdown(f"## :material/cloud_off: {md(notice.text)}", anchors=False)
        # A line for each service says what to do about it; without any, only the settings help.
        lines = [line.korean for line in services.core().ledger(report)] or notice.checks
        st.markdown("\n".join(f"- {md(line)}" for line in lines))
        st.caption(md(_outcome(report)))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(md(retry), key="retry", type="primary", icon=":material/refresh:", on_click=searching.ask_fresh)
            for action in without_web:
                st.button(md(action), key="video-only", icon=":material/subtitles:", on_click=searching.video_only)
            st.page_link("pages/health.py", label=labels.SEE_HEALTH, icon=":material/monitor_heart:")
