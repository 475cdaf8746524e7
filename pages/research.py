"""딥리서치: a question taken apart, searched for and written about, while the visitor watches or does something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.parts import (
    address,
    frame,
    plan_editor,
    research_history,
    research_input,
    research_state,
    research_view,
    styles,
)
from pages.parts.video_panel import video_panel

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
    run = research_state.research_page().attach()
    entries = research_state.entries()
    research_history.sidebar(run, entries)
    with main:
        research_state.research_page().show_problem()
        if run is not None:
            research_view.view(run, entries)
        else:
            research_input.welcome()
    with aside:
        video_panel()
    if run is not None:
        plan_editor.dialog(run)


page()
