"""Which scorer a command used, said as it was."""

from __future__ import annotations

import sys

from search_core.core import SearchCore
from search_core.domain import LibraryState, ScorerState
from search_core.embedding import KiwiEmbedder
from search_core.presenting import library_line

QUIET_S = 3.0
"""Longer than the model that ships takes to load, and than it takes to find out that there is none."""
LIBRARY_WAIT_S = 10.0
"""A model takes two or three to read its first question of own documents; where it takes longer, words find them."""
_UNSCORED = "하지 못함"


def wait_for_scorer(core: SearchCore, wait_s: float) -> ScorerState:
    """Wait for the model of meaning, at most *wait_s* seconds, for it decides better than words.

    Standard error tells of a wait that takes long, and what decides in place of the model that was chosen.
    """
    core.models.start()
    state = core.scorer(wait_s=min(wait_s, QUIET_S))
    if state.awaited and wait_s > QUIET_S:
        print(f"의미 분석 모델을 {wait_s:g}초까지 기다려요(--model-wait로 바꿀 수 있어요).", file=sys.stderr, flush=True)
        state = core.scorer(wait_s=wait_s - QUIET_S)
    if not state.as_chosen:
        print(f"{state.label}: {state.detail}", file=sys.stderr, flush=True)
    return state


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
