"""Findings as version 0.3.0 wrote them: a run that continues one of then asks for none of it again."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from search_core.domain import PlanOrigin, SubtaskState
from search_core.research.store import PAGE, PLAN, PLAN_KEY, SEARCH, SearchOutcome, page_key, search_key

WRITTEN = Path(__file__).parents[1] / "storage" / "written_by_0_3_0" / "maekrak.sqlite"
OF_THE_RUN = "SELECT key, body FROM research_findings WHERE run = (SELECT id FROM research_runs WHERE status = 'complete')"


def test_findings_of_0_3_0_are_read_and_ours_can_be_read_by_it():
    """Plan, search and page are read whole; the fields of then keep their names, for both work on one database in an upgrade."""
    with closing(sqlite3.connect(f"file:{WRITTEN}?mode=ro&immutable=1", uri=True)) as database:
        findings = {key: json.loads(body) for key, body in database.execute(OF_THE_RUN)}
    plan, plan_whole = PLAN.read(findings[PLAN_KEY])
    outcome, outcome_whole = SEARCH.read(findings["search:HBM4는 무엇이 달라졌나?"])
    page, page_whole = PAGE.read(findings[page_key("https://127.0.0.1:39037/revised")])
    assert plan_whole
    assert outcome_whole
    assert page_whole
    assert [subtask.text for subtask in plan.subtasks] == ["HBM4는 무엇이 달라졌나?", "HBM4 대역폭과 가격은 얼마야?"]
    assert (plan.origin, plan.failure) == (PlanOrigin.RULES, None)
    assert (outcome.state, outcome.failure, outcome.interrupted) == (SubtaskState.DONE, "", False)
    assert outcome.ledger[1] == "위키백과: 2건 · 0.0초"
    assert outcome.results[0].url == "https://news.example.kr/articles/1"
    assert page.text.startswith("HBM4 대역폭 초당 2.8테라바이트로")
    assert not page.shortened
    ours = SEARCH.write(SearchOutcome(state=SubtaskState.DONE, ledger=("구글: 2건",)))
    assert {"state": "done", "failure": "", "ledger": ["구글: 2건"], "results": []}.items() <= ours.items()


def test_documents_and_the_web_have_keys_of_their_own():
    """Neither a copy of a page in the library nor a search of the library alone is taken for one of the web."""
    assert search_key("가격", own_only=True) != search_key("가격", own_only=False)
    assert page_key("https://a.example/1", own=True) != page_key("https://a.example/1")
    assert page_key("https://a.example/1?utm_source=x") == page_key("https://a.example/1")
