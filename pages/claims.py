"""영상 확인: the claims of a video, chosen by the visitor and held against the web, over the length of the video."""

from __future__ import annotations

from functools import partial

from pages.parts import address, claims_picker, claims_state, claims_view, frame, run_page, video_picker
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.video_panel import video_panel
from search_core.domain import ClaimsEntry
from search_core.presenting.wording import UNTITLED_VIDEO

WHAT_IT_DOES = (
    ":material/checklist: 자막에서 **찾아보면 알 수 있는 주장**을 골라, 확인할 만한 순서로 보여줘요",
    ":material/travel_explore: 고른 것마다 웹을 찾아 읽고 **영상의 말과 출처의 말을 나란히** 놓아요",
    ":material/timeline: 결과는 **영상의 시간 위에** 표시돼요. 창을 닫아도 계속되고, 언제든 멈출 수 있어요",
)
DELETE_NOTE = "“{title}” 영상의 주장 {count}개를 확인한 결과가 모두 지워지고, 되돌릴 수 없어요."


def _describe(entry: ClaimsEntry) -> run_page.Line:
    return run_page.run_line(entry, md(entry.title, 70) or UNTITLED_VIDEO, "확인", f"{entry.claims}개")


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
            claims_view.view(run)
        elif video is not None:
            claims_picker.choosing(video)
        else:
            video_picker.welcome("claims", claims_picker.TITLE, WHAT_IT_DOES)
    with aside:
        video_panel(every_s=None if run is None or run.status.ended else claims_view.MARKS_S)
    if run is not None:
        title = md(run.request.video.title, 120) or UNTITLED_VIDEO
        run_page.deletion_dialog(page, run.id, DELETE_NOTE.format(title=title, count=len(run.checks)))
