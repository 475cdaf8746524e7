"""The choice of stored searches in the lab: those of a scope, or the ones picked of them in the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import streamlit as st

from pages.parts import lab_labels, services
from pages.parts.escaping import clean, md
from pages.parts.page_session import page_session
from pages.parts.visitor import owner
from search_core.domain import StoredSearch, StoredSearchEntry, video_key
from search_core.evaluation.labels import LabelledSearch
from search_core.presenting import korean_date

SCOPE_KEY, TABLE_KEY, NOTE_KEY = "lab-scope", "lab-table", "lab-note"
_LOADED = "lab-loaded"
_SET = "set:"
LABELLED = "labelled"
"""The name of the scope of searches with labels."""


def choose() -> tuple[StoredSearch, ...]:
    """Draw the choice and return the chosen searches as they are stored, newest first."""
    searches = services.core().stored_searches
    everything = searches.count(owner())
    if not everything:
        st.info(lab_labels.NONE_KEPT, icon=":material/science:")
        return ()
    scopes = _scopes()
    names = list(scopes)
    if st.session_state.get(SCOPE_KEY) not in names:
        labelled = bool(searches.entries(owner(), labelled=True))
        st.session_state[SCOPE_KEY] = LABELLED if labelled else "all"
    scope = st.selectbox(
        lab_labels.SCOPE, names, key=SCOPE_KEY, format_func=lambda name: scopes[name][0], persist_state="session"
    )
    entries = scopes[scope][1]()
    if not entries:
        st.caption(lab_labels.NONE_LABELLED if scope == LABELLED else lab_labels.NONE_HERE)
        return ()
    if everything > len(entries) and scope == "all":
        st.caption(lab_labels.MORE_KEPT.format(count=everything, listed=len(entries)))
    picked = _table(entries)
    return load([entry.id for entry in picked or entries])


def load(ids: Sequence[str]) -> tuple[StoredSearch, ...]:
    """Return these searches; read anew when a label was given or another search is looked at."""
    wanted = tuple(ids)
    stored: tuple[tuple[str, ...], tuple[StoredSearch, ...]] | None = st.session_state.get(_LOADED)
    if stored is None or stored[0] != wanted:
        stored = (wanted, services.core().stored_searches.load(wanted, owner()))
        st.session_state[_LOADED] = stored
    return stored[1]


def labelled(stored: Sequence[StoredSearch]) -> tuple[LabelledSearch, ...]:
    """Return *stored* as the measures take them."""
    return tuple(map(LabelledSearch.of, stored))


def forget() -> None:
    """Let the next drawing read the searches anew."""
    st.session_state.pop(_LOADED, None)


def summarize(searches: Sequence[LabelledSearch]) -> None:
    """Say how many searches, results and labels are looked at."""
    results = sum(len(search.results) for search in searches)
    labels = sum(len(search.labels) for search in searches)
    share = f"{labels / results:.0%}" if results else "0%"
    st.caption(lab_labels.CHOSEN.format(searches=len(searches), results=results, labels=labels, share=share))


def _scopes() -> dict[str, tuple[str, Callable[[], tuple[StoredSearchEntry, ...]]]]:
    """Return what can be looked at: by its name in the session, what it is called and its searches."""
    searches, whose, session = services.core().stored_searches, owner(), page_session()
    scopes: dict[str, tuple[str, Callable[[], tuple[StoredSearchEntry, ...]]]] = {
        LABELLED: (lab_labels.SCOPE_LABELLED, lambda: searches.entries(whose, labelled=True)),
        "all": (lab_labels.SCOPE_ALL, lambda: searches.entries(whose)),
        "week": (lab_labels.SCOPE_WEEK, lambda: searches.entries(whose, since=datetime.now(UTC) - timedelta(days=7))),
    }
    if session.video is not None:
        key = video_key(session.video)
        scopes["video"] = (lab_labels.SCOPE_VIDEO, lambda: searches.entries(whose, video=key))
    for name, count in searches.sets(whose).items():
        words = lab_labels.SCOPE_SET.format(name=clean(name, 40), count=count)
        scopes[f"{_SET}{name}"] = (words, lambda name=name: searches.entries(whose, set_name=name))  # type: ignore[misc]
    return scopes


def _table(entries: Sequence[StoredSearchEntry]) -> list[StoredSearchEntry]:
    """Draw the table and return the searches that are picked in it."""
    columns = lab_labels.COLUMNS
    rows = [
        {
            columns["query"]: clean(entry.query, 200),
            columns["video"]: clean(entry.video_title, 80),
            columns["when"]: korean_date(entry.created_at),
            columns["labels"]: entry.labels,
            columns["sample"]: entry.sample,
        }
        for entry in entries
    ]
    state: Any = st.dataframe(
        rows,
        key=f"{TABLE_KEY}-{len(entries)}",
        on_select="rerun",
        selection_mode="multi-row",
        hide_index=True,
        height=min(320, 38 + 35 * len(rows)),
    )
    picked = [entries[row] for row in state.selection.rows if row < len(entries)]
    st.caption(lab_labels.NARROWED)
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab-picked"):
        if picked:
            name = st.text_input(lab_labels.SET_NAME, key="lab-set-name", max_chars=60, width=220)
            st.button(lab_labels.SET_SAVE, key="lab-set-save", disabled=not name.strip(), on_click=_save_set, args=(name, picked))
            st.button(lab_labels.DELETE, key="lab-delete", icon=":material/delete:", on_click=_delete, args=(picked,))
            if len(picked) == 1:
                st.link_button(lab_labels.OPEN, f"/?job={picked[0].id}", icon=":material/open_in_new:")
    return picked


def _save_set(name: str, picked: Sequence[StoredSearchEntry]) -> None:
    services.core().stored_searches.put_in_set(name.strip(), owner(), [entry.id for entry in picked])
    st.session_state[NOTE_KEY] = lab_labels.SET_SAVED.format(name=md(name.strip(), 60), count=len(picked))


def _delete(picked: Sequence[StoredSearchEntry]) -> None:
    ids = [entry.id for entry in picked]
    count = services.core().delete_searches(ids, owner())
    if page_session().search_id in ids:
        page_session().drop_search()
    forget()
    st.session_state[NOTE_KEY] = lab_labels.DELETED.format(count=count)
