"""Replies as text and as structure, page by page; failures as replies that say what to do."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from search_core.agents.calls import BUSY, ENDS, TOO_LATE, Caller, CallRefusedError
from search_core.agents.material import Item
from search_core.agents.replies import Reply, RunId, RunKind, Status, note_of, parse_run_id, refusal_of, render
from search_core.agents.server import create_server
from search_core.agents.videos import StillReadingError
from search_core.errors import InputError, MaekrakError, SettingsError, StorageError, VideoReadError
from search_core.runs.run_kind import RunNotFoundError
from tests.search_core.agents.agent import MAX_REPLY_TOKENS, Agent, count_tokens

LINE = "메모리 대역폭은 계산 장치가 일 초 동안 메모리에서 읽을 수 있는 데이터의 양을 말합니다. "


def _long_reply(page: int) -> Reply:
    hit = {"n": 1, "title": LINE[:40] * 3, "url": "https://news.example.kr/articles/" + "1" * 300, "snippet": LINE * 5}
    return Reply(
        status=Status.DONE,
        note=note_of(LINE * 50),
        coverage=tuple(f"service-{number}: network_error (0) {LINE}" for number in range(12)),
        facts={"run_id": "answer." + "x" * 45, "services": {f"service-{number}": "network_error" for number in range(12)}},
        items=tuple(Item("results", hit, f"[1] {hit['title']} {hit['url']}\n{hit['snippet']}") for _ in range(50)),
        page=page,
        how_to_page="get_run with ",
    )


def test_the_longest_reply_is_short_enough():
    """Text and structure together stay within 4,000 tokens on every page; a page past the last one is refused."""
    text, told = render(_long_reply(1))
    for page in range(1, told["pages"] + 1):
        text, told = render(_long_reply(page))
        assert count_tokens(text + json.dumps(told, ensure_ascii=False)) <= MAX_REPLY_TOKENS
        assert told["data"]["results"]
    assert told["coverage"][-1] == f"… {12 - len(told['coverage']) + 1} more lines"
    assert f"Page {page} of {page}." in told["note"]
    assert "For the next one: get_run with page=2." in render(_long_reply(1))[1]["note"]
    _, told = render(_long_reply(1_000))
    assert (told["status"], told["data"]) == ("bad_input", {})
    assert told["note"].startswith("There is no page 1000; the last one is ")


def test_the_text_says_what_the_structure_says():
    """Status, note, ids and coverage stand before the marks, material between them; what is empty is left out."""
    coverage, services = ("searxng: timeout (0)",), {"searxng": "timeout"}
    facts = {"run_id": "research.1", "video": "", "services": services}
    items = (Item("report", "보고", "보고"),)
    text, told = render(Reply(status=Status.PARTIAL, note="Time was up.", coverage=coverage, facts=facts, items=items))
    head, mark, body, end = text.rsplit("\n", 3)
    ids = ["run_id: research.1", "services: searxng=timeout"]
    assert head.splitlines() == ["status: partial", "Time was up.", *ids, "coverage: searxng: timeout (0)"]
    assert (body, mark) == ("보고", end)
    assert (told["status"], told["note"], told["coverage"]) == ("partial", "Time was up.", list(coverage))
    assert (told["run_id"], told["services"], told["pages"]) == ("research.1", services, 1)
    assert told["data"] == {"report": "보고"}
    assert "video" not in told


def test_ids_are_read_as_they_are_written():
    """Ids come back as they were given out."""
    for run in (RunId(RunKind.RESEARCH, "a-b_c"), RunId(RunKind.CLAIMS, "x_y"), RunId(RunKind.ANSWER, "a-b_c", "d--e")):
        assert parse_run_id(f" {run} ") == run


SECRET = "sk-in-a-path"


@pytest.mark.parametrize(
    ("error", "status", "said", "failed"),
    [
        (StillReadingError(), Status.RUNNING, "Call again with the same arguments", False),
        (VideoReadError("No captions.", korean="자막이 없어요."), Status.COULD_NOT_READ, "No captions. 자막이 없어요.", True),
        (InputError("Too long.", korean="너무 길어요."), Status.BAD_INPUT, "Too long. 너무 길어요.", True),
        (RunNotFoundError("There is no such run.", korean="조사를 찾을 수 없어요."), Status.BAD_INPUT, "", True),
        (CallRefusedError(TOO_LATE), Status.FAILED, "Call again", True),
        (CallRefusedError(BUSY), Status.FAILED, "Call again in a few seconds", True),
        (CallRefusedError(ENDS), Status.FAILED, "Call again in a moment", True),
        (StorageError(SECRET, korean=SECRET), Status.FAILED, "log of the server", True),
        (SettingsError(SECRET, korean=SECRET), Status.FAILED, "its log says which", True),
        (MaekrakError("Odd.", korean="이상해요."), Status.FAILED, "Odd. 이상해요.", True),
    ],
)
def test_a_failure_is_told_with_what_to_do(error: Exception, status: Status, said: str, failed: bool):
    """Each kind has its status; what the agent cannot mend is told without the details that are in the log."""
    reply = refusal_of(error)
    assert (reply.status, reply.error) == (status, failed)
    assert said in reply.note
    assert SECRET not in reply.note


def test_a_fault_of_our_own_is_told_and_logged(caplog: pytest.LogCaptureFixture):
    """The agent learns that something went wrong and nothing of what; the log has the traceback."""
    broken: Any = SimpleNamespace(samples=lambda: 1 / 0)
    with Agent(create_server(lambda: broken, lambda _: Caller())) as agent:
        answer = agent.call("read_transcript", video="sample-hbm")
    assert (answer.status, answer.error) == ("failed", True)
    assert "division" not in answer.text
    assert "ZeroDivisionError" in caplog.text
