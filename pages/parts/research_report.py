"""The report of a run as it is written, what failed on the way, and what comes after: coverage, times, what has changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import chat_labels, chat_text, research_labels, research_state, run_page
from pages.parts.escaping import link, md
from search_core.domain import CoverageKind, ResearchEntry, ResearchRun, ResearchSource, ResearchStatus
from search_core.presenting import korean_date

if TYPE_CHECKING:
    from search_core.research import CitedStatement, RunDifference, StatementChange

STATEMENT_CHARS = 300
MIN_HEADINGS = 3
"""A report with fewer is in sight without a table of contents."""
_HEADING = re.compile(r"^#{2,6} (.+)$", re.MULTILINE)
_FENCED = re.compile(r"^(`{3,}+).*?^\1`*+$", re.MULTILINE | re.DOTALL)
_CITED = re.compile(r"\[\\\[\d+\\\]\]\([^)]*\)")


def report(run: ResearchRun, *, live: bool, key: str = "report-text", contents: bool = False) -> None:
    """Draw the report as far as it is written, its numbers linked to their sources, unsupported sentences marked.

    *key* is its own on a page with several. *contents* puts the headings over it, each a way to its part.
    """
    notes = [md(run.report_note, 300)] if run.report_note else []
    if run.by_model is False and run.sources and not notes:
        notes = [research_labels.EXTRACT]
    if run.own_sent is not None:
        notes.append(research_labels.OWN_SENT if run.own_sent else research_labels.OWN_WITHHELD)
    note = f"  \n:small[:gray[{' '.join(notes)}]]" if notes else ""
    st.markdown(f"**{research_labels.REPORT}**{note}")
    _failures(run)
    if run.report.strip():
        text = run.shown_report
        written = chat_text.cited_markdown(text, run.unsupported, {source.number: source.url for source in run.sources})
        marked = chat_text.marks_unsupported(text, run.unsupported)
        held = f"\n\n:small[:gray[{chat_labels.UNSUPPORTED_NOTE}]]" if marked else ""
        written = chat_text.tell_sources(written, run.sources)
        if contents:
            _contents(written)
        with st.container(key=key):
            st.markdown(f"{written}{held}")
    elif live:
        st.caption(research_labels.WAITING_REPORT)
        for _ in range(3):
            st.skeleton(height=56)
    elif not run.failures:
        st.caption(research_labels.NO_REPORT)


def _contents(written: str) -> None:
    """List the headings of a report where there are enough of them; ``static/chat.js`` leads to them."""
    headings = [_CITED.sub("", found[1]).strip() for found in _HEADING.finditer(_FENCED.sub("", written))]
    if len(headings) >= MIN_HEADINGS:
        lines = (f"- [{words}](#report-{place})" for place, words in enumerate(headings, start=1))
        with st.container(key="contents"):
            st.markdown("\n".join((f":small[**{research_labels.CONTENTS}**]", "", *lines)))


def _failures(run: ResearchRun) -> None:
    """Say by type and in words what failed; a failure the run got over is no alarm."""
    box = st.error if run.status is ResearchStatus.FAILED else st.warning
    for failure in dict.fromkeys(run.failures):
        text = research_labels.FAILURE.format(
            korean=md(failure.korean, 400), kind=md(failure.kind, 80), description=md(failure.description, 300)
        )
        box(text, icon=":material/error:")


def changes(run: ResearchRun, earlier: ResearchEntry | None) -> None:
    """Draw what stands over a run that has ended: what has changed since it was asked for before."""
    with st.container(key="research-changes"):
        if earlier is not None and run.sources and run.report.strip():
            run_page.changes(research_state.research_page(), run, earlier, partial(_change_lines, after=run))


def after(run: ResearchRun) -> None:
    """Draw what stands under a run that has ended: how far it reached, and what it took."""
    with st.container(key="research-after"):
        if run.coverage:
            with st.expander(research_labels.COVERAGE, key="coverage", type="compact", icon=":material/fact_check:"):
                st.markdown(coverage(run))
        if times := run_page.step_times(run.metrics, research_labels.METRICS):
            st.caption(times)


def coverage(run: ResearchRun) -> str:
    """Return how far the run reached as a Markdown list, what a search service answered under its subtask."""
    indents = {CoverageKind.SERVICE: "  "}
    return "\n".join(f"{indents.get(line.kind, '')}- {md(line.text, 400)}" for line in run.coverage_lines)


def _change_lines(found: RunDifference, before: ResearchRun, after: ResearchRun) -> Iterator[str]:
    addresses = tuple({source.number: source.url for source in run.sources} for run in (before, after))
    kinds = {"changed": research_labels.CHANGED, "new": research_labels.NEW_STATEMENTS, "gone": research_labels.GONE_STATEMENTS}
    for kind, title in kinds.items():
        yield from run_page.change_list(title, [_change(each, *addresses) for each in found.statements if each.kind == kind])
    yield from run_page.change_list(research_labels.NEW_SOURCES, map(_source, found.new_sources))
    yield from run_page.change_list(research_labels.GONE_SOURCES, map(_source, found.gone_sources))
    changed = (f"{_source(each.after)}  \n  :small[:gray[{md(each.what, 300)}]]" for each in found.changed_sources)
    yield from run_page.change_list(research_labels.CHANGED_SOURCES, changed)


def _change(change: StatementChange, before: Mapping[int, str], after: Mapping[int, str]) -> str:
    if change.before is None or change.after is None:
        one = change.after or change.before
        assert one is not None
        return _statement(one, after if change.after is not None else before)
    return (
        f"{md(change.what, 300)}\n"
        f"  - :small[:gray[{research_labels.BEFORE}]] {_statement(change.before, before)}\n"
        f"  - :small[:gray[{research_labels.AFTER}]] {_statement(change.after, after)}"
    )


def _statement(statement: CitedStatement, addresses: Mapping[int, str]) -> str:
    marks = " ".join(link(f"[{number}]", addresses.get(number, "")) for number in statement.numbers)
    return f"{md(statement.text, STATEMENT_CHARS)} {marks}"


def _source(source: ResearchSource) -> str:
    date = korean_date(source.publish_date) if source.publish_date else chat_labels.NO_DATE
    return f"{link(source.title or source.url, source.url, 140)} :small[:gray[{md(source.domain, 60)} · {date}]]"
