"""The pages over a data folder that version 0.3.0 left: each shows what was stored, and none ends in an error."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pages.parts import video_picker
from search_core.core import SearchCore
from search_core.domain import ResearchStatus
from tests.app.conftest import OpenPage, Visit
from tests.search_core.research.workers import wait_until
from tests.search_core.storage.data_of_0_3_0 import NOBODY, QUESTION, copy_data, core_over

REPORT, PLAN = "HBM4는 무엇이 달라졌나? 대역폭과 가격은 얼마야?", "HBM3E와 HBM4의 차이는?"
DOCUMENT = "HBM4 대역폭 메모"


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchCore]:
    """Return a core over the folder, whose requests are as old as they were some minutes after the last one."""
    folder = tmp_path_factory.mktemp("stored") / "data"
    copy_data(folder)
    _bring_to_today(folder / "events.sqlite")
    with core_over(folder) as core:
        yield core


def _bring_to_today(file: Path) -> None:
    """Move the times of the requests: the health page shows those of the last days."""
    with closing(sqlite3.connect(file)) as log, log:
        rows = [(number, json.loads(event)) for number, event in log.execute("SELECT id, event FROM events")]
        times = {number: datetime.fromisoformat(event["timestamp"]) for number, event in rows}
        later = datetime.now(UTC) - timedelta(minutes=5) - max(times.values())
        for number, event in rows:
            moment = times[number] + later
            body = json.dumps(event | {"timestamp": moment.isoformat()}).encode()
            log.execute("UPDATE events SET at = ?, event = ? WHERE id = ?", (int(moment.timestamp() * 1e6), body, number))


def assert_no_errors(here: Visit) -> None:
    """Fail on any red box but the one that the page holds ready, unseen, for an upload that fails."""
    held_ready = video_picker.FILE_REFUSED.partition("{")[0]
    assert [box for box in here.errors().splitlines() if not box.startswith(held_ready)] == []


def test_the_conversation_is_drawn_as_it_was(visit: OpenPage, core: SearchCore):
    """Questions, answers from video and web, the check with its verdict, and the run with its report stand in their order."""
    (entry,) = core.chat.conversations(NOBODY)
    here = visit(page="chat", core=core, chat=entry.id)
    assert_no_errors(here)
    shown = here.texts()
    parts = (
        f"## {QUESTION}",
        "“HBM4 표준의 대역폭은 한 묶음에 일 초당 최대 2테라바이트입니다.”",
        "일치 1건, 이후 변경 1건, 확인 불가 1건이에요",
        "2024년 노벨 물리학상 수상자는 누구야?",
        "영상에서 언급되지 않았습니다.",
        "웹 검색 결과에서 질문과 관련된 부분을",
        "메모리 장벽이 뭐야?",
        REPORT,
        "조사를 마쳤어요",
        "### 모순되는 내용",
    )
    places = [shown.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)


def test_the_runs_are_drawn_as_they_were(visit: OpenPage, core: SearchCore):
    """The complete run shows report, sources and who was asked, the one that waits its plan; both are listed."""
    runs = {entry.status: entry.id for entry in core.research.list(NOBODY)}
    here = visit(page="research", core=core, run=runs[ResearchStatus.COMPLETE])
    assert_no_errors(here)
    for part in (f"## {REPORT}", "### 요약", "관련도 80", "출처 9개", "위키백과: 2건 · 0.0초"):
        assert part in here.texts()
    here = visit(page="research", core=core, run=runs[ResearchStatus.PLANNED])
    assert_no_errors(here)
    for part in (f"## {PLAN}", "이 계획으로 시작", "계획 확인 대기", REPORT):
        assert part in here.texts()


def test_the_document_is_found_and_the_lab_takes_the_search(visit: OpenPage, core: SearchCore):
    """A search of the library shows the document as the user's own, and the lab counts it beside nothing stored before."""
    here = visit(core=core)
    here.ask(DOCUMENT)
    wait_until(lambda: here.session.job is None or (here.look() is not None and here.session.job is None))
    assert_no_errors(here)
    for part in ("내 자료", DOCUMENT, "한 묶음에 초당 최대 2테라바이트입니다."):
        assert part in here.texts()
    here.open("lab")
    wait_until(lambda: here.look() is not None and "질문: HBM4 대역폭 메모" in here.texts())  # a search is stored beside the page
    assert_no_errors(here)


def test_the_video_of_the_conversation_is_offered_for_a_check(visit: OpenPage, core: SearchCore):
    """The page of checks, which 0.3.0 had not, opens with what can be checked, the stored video included."""
    here = visit(page="claims", core=core)
    assert_no_errors(here)
    assert "최근에 연 영상" in here.texts()


def test_the_requests_are_counted(visit: OpenPage, core: SearchCore):
    """The health page shows the requests of the day, each with its service, and what was asked."""
    here = visit(page="health", core=core)
    assert_no_errors(here)
    rows = here.at.dataframe[0].value.astype(str)
    assert len(rows) >= 17
    told = rows.to_string()
    for part in ("Tavily", "Brave", "위키백과", "내 자료", "HBM4 표준 대역폭 JEDEC"):
        assert part in told
