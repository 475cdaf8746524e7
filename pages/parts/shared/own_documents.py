"""Own documents: added, removed, how they are currently searched, and one opened to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.parts.shared import services
from pages.parts.shared.escaping import clean, md
from pages.parts.shared.page_session import page_session
from pages.parts.shared.visitor import owner
from search_core.errors import MaekrakError
from search_core.runtime import ASKED_BY
from search_core.search.presenting.dates import korean_date

PREFIX = "library:"
"""Begins the address of a document of the library."""
DOCUMENTS = (".pdf", ".docx", ".hwpx", ".md", ".markdown", ".html", ".htm")
"""Endings of files that are no transcripts of a video."""


def may_add() -> bool:
    """Return whether the visitor may add documents: anyone logged in, or without logins a visitor at this machine."""
    return bool(owner()) or not (services.core().settings.allowed_hosts or isinstance(st.context.ip_address, str))


def add(files: Mapping[str, bytes], question: str = "") -> None:
    """Put *files* into the library, ask the *question* that came with them, and redraw the page."""
    session = page_session()
    if not may_add():
        session.open_error = "다른 컴퓨터에서 여는 서버라서, 로그인해야 문서를 넣을 수 있어요."
        session.draft = question or session.draft
        st.rerun()
    with st.spinner(md(f"{_names(tuple(files))} 내 자료에 넣고 있어요")):
        failed = {}
        for name, data in files.items():
            try:
                services.core().own_documents.add(owner(), name, data)
            except MaekrakError as error:
                failed[name] = error.korean
    session.open_error = " ".join(f"{name}: {why}" for name, why in failed.items())
    if added := [name for name in files if name not in failed]:
        session.notice = f"{_names(added)} 내 자료에 넣었어요. 질문하면 함께 찾아요. ‘기록’에서 뺄 수 있어요."
        session.handed_over = question
    else:
        session.draft = question or session.draft
    st.rerun()


def _names(names: Sequence[str]) -> str:
    return f"“{clean(names[0], 60)}” {f'외 {len(names) - 1}개를' if len(names) > 1 else '파일을'}"


def files() -> None:
    """Draw the visitor's files in the library, each with a button to remove it."""
    try:
        names = services.core().own_documents.added(owner())
    except MaekrakError as error:
        st.error(md(error.korean, 300), icon=":material/error:")
        return
    if not names:
        return
    with st.expander(f"내 자료에 넣은 파일 {len(names)}개", key="own-files", icon=":material/folder:", type="compact"):
        for name in names:
            with st.container(horizontal=True, wrap=False, vertical_alignment="center", key=f"own-file-{name}"):
                st.markdown(md(name, 120), width="stretch")
                if st.button("지우기", key=f"remove-document-{name}", type="tertiary", icon=":material/delete:"):
                    try:
                        services.core().own_documents.remove(owner(), name)
                    except MaekrakError as error:
                        st.error(md(error.korean, 300), icon=":material/error:")
                    else:
                        st.rerun()


def title_button(label: str, url: str, key: str) -> None:
    """Draw the title of a document, *label* as Markdown, as a button that opens its text in a dialog."""
    if not st.button(label, key=key, type="tertiary", help="이 자료 읽기", width="stretch", wrap=True):
        return
    ASKED_BY.set(owner())
    document = services.core().library_document(url)

    def read() -> None:
        if document is None:
            st.warning("이 자료를 더는 찾을 수 없어요. 지워졌거나 다시 색인되었을 수 있어요.")
            return
        published = korean_date(document.published) if document.published is not None else ""
        st.caption(" · ".join(filter(None, (md(document.source, 80), published))))
        for paragraph in document.text.split("\n\n")[:200]:
            if paragraph.strip():
                st.text(clean(paragraph, 4000))

    title = md(document.title, 160) if document is not None else ""
    st.dialog(title or "자료", width="medium")(read)()
