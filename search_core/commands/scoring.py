"""Which scorer a command used, said as it was."""

from __future__ import annotations

import sys

from search_core.core import SearchCore
from search_core.domain.scorer import ScorerState
from search_core.embedding import KiwiEmbedder

_UNSCORED = "하지 못함"


def tell_what_decided(core: SearchCore) -> ScorerState:
    """Return which scorer is at work, and name it on standard error where it is not the one that was chosen."""
    state = core.scorer()
    if not state.as_chosen:
        print(f"{state.label}: {state.detail}", file=sys.stderr, flush=True)
    return state


def scored_by(scorer: str, state: ScorerState) -> str:
    """Return which *scorer* scored, and why it was not the chosen one, in Korean; *state* is that of scoring now."""
    if scorer == "none":
        return f"채점: {_UNSCORED}"
    label = KiwiEmbedder.label if scorer == KiwiEmbedder.name else f"의미 분석 모델 {scorer}"
    return f"채점: {label}" if state.as_chosen or scorer != state.name else f"채점: {label} ({state.detail})"
