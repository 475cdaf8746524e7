"""The list of a visitor's conversations, reports and checks, newest first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import streamlit as st

from pages.parts.claims.claims_state import claims_page
from pages.parts.shared import buttons, frame
from pages.parts.shared.buttons import button
from pages.parts.shared.escaping import clean, md
from pages.parts.shared.page_session import page_session
from pages.parts.shared.page_state import PageState, RunPageState
from pages.parts.shared.visitor import owner
from pages.parts.workspace import chat_state
from pages.parts.workspace.chat_state import chat_page, research_page
from search_core.domain.claim import ClaimsEntry
from search_core.domain.conversation import ConversationEntry
from search_core.domain.research import ResearchEntry
from search_core.search.presenting.dates import relative_time
from search_core.search.presenting.wording import UNTITLED_VIDEO

PAGE_SIZE = 20
EMPTY = "아직 기록이 없어요. 작업에서 물어본 것과 조사하고 확인한 것이 여기에 모여요."
ENDS = {
    "planned": "계획 확인 대기",
    "complete": "완료",
    "finished_early": "서둘러 마무리",
    "stopped": "멈춤",
    "failed": "끝내지 못함",
}
"""Words for the statuses of runs that wait or have ended; others are under way."""
_ICONS = {"chat": ":material/forum:", "run": ":material/travel_explore:", "claims": ":material/fact_check:"}


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of the list."""

    page: PageState[Any, Any]
    id: str
    title: str
    when: datetime
    facts: tuple[str, ...]
    under_way: bool = False

    @property
    def key(self) -> str:
        """Return a unique key."""
        return f"{self.page.PARAM}-{self.id}"

    @property
    def words(self) -> str:
        """Return the searchable text in lower case."""
        return " ".join((self.page.NOUN, self.title, *self.facts)).casefold()


def records() -> None:
    """Draw the list, or those of its records whose entries contain all searched words."""
    query = frame.search_line("기록에서 찾기", "records-query")
    everything = sorted(_all(), key=lambda record: record.when, reverse=True)
    words = query.casefold().split()
    matches = [record for record in everything if all(word in record.words for word in words)]
    for page in _pages():
        page.show_problem()
    if not matches:
        st.caption(EMPTY if not everything else f"“{md(query, 60)}”에 맞는 기록이 없어요.")
    place_key = f"records-page-{' '.join(words)}"
    first = frame.first_on_page(place_key, PAGE_SIZE)
    with st.container(key="records"):
        for record in matches[first : first + PAGE_SIZE]:
            with st.container(horizontal=True, wrap=False, vertical_alignment="center", key=f"record-{record.key}"):
                _row(record)
    frame.pages(place_key, len(matches), PAGE_SIZE)


def _pages() -> tuple[PageState[Any, Any], ...]:
    return chat_page(), research_page(), claims_page()


def _all() -> Iterator[Record]:
    """Yield all entries but reports that stand in a listed conversation; report on the page each kind that cannot be read."""
    listed = set()
    for page in _pages():
        page.unreadable = ""
        for entry in page.entries():
            listed.add(entry.id)
            if not (isinstance(entry, ResearchEntry) and entry.conversation in listed):
                yield _record(page, entry)


def _record(page: PageState[Any, Any], entry: ConversationEntry | ResearchEntry | ClaimsEntry) -> Record:
    if isinstance(entry, ConversationEntry):
        facts = (entry.video_title or "영상 없이", f"메시지 {entry.messages}개")
        return Record(page, entry.id, entry.title or chat_state.UNTITLED, entry.updated_at, facts)
    under_way = entry.status not in ENDS
    status = ENDS.get(entry.status, f"{page.NOUN} 중")
    if isinstance(entry, ResearchEntry):
        return Record(page, entry.id, entry.question, entry.created_at, (status,), under_way)
    return Record(page, entry.id, entry.title or UNTITLED_VIDEO, entry.created_at, (f"주장 {entry.claims}개", status), under_way)


def _row(record: Record) -> None:
    facts = " · ".join((record.page.NOUN, relative_time(record.when), *(md(fact, 80) for fact in record.facts)))
    label = f"{_ICONS[record.page.PARAM]} {md(record.title, 120)}  \n:small[:gray[{facts}]]"
    if st.button(label, key=f"open-{record.key}", type="tertiary", width="stretch", wrap=True):
        _open(record)
    with st.popover(
        "더 보기", key=f"more-{record.key}", icon=":material/more_horiz:", type="tertiary", on_change="rerun"
    ) as more:
        if more.open:
            _tools(record)


def _open(record: Record) -> None:
    session = page_session()
    for page in _pages():
        page.leave()
    session.drop_search()
    session.opened, session.tab, session.asked = {}, "claims" if record.page is claims_page() else "", ""
    st.switch_page("pages/work.py", query_params={record.page.PARAM: record.id})


def _tools(record: Record) -> None:
    page, key = record.page, f"export-{record.key}"
    file_name = "-".join(re.findall(r"[^\W_]+", clean(record.title, 40))) or f"maekrak-{page.NAME}"
    if isinstance(page, RunPageState):
        make: Callable[[str], bytes] = partial(page.make_file, record.id, owner())
        buttons.download_buttons(page.EXPORTS, make, file_name, record.when, key=key)
    else:
        whole, label = partial(chat_state.chat().export, record.id, owner()), buttons.FILES["markdown"][0]
        buttons.download_button(label, whole, "markdown", file_name, record.when, key=key, width="stretch")
    off, tip = record.under_way, f"{page.OBJECT} 멈춘 뒤에 지울 수 있어요." if record.under_way else ""
    button("지우기", _delete, record, key=f"delete-{record.key}", icon="delete", tip=tip, width="stretch", disabled=off)


def _delete(record: Record) -> None:
    page = record.page
    if page.attempt(partial(page.remove_of, owner(), record.id)) and page.id == record.id:
        page.leave()
