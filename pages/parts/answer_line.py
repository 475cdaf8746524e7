"""The answer line over the results: the sentence of one of them that answers, looked for beside the page."""

from __future__ import annotations

from concurrent.futures import wait
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts import services
from pages.parts.escaping import md
from pages.parts.page_session import AnswerLineWork, page_session
from search_core.domain.report import AnswerLine, SearchReport
from search_core.runtime import run_in_thread

AT_ONCE_S = 0.3
"""A line that is found within this is drawn with the results; another one has its place kept, so that nothing moves for it."""
POLL_S = 0.4


def answer_line(report: SearchReport) -> None:
    """Draw the line of the first list, or nothing where none surely answers; *report* is placed as the controls stand."""
    session = page_session()
    if session.report is None:
        return
    asked = replace(session.report, results=tuple(each for each in session.report.results if not each.late))
    if session.answer is None or not _says_the_same(session.answer.report, asked):
        outcome = run_in_thread(partial(services.core().answer_line, asked), "maekrak-beside-page")
        session.answer = AnswerLineWork(asked, outcome, late=not wait([outcome], timeout=AT_ONCE_S).done)
    work = session.answer
    with st.container(key="answer-line-late" if work.late else "answer-line"):
        if not work.outcome.done():
            st.fragment(_await, run_every=POLL_S)()
        elif not _draw(work.outcome.result(), report) and work.late:
            st.caption("웹 결과에서는 질문에 바로 답하는 문장을 찾지 못했어요.")


def _says_the_same(earlier: SearchReport, report: SearchReport) -> bool:
    """Return whether both have the same results with the same scores; summaries, which come one by one, are not quoted."""
    quoted = ([(each.url, each.relevance_score) for each in one.results] for one in (earlier, report))
    return earlier.question is report.question and next(quoted) == next(quoted)


def _await() -> None:
    work = page_session().answer
    if work is None or work.outcome.done():
        st.rerun()
    st.caption("결과에서 답이 되는 문장을 찾고 있어요.")


def _draw(line: AnswerLine | None, report: SearchReport) -> bool:
    """Draw the line if there is one whose result is in sight, and return whether there is."""
    if line is None or all(each.url != line.url for each in report.results):
        return False
    own = [each.url for each in report.own_results]
    number = own.index(line.url) + 1 if line.url in own else [each.url for each in report.web_results].index(line.url) + 1
    name = f"자료 {number}번" if line.url in own else f"{number}번 결과"
    st.markdown(f"**{md(line.sentence, 200)}**  \n:small[:gray[{name}에서 그대로 옮긴 문장 · {md(line.source, 60)}]]")
    return True
