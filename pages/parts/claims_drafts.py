"""Visitors' choices of claims, stored in this process under a word of the address, by which a reload finds them."""

from __future__ import annotations

import secrets
from dataclasses import replace

import streamlit as st

from pages.parts.claims_choice import Choice
from pages.parts.visitor import owner
from search_core.domain import FoundClaims
from search_core.recent import Recent

PARAM = "picked"
"""Its name in the address."""
_KEPT = 200


@st.cache_resource(show_spinner=False)
def _choices() -> Recent[tuple[str, str], tuple[FoundClaims, Choice]]:
    """Return the choices of this process by their owner and their word, each with the claims it was made of."""
    return Recent(_KEPT)


def store(choice: Choice, found: FoundClaims, word: str) -> str:
    """Keep *choice* under *word* once it is not the one that is made for everybody, and return the word, a new one for none."""
    if not word and choice == Choice.of(found):
        return ""
    word = word or secrets.token_urlsafe(12)
    _choices().put((owner(), word), (found, _copy(choice)))
    return word


def find(found: FoundClaims, word: str) -> Choice | None:
    """Return the visitor's choice that is stored under *word*, if it is of the same claims; else None."""
    stored = _choices().get((owner(), word)) if word else None
    return _copy(stored[1]) if stored is not None and stored[0] == found else None


def _copy(choice: Choice) -> Choice:
    """Return *choice* as it is when nothing of it is being worded."""
    claims, chosen, edited = dict(choice.claims), set(choice.chosen), set(choice.edited)
    return replace(choice, claims=claims, chosen=chosen, edited=edited, editing=0, problem="")
