"""The outcomes of a search besides its list: failures, gaps, cached answers, and the next step for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

import streamlit as st

from pages.parts.shared import services
from pages.parts.shared.buttons import button, quiet
from pages.parts.shared.escaping import md
from pages.parts.workspace import controls, search_actions
from search_core.domain.reply import SearchStatus
from search_core.domain.report import ReportOutcome, SearchReport
from search_core.domain.result import SearchResult
from search_core.search.presenting.dates import relative_time
from search_core.search.presenting.ledger import LedgerLine, failure_notice, headline, ledger, outcome_sentence, shortest_pause
from search_core.search.presenting.score_text import points

AGAIN_SOON = "잠시 뒤에 다시 검색해 보세요."
ASK_FRESH = partial(search_actions.again, use_cache=False)


def notes(report: SearchReport) -> None:
    """Draw the limitations of *report*: its age, failed services, degraded parts."""
    lines, now = _lines(report), datetime.now(UTC)
    web = [line for line in lines if line.reply.web]
    notes, icon = [], "history"
    if report.created_at is not None and now - report.created_at >= timedelta(hours=1):  # opened again, or in sight for long
        notes.append(f"{relative_time(report.created_at, now)}에 검색한 결과예요.")
    asked = any(line.reply.status.answered or line.reply.status is SearchStatus.NOT_AWAITED for line in web)
    if asked and not all(line.answered for line in web):
        icon = "cloud_off"
        notes.append(md(headline(report.replies, services.core().provider_labels())))
        notes += [AGAIN_SOON] if _rests(shortest_pause(web), report) else []
    if notes:
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, border=True, key="note"):
            st.markdown(f":orange[:material/{icon}:] {' '.join(notes)}", width="stretch")
            quiet("다시 검색", ASK_FRESH, key="refresh", icon="refresh")
    if report.web_wanted:
        for line in lines:
            if not line.reply.web and not line.reply.status.answered:
                st.warning(md(line.korean), icon=":material/folder_off:")
    for degradation in report.degradations:
        st.caption(f":orange[:material/info:] {md(degradation.korean)}")


def _lines(report: SearchReport) -> tuple[LedgerLine, ...]:
    return ledger(report.replies, services.core().provider_labels())


def above_list(report: SearchReport) -> None:
    """Draw why no results are shown and the next step, if there are none.

    Own documents do not replace web results: if the web was asked, they are listed separately.
    """
    counted = [result for result in report.hidden if not (report.web_wanted and result.own)]
    match report.outcome:
        case ReportOutcome.COULD_NOT_ASK if report.web_wanted:
            _web_away(report)
        case ReportOutcome.COULD_NOT_ASK:
            with st.container(border=True, key="library-failed"):
                st.markdown("## :material/folder_off: 내 자료를 찾아보지 못했어요", anchors=False)
                st.markdown("\n".join(f"- {md(line.korean)}" for line in _lines(report)))
        case ReportOutcome.BELOW_THRESHOLD:
            title = "웹에서는 기준보다 높은 결과가 없어요" if report.results else "기준보다 높은 결과가 없어요"
            _all_hidden(counted, title, reason(report))
        case ReportOutcome.FOUND_NONE:
            _nothing_found(report, "웹에서 찾은 결과가 없어요" if report.results or report.hidden else "찾은 결과가 없어요")
        case _:
            return
    if report.hidden and not report.results and not counted:
        _all_hidden(report.hidden, "내 자료에는 기준보다 높은 결과가 없어요", beside=True)


def _all_hidden(hidden: Sequence[SearchResult], title: str, sentence: str = "", *, beside: bool = False) -> None:
    """Offer to lower the threshold, under *title* and *sentence*; the button is less prominent if *beside* another remedy."""
    best = max(hidden, key=lambda result: result.relevance_score or 0.0)
    target = math.floor((points(best.relevance_score) or 0) / 2)
    count = sum((result.relevance_score or 0.0) * 100 >= target for result in hidden)
    with st.container(border=True, key="all-hidden"):
        st.markdown(f"## :material/filter_alt_off: {title}", anchors=False)
        if sentence:
            st.caption(md(sentence))
        label, look = f"기준을 낮추면 {min(count, controls.ranking().max_results)}건", "secondary" if beside else "primary"
        button(label, controls.set_threshold, target, key="lower-threshold", type=look)


def reason(report: SearchReport) -> str:
    """Return why *report* shows nothing, as in "[검색 완료] … 검색 결과가 없습니다."; empty if something was found."""
    return outcome_sentence(report, services.core().provider_labels())


def _nothing_found(report: SearchReport, title: str) -> None:
    sent = dict.fromkeys(query for reply in report.replies for query in (reply.query, *reply.also) if query)
    tried = list(sent) or [report.constructed.text]
    broader = [query for query in report.constructed.fallback_queries if query not in tried]
    with st.container(border=True, key="nothing-found"):
        st.markdown(f"## :material/search_off: {title}", anchors=False)
        st.caption(md(reason(report)))
        st.markdown(f"이렇게 찾아봤어요: {', '.join(f'“{md(query, 100)}”' for query in tried)}")
        if broader:
            st.caption("더 넓게 찾아볼까요?")
            with st.container(horizontal=True, key="chips-broader"):
                for index, query in enumerate(broader[:5]):
                    button(md(query, 80), search_actions.ask_broader, query, key=f"broader-{index}")


def _web_away(report: SearchReport) -> None:
    notice = failure_notice(report.replies, services.core().provider_labels())
    if notice is None:
        return
    with st.container(border=True, key="web-away"):
        own_alone = " 내 자료만 보여드려요." if report.own_results else ""
        st.markdown(f"## :material/cloud_off: 웹에서 답을 받지 못했어요.{own_alone}", anchors=False)
        st.markdown(md(reason(report)))
        if notice.checks:
            st.markdown("\n".join(f"- {md(line)}" for line in notice.checks))
        if _rests(notice.retry_after_s, report):
            st.caption(AGAIN_SOON)
        button("다시 검색", ASK_FRESH, key="retry", type="primary", icon="refresh")


def _rests(pause_s: float | None, report: SearchReport) -> bool:
    """Return whether a pause that began with *report* still lasts."""
    return report.created_at is not None and (datetime.now(UTC) - report.created_at).total_seconds() < (pause_s or 0.0)
