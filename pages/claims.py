"""영상 확인: the claims of a video, chosen by the visitor and held against the web, over the length of the video."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.parts import address, claims_history, claims_picker, claims_state, claims_view, frame, styles
from pages.parts.page_session import page_session
from pages.parts.video_panel import video_panel

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


def page() -> None:
    """Draw the three zones: earlier checks, the one that is open or what can be checked, video."""
    styles.script("claims.js")
    frame.zones(_zones)


def _zones(main: DeltaGenerator, aside: DeltaGenerator) -> None:
    address.apply()
    run = claims_state.claims_page().attach()
    entries = claims_state.entries()
    claims_history.sidebar(run, entries)
    video = page_session().video
    with main:
        claims_state.claims_page().show_problem()
        if run is not None:
            claims_view.view(run, entries)
        elif video is not None:
            claims_picker.choosing(video)
        else:
            claims_picker.welcome()
    with aside:
        video_panel(every_s=None if run is None or run.status.ended else claims_view.MARKS_S)
    if run is not None:
        claims_history.dialog(run)


page()
