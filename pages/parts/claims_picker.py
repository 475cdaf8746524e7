"""Before a check: the claims of the video, the highest scores chosen; each can be left out or worded anew, others added."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import claims_labels, claims_state, claims_timeline, frame, services, video_panel
from pages.parts.claims_state import BY_SCORE, BY_TIME, SHOWN, Choice
from pages.parts.escaping import clean, md
from pages.parts.escaping import label as label_text
from pages.parts.page_session import PageSession, page_session
from search_core.domain import MAX_QUESTION_CHARS, Claim, FoundClaims, VideoContext
from search_core.errors import MaekrakError
from search_core.presenting.claim_text import budget_text
from search_core.recent import Recent
from search_core.text.video_time import clock, clock_seconds

if TYPE_CHECKING:
    from search_core.core import SearchCore

POLL_S = 0.4
_READY = "ready"
"""State of a scorer whose model has been loaded."""
MAX_MOMENTS = 4
QUOTE_CHARS = 120
_TEXT_KEY, _TIME_KEY = "added-claim", "added-claim-time"
QUICK_S = 0.3
"""Seconds within which a finding is shown at once, without progress in between."""
_KEPT = 16
_WORKERS = 2


def choosing(video: VideoContext) -> None:
    """Draw the claims of *video* as soon as they are found, or why there are none."""
    with st.container(key="claims-choosing"):
        st.markdown(f"## {claims_labels.TITLE}", anchors=False)
        if not video.transcript:
            st.markdown(f":material/subtitles_off: **{claims_labels.NO_TRANSCRIPT}**  \n{claims_labels.NO_TRANSCRIPT_NEXT}")
            _choose(FoundClaims())
            return
        finding = findings().of(video)
        if not finding.done():
            st.fragment(_wait, run_every=POLL_S)(finding, len(page_session().lines))
            return
        try:
            found = finding.result()
        except MaekrakError as error:
            st.error(f"**{claims_labels.NOT_READ}**  \n{md(error.korean, 400)}", icon=":material/error:")
            st.button(claims_labels.AGAIN_FINDING, key="find-again", icon=":material/refresh:", on_click=_find_again)
            return
        if not found.claims:
            what, then = claims_labels.NO_CLAIMS, claims_labels.NO_CLAIMS_NEXT
            if found.less_certain:
                what, then = claims_labels.NO_CERTAIN_CLAIMS, claims_labels.NO_CERTAIN_CLAIMS_NEXT
            st.markdown(f":material/search_off: **{what}**  \n{then.format(sentences=found.sentences)}")
        notes = [claims_labels.FOUND.format(sentences=found.sentences, claims=len(found.claims))] if found.claims else []
        notes += [md(note, 300) for note in found.notes]
        notes += [claims_labels.NO_DATE] if video.published_at is None else []
        if notes:
            st.caption(" ".join(notes))
        looked_again = claims_state.claims_page().looked_again == page_session().serial
        if not found.complete and not looked_again and services.core().scorer().state == _READY:
            st.button(claims_labels.AGAIN_FINDING, key="find-again", icon=":material/refresh:", on_click=_find_again)
        _choose(found)


def _wait(finding: Future[FoundClaims], lines: int) -> None:
    if finding.done():
        st.rerun()
    st.markdown(f":shimmer[**{claims_labels.FINDING.format(lines=lines)}**]  \n:small[:gray[{claims_labels.FINDING_NOTE}]]")
    for _ in range(4):
        st.skeleton(height=52)


def _find_again() -> None:
    video = page_session().video
    if video is not None:
        claims_state.claims_page().looked_again = page_session().serial
        findings().of(video, again=True)


def _choose(found: FoundClaims) -> None:
    page = claims_state.claims_page()
    choice = page.choose_from(found)
    if page.wanted is not None:
        choice.pick_only(page.wanted, page_session().lines)
        page.wanted = None
    claims_timeline.mark_lines((claim, claims_labels.FOUND_ICON, "") for claim in choice.ordered())
    st.fragment(_draw, key="claims-choice")(found)


def _draw(found: FoundClaims) -> None:
    choice = claims_state.claims_page().choose_from(found)
    if choice.claims:
        _start(choice)
        if choice.ordered():
            _controls(choice)
            _list(choice)
        if choice.less_certain:
            _less_certain(choice)
    _add_form(choice)
    claims_state.claims_page().keep_choice(found)


def _start(choice: Choice) -> None:
    """Draw what a check takes over the button that begins it."""
    picked = choice.picked()
    words, possible = _what_it_takes(picked) if picked else (claims_labels.CHOSEN_NONE, False)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="claims-start"):
        st.markdown(words, width="stretch")
        label = claims_labels.START.format(claims=len(picked)) if picked else claims_labels.START_NONE
        if st.button(label, key="start-claims", type="primary", icon=":material/fact_check:", disabled=not possible):
            claims_state.check(picked)
            st.rerun()


def _what_it_takes(picked: Sequence[Claim]) -> tuple[str, bool]:
    """Return as Markdown what checking *picked* takes, or why it cannot be, and whether it can."""
    try:
        budget = claims_state.claims_page().service.budget(picked)
    except MaekrakError as error:
        return f":red[{md(error.korean, 300)}]", False
    if not budget.searches:
        return f"{claims_labels.CHOSEN_OWN.format(claims=budget.claims)}  \n:small[:gray[{claims_labels.CHOSEN_OWN_NOTE}]]", True
    line = claims_labels.CHOSEN.format(claims=budget.claims, budget=budget_text(budget))
    pages = claims_labels.CHOSEN_PAGES.format(pages=budget.pages) if budget.pages else claims_labels.CHOSEN_SNIPPETS
    return f"{line}  \n:small[:gray[{claims_labels.CHOSEN_NOTE.format(pages=pages)}]]", True


def _controls(choice: Choice) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="claims-controls"):
        best = min(claims_labels.BEST, len(choice.ordered()))
        st.button(
            claims_labels.PICK_BEST.format(count=best),
            key="pick-best",
            help=claims_labels.PICK_BEST_HELP.format(count=best),
            on_click=choice.pick_best,
        )
        st.button(claims_labels.PICK_ALL, key="pick-all", on_click=choice.pick_all)
        st.button(claims_labels.PICK_NONE, key="pick-none", on_click=choice.pick_none, disabled=not choice.chosen)
        orders = {BY_SCORE: claims_labels.BY_SCORE, BY_TIME: claims_labels.BY_TIME}
        key = f"claims-order-{page_session().serial}"
        choice.order = frame.choice(claims_labels.ORDER, orders, key=key, default=choice.order)


def _less_certain(choice: Choice) -> None:
    """Draw in a fold the claims that may not stand alone."""
    label = claims_labels.LESS_CERTAIN.format(count=len(choice.less_certain))
    key = f"less-certain-{page_session().serial}"
    panel = st.expander(label, key=key, type="compact", icon=":material/help:", on_change="rerun")
    if panel.open:
        with panel:
            st.caption(claims_labels.LESS_CERTAIN_NOTE)
            _list(choice, certain=False)
        return
    if choice.editing in choice.less_certain:
        choice.editing = 0
    if chosen := len(choice.less_certain & choice.chosen):
        st.caption(claims_labels.LESS_CERTAIN_CHOSEN.format(count=chosen))


def _list(choice: Choice, *, certain: bool = True) -> None:
    session = page_session()
    claims = choice.ordered(certain=certain)
    name, shown = ("claims", choice.shown) if certain else ("less-certain", choice.shown_less_certain)
    with st.container(key=f"{name}-list"):
        for claim in claims[:shown]:
            with st.container(border=True, key=f"pick-row-{session.serial}-{claim.number}"):
                if choice.editing == claim.number:
                    _edit_form(session, choice, claim)
                else:
                    _row(session, choice, claim)
    rest = len(claims) - shown
    if rest > 0:
        st.button(
            claims_labels.SHOW_MORE.format(count=min(rest, SHOWN)),
            key=f"more-{name}",
            icon=":material/expand_more:",
            type="tertiary",
            on_click=partial(choice.show_more, certain=certain),
        )


def _row(session: PageSession, choice: Choice, claim: Claim) -> None:
    key = f"pick-{session.serial}-{claim.number}"
    st.session_state[key] = claim.number in choice.chosen
    with st.container(horizontal=True, wrap=False, key=f"head-{key}"):
        with st.container(width="stretch"):
            st.checkbox(_label(choice, claim), key=key, on_change=choice.switch, args=(claim.number,))
        st.button(
            claims_labels.EDIT,
            key=f"edit-{key}",
            type="tertiary",
            icon=":material/edit:",
            on_click=_edit,
            args=(choice, claim.number),
        )
        if choice.is_added(claim):
            st.button(
                claims_labels.REMOVE,
                key=f"remove-{key}",
                type="tertiary",
                icon=":material/close:",
                on_click=choice.remove,
                args=(claim.number,),
            )
    with st.container(horizontal=True, vertical_alignment="center", key=f"do-{key}"):
        for place, moment in enumerate(claim.places[:MAX_MOMENTS]):
            video_panel.moment_button(moment.start_s, f"at-{key}-{place}")
        doubt = claims_timeline.doubt(claim, session.video)
        st.markdown(f":small[:gray[{_about(choice, claim)}]] {doubt}".rstrip(), width="stretch")


def _label(choice: Choice, claim: Claim) -> str:
    """Return the words of *claim*; a sentence before it that is a claim by itself, said where this one begins, stands back."""
    others = (other.text for other in choice.claims.values() if other.number != claim.number and other.start_s == claim.start_s)
    before = next(filter(claim.text.startswith, others), "")
    rest = claim.text.removeprefix(before).lstrip(". ")
    return f":gray[{label_text(before, 200)}] {label_text(rest, 300)}" if before and rest else label_text(claim.text, 400)


def _about(choice: Choice, claim: Claim) -> str:
    said = claim.moments[0].quote if claim.moments else ""
    quote = f"“{md(said, QUOTE_CHARS)}”" if said.strip() and clean(said) != clean(claim.text) else ""
    added = choice.is_added(claim)
    known = claims_labels.ADDED if added else claims_labels.EDITED if claim.number in choice.edited else ""
    return " · ".join(filter(None, (known, claims_labels.NO_MOMENT if added and not claim.moments else "", quote)))


def _edit(choice: Choice, number: int) -> None:
    choice.editing, choice.problem = number, ""


def _edit_form(session: PageSession, choice: Choice, claim: Claim) -> None:
    key = f"claim-text-{session.serial}-{claim.number}"
    with st.form(f"edit-claim-{claim.number}", border=False):
        st.text_area(claims_labels.EDIT_LABEL, value=claim.text, key=key, max_chars=MAX_QUESTION_CHARS, height=80)
        if choice.problem:
            st.error(choice.problem, icon=":material/error:")
        with st.container(horizontal=True):
            st.form_submit_button(
                claims_labels.SAVE,
                key="save-claim",
                type="primary",
                on_click=_save,
                args=(choice, claim.number, key),
            )
            st.form_submit_button(claims_labels.CANCEL, key="keep-claim", on_click=_edit, args=(choice, 0))


def _save(choice: Choice, number: int, key: str) -> None:
    choice.reword(number, str(st.session_state.get(key) or ""))


def _add_form(choice: Choice) -> None:
    with st.form("add-claim", border=True):
        st.markdown(f"**{claims_labels.ADD_TITLE}**")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                claims_labels.ADD_TEXT,
                key=_TEXT_KEY,
                placeholder=claims_labels.ADD_HINT,
                max_chars=MAX_QUESTION_CHARS,
                width="stretch",
            )
            st.text_input(claims_labels.ADD_TIME, key=_TIME_KEY, placeholder=claims_labels.ADD_TIME_HINT, max_chars=8, width=150)
            st.form_submit_button(claims_labels.ADD, key="add-claim", icon=":material/add:", on_click=_add, args=(choice,))
        if choice.problem and not choice.editing:
            st.error(choice.problem, icon=":material/error:")


def _add(choice: Choice) -> None:
    text, typed = str(st.session_state.get(_TEXT_KEY) or ""), str(st.session_state.get(_TIME_KEY) or "").strip()
    at_s = clock_seconds(typed) if typed else None
    video = page_session().video
    length = claims_timeline.length_of(video, ()) if video is not None else 0.0
    if typed and at_s is None:
        choice.problem = claims_labels.ADD_BAD_TIME
    elif at_s is not None and 0 < length < int(at_s):
        choice.problem = claims_labels.ADD_LATE.format(length=clock(length))
    elif choice.add(text, at_s, page_session().lines):
        st.session_state[_TEXT_KEY] = st.session_state[_TIME_KEY] = ""


class Findings:
    """Holds what was found of the videos looked at last."""

    def __init__(self) -> None:
        self._workers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="maekrak-claims")
        self._rest = ThreadPoolExecutor(1, thread_name_prefix="maekrak-claims-rest")
        """Looks through whole long videos, which no other visitor waits for."""
        self._known: Recent[tuple[SearchCore, VideoContext], Future[FoundClaims]] = Recent(_KEPT)

    def of(self, video: VideoContext, *, again: bool = False) -> Future[FoundClaims]:
        """Return what is found of *video*; the finding is begun where it was not yet, or *again*, then to its end.

        A first one is quick; where it is not complete the rest is looked for beside the page, and kept for the next one.
        """
        core = services.core()
        finding = None if again else self._known.get((core, video))
        if finding is None:
            finding = self._workers.submit(core.find_claims, video, quickly=not again)
            self._known.put((core, video), finding)
            if not again:
                finding.add_done_callback(lambda quick: self._look_on(core, video, quick))
            wait_for((finding,), QUICK_S)
        return finding

    def _look_on(self, core: SearchCore, video: VideoContext, quick: Future[FoundClaims]) -> None:
        if quick.exception() is None and not quick.result().complete:
            self._rest.submit(core.find_claims, video)


@st.cache_resource(show_spinner=False)
def findings() -> Findings:
    """Return the findings of this process."""
    return Findings()
