"""What surrounds a run on the page: its progress, the buttons that end it, and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.parts.shared import buttons
from pages.parts.shared.buttons import button
from pages.parts.shared.escaping import md
from pages.parts.shared.page_state import Run, RunEntry, RunPageState
from pages.parts.shared.visitor import owner

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

COVERAGE = "검색 내역"
_ENDS = {
    "complete": ":green[:material/check_circle:]",
    "finished_early": ":green[:material/task_alt:]",
    "stopped": ":orange[:material/stop_circle:]",
    "failed": ":orange[:material/error:]",
}
"""Signs of the ends of runs, by the values of their statuses."""


def run_tools(page: RunPageState[Run, RunEntry], run: Run) -> None:
    """Offer the open run as a file."""
    with st.popover(buttons.EXPORT, icon=":material/download:", type="tertiary", key=f"export-{run.id}"):
        make = partial(page.make_file, run.id, owner())  # a file is made on a thread that does not know the visitor
        buttons.download_buttons(page.EXPORTS, make, f"maekrak-{page.NAME}", run.created_at, key=f"export-{run.id}")


@contextmanager
def status(page: RunPageState[Run, RunEntry], words: str) -> Iterator[DeltaGenerator]:
    """Draw a box with the progress of a run, *words*, and beside it what the block draws; yields the box."""
    box = st.container(border=True, key=f"{page.NAME}-status")
    with box, st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch", key=f"{page.NAME}-now"):
            st.markdown(words)
        yield box


def end_buttons(page: RunPageState[Run, RunEntry], run: Run, *, may_finish: bool) -> None:
    """Draw the buttons that end a run under way."""
    service, of_run = page.service, f"{page.PARAM}-{run.id}"
    finish, stop = partial(page.steer, service.finish, run.id), partial(page.steer, service.cancel, run.id)
    label, off = "지금까지 찾은 내용으로 작성", not may_finish
    button(label, finish, key=f"finish-{of_run}", icon="task_alt", tip=page.FINISH_HELP, disabled=off)
    button("중지", stop, key=f"stop-{of_run}", icon="stop_circle", tip=page.STOP_HELP)


def resume_button(page: RunPageState[Run, RunEntry], run: Run, label: str, tip: str, **look: Any) -> None:
    """Offer to continue a run that ended early."""
    button(label, page.steer, page.service.resume, run.id, key=f"resume-{page.PARAM}-{run.id}", tip=tip, **look)


def watch(
    page: RunPageState[Run, RunEntry], run: Run, draw: Callable[[Run], None], *, every_s: float, key: str | None = None
) -> None:
    """Have *draw* redraw a run until it ends, begins to wait for the visitor, or stops waiting."""
    if run.status.ended:
        draw(run)
    else:
        st.fragment(_draw_live, run_every=every_s, key=key)(page, run, draw)


def _draw_live(page: RunPageState[Run, RunEntry], before: Run, draw: Callable[[Run], None]) -> None:
    run = page.find(before.id)
    if run is None or run.status.ended or run.status.waits_for_user != before.status.waits_for_user:
        st.rerun()
    else:
        draw(run)


def doing(run: Run, facts: Iterable[str], instead: str = "") -> str:
    """Return as Markdown what a run is doing, or the text *instead*, if given, with *facts* below."""
    words = instead or ("차례를 기다리고 있어요." if run.status == "queued" else run.message)
    return with_facts(f":shimmer[**{md(words, 200)}**]", facts)


def ending(run: Run, words: str = "") -> str:
    """Return as Markdown a sign and how a run has ended: *words*, if given, or the run's message."""
    return f"{_ENDS[run.status.value]} {words or run.message}"


def coverage_fold(key: str, lines: Sequence[str], label: str = COVERAGE) -> None:
    """Draw in a fold what was asked and read; nothing without *lines*."""
    if lines:
        with st.expander(label, key=key, type="compact", icon=":material/fact_check:"):
            st.markdown("\n".join(f"- {md(line, 400)}" for line in lines))


def with_facts(head: str, facts: Iterable[str]) -> str:
    """Return Markdown with small *facts* under *head*."""
    return f"{head}  \n:small[:gray[{' · '.join(facts)}]]"


def elapsed(run: Run) -> str:
    """Return how long a run has been going, as in "12초째" or "1분 5초째"."""
    minutes, rest = divmod(max(0, int((datetime.now(UTC) - run.created_at).total_seconds())), 60)
    return f"{minutes}분 {rest}초째" if minutes else f"{rest}초째"
