"""Failures as replies that say what to do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from search_core.agents.calls import BUSY, ENDS, TOO_LATE, Caller, CallRefusedError
from search_core.agents.replies import Status, refusal_of
from search_core.agents.server import create_server
from search_core.agents.videos import StillReadingError
from search_core.errors import InputError, MaekrakError, SettingsError, StorageError, VideoReadError
from search_core.runs.run_kind import RunNotFoundError
from tests.search_core.agents.agent import Agent

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
