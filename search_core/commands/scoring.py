"""Which scorer a command used, said as it was."""

from __future__ import annotations

from search_core.core import SearchCore
from search_core.domain import LibraryState, ScorerState
from search_core.embedding import KiwiEmbedder
from search_core.presenting import library_line

SCORER_WAIT_S = 5.0
"""Longer than the model that ships takes to load, and than it takes to find out that there is none."""
LIBRARY_WAIT_S = 10.0
"""A model takes two or three to read its first question of own documents; where it takes longer, words find them."""
_UNSCORED = "하지 못함"


def wait_for_scorer(core: SearchCore) -> ScorerState:
    """Give the model that is loading a little time: a command rather waits a second than scores by words."""
    return core.scorer(wait_s=SCORER_WAIT_S)


def scored_by(scorer: str, state: ScorerState) -> str:
    """Return which *scorer* scored, and why it was not the chosen one, in Korean; *state* is that of scoring now."""
    if scorer == "none":
        return f"채점: {_UNSCORED}"
    label = KiwiEmbedder.label if scorer == KiwiEmbedder.name else f"의미 분석 모델 {scorer}"
    return f"채점: {label}" if state.as_chosen or scorer != state.name else f"채점: {label} ({state.detail})"


def wait_for_own_documents(core: SearchCore) -> LibraryState:
    """Give own documents a little time to be found by meaning; return how they are found."""
    core.own_documents.get_ready(LIBRARY_WAIT_S)
    return core.own_documents.state()


def found_without_meaning(state: LibraryState) -> str:
    """Return a Korean line on own documents that were to be found by meaning and, as *state* says, are not yet; else nothing."""
    return library_line(state) if state.under_way else ""
