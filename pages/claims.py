"""영상 확인: the claims of a video, chosen by the visitor and held against the web, over the length of the video."""

from __future__ import annotations

from functools import partial

from pages.parts import address, claims_labels, claims_picker, claims_state, claims_view, frame, labels, run_page, video_picker
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.video_panel import video_panel
from search_core.domain import ClaimsEntry


def _describe(entry: ClaimsEntry) -> run_page.Line:
    return run_page.run_line(entry, md(entry.title, 70) or labels.UNTITLED, "확인", f"{entry.claims}개")


frame.add_script("claims.js")
with frame.zones() as (main, aside):
    address.apply()
    page = claims_state.claims_page()
    run, entries = page.attach(), page.entries()
    run_page.sidebar(page, run, entries, tools=partial(run_page.run_tools, page), describe=_describe)
    video = page_session().video
    with main:
        page.show_problem()
        if run is not None:
            claims_view.view(run, entries)
        elif video is not None:
            claims_picker.choosing(video)
        else:
            video_picker.welcome("claims", claims_labels.TITLE, claims_labels.WHAT_IT_DOES)
    with aside:
        video_panel(every_s=None if run is None or run.status.ended else claims_view.MARKS_S)
    if run is not None:
        title = md(run.request.video.title, 120) or labels.UNTITLED
        run_page.deletion_dialog(page, run.id, claims_labels.DELETE_NOTE.format(title=title, count=len(run.checks)))
