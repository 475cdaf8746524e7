"""딥리서치: a question taken apart, searched for and written about, while the visitor watches or does something else."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pages.parts import (
    address,
    frame,
    plan_editor,
    research_input,
    research_labels,
    research_state,
    research_view,
    run_page,
    styles,
)
from pages.parts.escaping import md
from pages.parts.video_panel import video_panel
from search_core.domain import ResearchEntry

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


def page() -> None:
    """Draw the three zones: earlier runs, the one that is open, video."""
    styles.script()
    frame.zones(_zones, main_width=2.3)


def _zones(main: DeltaGenerator, aside: DeltaGenerator) -> None:
    address.apply()
    with main:
        research_input.question_box()
    page = research_state.research_page()
    run, entries = page.attach(), page.entries()
    run_page.sidebar(page, run, entries, tools=partial(run_page.run_tools, page), describe=_describe)
    with main:
        page.show_problem()
        if run is not None:
            research_view.view(run, entries)
        else:
            research_input.welcome()
    with aside:
        video_panel()
    if run is not None:
        plan_editor.dialog(run)


def _describe(entry: ResearchEntry) -> run_page.Line:
    return run_page.run_line(entry, md(entry.question, 70), research_labels.RUNS)


page()
