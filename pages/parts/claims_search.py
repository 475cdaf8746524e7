"""Finding the claims of a video beside the page: what is said is looked through once, however often the page is drawn."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import services
from search_core.domain import FoundClaims, VideoContext
from search_core.recent import Recent

if TYPE_CHECKING:
    from search_core.core import SearchCore

QUICK_S = 0.3
"""Seconds within which a finding is shown at once, without progress in between."""
_KEPT = 16
_WORKERS = 2


class Findings:
    """Holds what was found of the videos looked at last."""

    def __init__(self) -> None:
        self._workers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="maekrak-claims")
        self._known: Recent[tuple[SearchCore, VideoContext], Future[FoundClaims]] = Recent(_KEPT)

    def of(self, video: VideoContext, *, again: bool = False) -> Future[FoundClaims]:
        """Return what is found of *video*; the finding is begun where it was not yet, or *again*."""
        core = services.core()
        finding = None if again else self._known.get((core, video))
        if finding is None:
            finding = self._workers.submit(core.find_claims, video)
            self._known.put((core, video), finding)
            wait_for((finding,), QUICK_S)
        return finding


@st.cache_resource(show_spinner=False)
def findings() -> Findings:
    """Return the findings of this process."""
    return Findings()
