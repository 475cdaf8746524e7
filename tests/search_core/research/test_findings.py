"""Findings as version 0.3.0 wrote them: a run that continues one of then asks for none of it again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from search_core.domain import PlanOrigin, SubtaskState
from search_core.research.findings import PAGE, SEARCH, page_key, search_key
from search_core.research.outcomes import SearchOutcome
from search_core.research.store import PLAN, PLAN_KEY

WRITTEN = Path(__file__).parents[1] / "storage" / "written_by_0_3_0" / "maekrak.sqlite"


@pytest.fixture
def findings() -> Iterator[dict[str, Any]]:
    """Yield what the run with a report had found, by key."""
    with closing(sqlite3.connect(f"file:{WRITTEN}?mode=ro&immutable=1", uri=True)) as database:
        rows = database.execute(
            "SELECT key, body FROM research_findings WHERE run = (SELECT id FROM research_runs WHERE status = 'complete')"
        )
        yield {key: json.loads(body) for key, body in rows}


def test_a_plan_is_read(findings: dict[str, Any]):
    """Its subtasks, origin and note are read; it never held a failure."""
    plan, whole = PLAN.read(findings[PLAN_KEY])
    assert whole
    assert [subtask.text for subtask in plan.subtasks] == ["HBM4는 무엇이 달라졌나?", "HBM4 대역폭과 가격은 얼마야?"]
    assert (plan.origin, plan.failure) == (PlanOrigin.RULES, None)
    assert plan.note.startswith("언어 모델이 없어서")


def test_a_search_is_read(findings: dict[str, Any]):
    """What each service said and what was found are there, the state as the search had left it."""
    outcome, whole = SEARCH.read(findings["search:HBM4는 무엇이 달라졌나?"])
    assert whole
    assert (outcome.state, outcome.failure, outcome.interrupted) == (SubtaskState.DONE, "", False)
    assert outcome.ledger[1] == "위키백과: 2건 · 0.0초"
    assert outcome.results[0].url == "https://news.example.kr/articles/1"


def test_a_page_is_read(findings: dict[str, Any]):
    """Its text is read by its address; 0.3.0 did not store whether it was shortened."""
    page, whole = PAGE.read(findings[page_key("https://127.0.0.1:39037/revised")])
    assert whole
    assert page.text.startswith("HBM4 대역폭 초당 2.8테라바이트로")
    assert not page.shortened


def test_a_stored_search_can_be_read_by_the_version_before():
    """During a rolling upgrade both work on one database: the fields of then are there under their names."""
    kept = SEARCH.write(SearchOutcome(state=SubtaskState.DONE, ledger=("구글: 2건",)))
    assert {"state": "done", "failure": "", "ledger": ["구글: 2건"], "results": []}.items() <= kept.items()


def test_documents_and_the_web_have_keys_of_their_own():
    """Neither a copy of a page in the library nor a search of the library alone is taken for one of the web."""
    assert search_key("가격", own_only=True) != search_key("가격", own_only=False)
    assert page_key("https://a.example/1", own=True) != page_key("https://a.example/1")
    assert page_key("https://a.example/1?utm_source=x") == page_key("https://a.example/1")
