"""The choice of a profile in the sidebar: settings of the order under a name."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.parts import controls, lab_labels, services
from pages.parts.escaping import clean
from pages.parts.visitor import owner
from search_core.domain import RankingOptions
from search_core.errors import MaekrakError

CHOICE_KEY = "profile"


def choice() -> None:
    """Draw the choice of a profile, which stands on the one whose settings the controls show."""
    try:
        known = dict(services.core().stored_searches.profiles(owner()))
    except MaekrakError:  # the page says so where searches are stored
        return
    with st.container(key="profile-place"):
        if not known:
            return
        present = controls.ranking()
        names = [lab_labels.PROFILE_NONE, *known]
        fitting = next((name for name, ranking in known.items() if same_controls(ranking, present)), lab_labels.PROFILE_NONE)
        st.session_state[CHOICE_KEY] = fitting
        st.selectbox(
            lab_labels.PROFILES,
            names,
            key=CHOICE_KEY,
            format_func=partial(clean, limit=60),
            help=lab_labels.PROFILE_HELP,
            on_change=_apply,
            args=(known,),
        )


def same_controls(one: RankingOptions, other: RankingOptions) -> bool:
    """Return whether the controls of the sidebar stand alike for both."""
    return controls.positions(one) == controls.positions(other)


def _apply(known: dict[str, RankingOptions]) -> None:
    chosen = st.session_state[CHOICE_KEY]
    if chosen in known:
        controls.use(known[chosen])
