"""The choice of claims before a check: the best are selected, each can be deselected, and visitors can add their own."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

import streamlit as st

from pages.parts.claims import claims_state, claims_view
from pages.parts.claims.claims_state import Choice, is_added
from pages.parts.shared import frame
from pages.parts.shared.escaping import clean, label, md
from pages.parts.shared.page_session import PageSession, page_session
from pages.parts.workspace import video_panel
from search_core.domain.claim import Claim, FoundClaims
from search_core.domain.report import MAX_QUESTION_CHARS
from search_core.domain.video import VideoContext
from search_core.errors import MaekrakError
from search_core.language.dates import clock
from search_core.search.presenting.claim_text import budget_text

POLL_S = 0.4
MAX_MOMENTS = 4
SHOWN = 20
"""Claims drawn at once."""
QUOTE_CHARS = 120
_TEXT_KEY = "added-claim"
FINDING_NOTE = "한 시간짜리 영상도 몇 초면 돼요. 아직 아무에게도 물어보지 않아요."
NO_TRANSCRIPT_NEXT = "자막 파일이 있으면 ‘다른 영상’을 눌러 열어 주세요. 확인하고 싶은 주장을 아래에 직접 적어도 돼요."
NO_CLAIMS_NEXT = (
    "문장 {sentences}개를 살펴봤는데, 숫자·날짜·기록처럼 따로 찾아볼 수 있는 말이 없었어요. "
    "확인하고 싶은 주장이 있으면 아래에 직접 적어 주세요."
)
NO_DATE = "영상이 나온 날을 몰라서 상충과 이후 변경을 가리지 못할 수 있어요. ‘영상 정보 고치기’에서 날짜를 넣을 수 있어요."


def choosing(video: VideoContext) -> None:
    """Draw the claims of *video* once they are found, or why there are none."""
    with st.container(key="claims-choosing"):
        st.markdown("## 영상에서 한 말을 하나하나 확인해요", anchors=False)
        if not video.transcript:
            st.markdown(f":material/subtitles_off: **자막이 없는 영상이라 주장을 찾을 수 없어요**  \n{NO_TRANSCRIPT_NEXT}")
            st.fragment(_draw, key="claims-choice")(FoundClaims())
            return
        finding = claims_state.claims_page().find_claims(video)
        if not finding.done():
            st.fragment(_wait, run_every=POLL_S)(finding, len(page_session().lines))
            return
        try:
            result = finding.result()
        except MaekrakError as error:
            st.error(f"**자막을 살펴보지 못했어요**  \n{md(error.korean, 400)}", icon=":material/error:")
            st.button("다시 살펴보기", key="find-again", icon=":material/refresh:")
            return
        if not result.claims:
            then = NO_CLAIMS_NEXT.format(sentences=result.sentences)
            st.markdown(f":material/search_off: **확인할 만한 주장을 찾지 못했어요**  \n{then}")
        notes = [f"문장 {result.sentences}개에서 확인할 만한 주장 {len(result.claims)}개를 찾았어요."] if result.claims else []
        notes += [md(note, 300) for note in result.notes]
        notes += [NO_DATE] if video.published_at is None else []
        if notes:
            st.caption(" ".join(notes))
        st.fragment(_draw, key="claims-choice")(result)


def _wait(finding: Future[FoundClaims], lines: int) -> None:
    if finding.done():
        st.rerun()
    st.markdown(f":shimmer[**자막 {lines:,}줄에서 확인할 만한 주장을 찾고 있어요…**]  \n:small[:gray[{FINDING_NOTE}]]")
    for _ in range(4):
        st.skeleton(height=52)


def _draw(result: FoundClaims) -> None:
    choice = claims_state.claims_page().choose_from(result)
    if choice.claims:
        _start(choice)
        if choice.ordered():
            _controls(choice)
            _list(choice)
        if choice.less_certain:
            _less_certain(choice)
    _add_form(choice)


def _start(choice: Choice) -> None:
    picked = choice.picked()
    words, possible = _what_it_takes(picked) if picked else ("**확인할 주장을 골라 주세요**", False)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="claims-start"):
        st.markdown(words, width="stretch")
        label = f"주장 {len(picked)}개 확인" if picked else "주장 확인"
        if st.button(label, key="start-claims", type="primary", icon=":material/fact_check:", disabled=not possible):
            claims_state.check(picked)
            st.rerun()


def _what_it_takes(picked: Sequence[Claim]) -> tuple[str, bool]:
    """Return as Markdown the cost of checking *picked*, or why it cannot be checked, and whether it can."""
    try:
        budget = claims_state.claims_page().service.budget(picked)
    except MaekrakError as error:
        return f":red[{md(error.korean, 300)}]", False
    if not budget.searches:
        nobody = ":small[:gray[물어볼 수 있는 웹 검색 서비스가 없어요.]]"
        return f"**주장 {budget.claims}개 확인** · 웹 검색 없이 내 자료하고만  \n{nobody}", True
    line = f"**주장 {budget.claims}개 확인** · {budget_text(budget)}"
    pages = f"페이지는 {budget.pages}쪽까지 읽어요." if budget.pages else "페이지는 읽지 않고 검색 결과의 요약만 봐요."
    return f"{line}  \n:small[:gray[찾은 것이 없는 주장은 한 번 더 찾아요. {pages} 누르기 전에는 아무것도 찾지 않아요.]]", True


def _controls(choice: Choice) -> None:
    best = min(claims_state.BEST, len(choice.ordered()))
    ways = {"best": f"확인할 만한 {best}개", "all": "모두 고르기", "none": "모두 빼기"}
    with st.container(horizontal=True, vertical_alignment="center", key="claims-controls"):
        picked = st.menu_button("고르기", list(ways), format_func=ways.__getitem__, key="pick", icon=":material/checklist:")
        if picked is not None:
            {"best": choice.pick_best, "all": choice.pick_all, "none": choice.chosen.clear}[picked]()
            st.rerun()


def _less_certain(choice: Choice) -> None:
    label = f"뺀 문장 가운데 주장일 수도 있는 {len(choice.less_certain)}개 보기"
    key = f"less-certain-{page_session().serial}"
    with st.expander(label, key=key, type="compact", icon=":material/help:", on_change="rerun") as panel:
        if panel.open:
            st.caption("앞뒤 문장 없이는 뜻이 통하지 않을 수 있어요. 재 보니 절반쯤이 주장이었어요. 읽어 보고 직접 골라 주세요.")
            _list(choice, certain=False)
            return
    if chosen := len(choice.less_certain & choice.chosen):
        st.caption(f"이 가운데 {chosen}개를 골랐어요.")


def _list(choice: Choice, *, certain: bool = True) -> None:
    session, claims = page_session(), choice.ordered(certain=certain)
    name = "claims" if certain else "less-certain"
    key = f"{name}-page-{session.serial}"
    first = frame.first_on_page(key, SHOWN)
    with st.container(key=f"{name}-list"):
        for claim in claims[first : first + SHOWN]:
            with st.container(border=True, key=f"pick-row-{session.serial}-{claim.number}"):
                _row(session, choice, claim)
    frame.pages(key, len(claims), SHOWN)


def _row(session: PageSession, choice: Choice, claim: Claim) -> None:
    key = f"pick-{session.serial}-{claim.number}"
    st.session_state[key] = claim.number in choice.chosen
    st.checkbox(label(claim.text, 400), key=key, on_change=choice.switch, args=(claim.number,))
    with st.container(horizontal=True, vertical_alignment="center", key=f"do-{key}"):
        for place, moment in enumerate(claim.places[:MAX_MOMENTS]):
            video_panel.moment_button(moment.start_s, f"at-{key}-{place}")
        doubt = claims_view.doubt_mark(claim, session.video)
        spoken = claim.moments[0].quote if claim.moments else ""
        quote = f"“{md(spoken, QUOTE_CHARS)}”" if spoken.strip() and clean(spoken) != clean(claim.text) else ""
        facts = ("직접 더함", "" if claim.moments else "시각 없음") if is_added(claim) else ()
        about = " · ".join(filter(None, (*facts, quote)))
        st.markdown(f":small[:gray[{about}]] {doubt}".rstrip(), width="stretch")


def _add_form(choice: Choice) -> None:
    with st.form("add-claim", border=True):
        st.markdown("**주장 더하기**")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                "더할 주장",
                key=_TEXT_KEY,
                placeholder="예: HBM4 표준은 2025년 4월에 나왔다",
                max_chars=MAX_QUESTION_CHARS,
                width="stretch",
            )
            st.form_submit_button("더하기", key="add-claim", icon=":material/add:", on_click=_add, args=(choice,))
        if (at_s := page_session().moment_s) is not None:
            st.caption(f"{clock(at_s)} 장면의 주장으로 더해요.")


def _add(choice: Choice) -> None:
    """Add the claim that the visitor wrote, at the visitor's position in the video."""
    session = page_session()
    if text := clean(st.session_state.get(_TEXT_KEY) or "", MAX_QUESTION_CHARS):
        choice.add(text, session.moment_s, session.lines)
        st.session_state[_TEXT_KEY] = ""
