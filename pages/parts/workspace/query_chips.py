"""The query in one line, which unfolds for changes."""

from __future__ import annotations

import streamlit as st

from pages.parts.shared.buttons import button, quiet
from pages.parts.shared.escaping import clean, md
from pages.parts.shared.page_session import VERBATIM_KEY, PageSession, page_session
from pages.parts.workspace import asking, search_actions
from search_core.domain.query import ConstructedQuery, PartOrigin, VariantOrigin
from search_core.search.presenting.wording import name_referent

LEFT_OUT_HELP = "질문에서 제외한 말이라 검색어에 넣지 않았어요. 이 말이 들어 있는 결과도 나올 수 있어요."
REFERENT = "‘{word}’ = **{meaning}**"
ORIGINS: dict[PartOrigin, str] = {
    PartOrigin.QUESTION: "질문",
    PartOrigin.SPEAKER: "영상 인물",
    PartOrigin.ORGANIZATION: "영상 기업·기관",
    PartOrigin.EVENT: "행사",
    PartOrigin.TITLE: "영상 제목",
    PartOrigin.TRANSCRIPT: "자막",
    PartOrigin.MEMORY: "앞선 질문",
    PartOrigin.DATE: "날짜",
}
WORDINGS: dict[VariantOrigin, str] = {
    VariantOrigin.WITH_CONTEXT: "영상 맥락을 더해 함께 검색",
    VariantOrigin.OTHER_CONTEXT: "영상의 다른 말로도 검색",
    VariantOrigin.WITHOUT_CONTEXT: "영상 맥락 없이도 검색",
    VariantOrigin.MODEL: "모델이 쓴 검색어",
}


def strip(constructed: ConstructedQuery) -> None:
    """Draw the query in one line, which unfolds for changes."""
    session = page_session()
    with st.popover(_query_words(constructed), key="query", type="tertiary", icon=":material/manage_search:"):
        _chips(constructed)
        _referents(session, constructed)
    for referent in () if constructed.verbatim else constructed.referents:
        if not referent.meaning:
            unknown = "알 수 없어 영상의 주제로 찾았어요. 이름을 넣으면 더 정확해요."
            if session.video is None:
                unknown = "알 수 없었어요. 이름을 넣어 다시 물어봐 주세요."
            st.caption(f":orange[:material/help:] ‘{md(referent.reference, 30)}’: 무엇을 가리키는지 {unknown}")


def _query_words(constructed: ConstructedQuery) -> str:
    """Return the query in one line: the meanings of its pointing words, then its parts."""
    referents = () if constructed.verbatim else [referent for referent in constructed.referents if referent.meaning]
    meanings = [REFERENT.format(word=md(referent.reference, 20), meaning=md(referent.meaning, 40)) for referent in referents]
    names = {referent.meaning for referent in referents}
    return " · ".join([*meanings, *(md(part.text, 40) for part in constructed.parts if part.text not in names)])


def _chips(constructed: ConstructedQuery) -> None:
    """Draw the query's parts with their origins, then other wordings; a click removes one and searches again."""
    session = page_session()
    with st.container(horizontal=True, key="chips", vertical_alignment="center"):
        st.caption("검색어", width="content")
        mixed = len({part.origin for part in constructed.parts}) > 1
        for index, part in enumerate(constructed.parts):
            origin = ORIGINS[part.origin] if mixed or part.origin is not PartOrigin.QUESTION else ""
            _chip(f"part-{index}", part.text, origin, fixed=constructed.verbatim or len(constructed.parts) == 1)
        for index, variant in enumerate(constructed.also):
            _chip(f"also-{index}", variant.text, WORDINGS[variant.origin], fixed=False)
        for index, word in enumerate(constructed.left_out):
            st.button(f":gray[~~{md(word, 60)}~~ · 뺀 말]", key=f"left-out-{index}", help=LEFT_OUT_HELP, disabled=True)
        for index, text in enumerate(session.removed):
            label, tip, off = f":gray[~~{md(text, 60)}~~]", "다시 넣고 검색해요", session.searching
            button(label, search_actions.switch_part, text, key=f"restore-{index}", icon="add", tip=tip, disabled=off)
        tip, again = "영상의 맥락을 더하지 않고, 적은 그대로 검색해요.", search_actions.again
        st.toggle("원문 그대로", key=VERBATIM_KEY, help=tip, on_change=again, persist_state="session")


def _referents(session: PageSession, constructed: ConstructedQuery) -> None:
    """Draw what pointing words were taken to mean, as in "‘this company’ = SK hynix", with other names to choose instead."""
    for number, referent in enumerate(() if constructed.verbatim else constructed.referents):
        if not referent.meaning:
            continue
        with st.container(horizontal=True, key=f"referent-{number}", vertical_alignment="center"):
            taken = REFERENT.format(word=md(referent.reference, 30), meaning=md(referent.meaning, 60))
            st.caption(taken + (" · 바꾸기:" if referent.others else ""), width="content")
            for place, name in enumerate(referent.others):
                label, tip = md(name, 40), f"‘{md(name, 40)}’(으)로 바꾸어 다시 검색해요."
                key, question = f"referent-{number}-{place}", name_referent(session.asked, referent, name)
                quiet(label, asking.ask, question, True, key=key, tip=tip, disabled=session.searching)


def _chip(key: str, text: str, origin: str, *, fixed: bool) -> None:
    label, key = f"{md(text, 60)} :gray[· {origin}]" if origin else md(text, 60), f"{key}-{clean(text, 60)}"
    look = {"disabled": True} if fixed else {"icon": "close", "icon_position": "right", "tip": "이 검색어를 빼고 다시 검색해요"}
    button(label, search_actions.switch_part, text, key=key, **look)
