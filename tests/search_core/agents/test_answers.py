"""Answers as replies."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from search_core.agents.answers import answer_reply
from search_core.agents.replies import Status
from search_core.domain.conversation import (
    AnsweredWithoutWeb,
    AnswerOrigin,
    AnswerRecord,
    FallbackDecided,
    Message,
    MessageKind,
    MessageState,
    PageOutcome,
    WebAnswerFailed,
    WebFailure,
)
from search_core.domain.stance import Comparison
from tests.search_core.scripted import stance_row

SAID = AnswerRecord(text="메모리 월이에요 [00:36].", moments=(36.0,), origin=AnswerOrigin.MODEL)
ASKED = FallbackDecided(triggered=True, reason="unknown", evidence="", passages=(), enabled=True)
MESSAGE = Message(id="m", kind=MessageKind.ANSWER, record=SAID, created_at=datetime(2026, 11, 1, tzinfo=UTC))


def _failed(failure: WebFailure) -> AnswerRecord:
    return replace(SAID, fallback=ASKED, failure=WebAnswerFailed(failure=failure, cause="x", korean="웹에서 얻은 것이 없어요."))


@pytest.mark.parametrize(
    ("message", "status"),
    [
        (MESSAGE, Status.DONE),
        (replace(MESSAGE, state=MessageState.RUNNING), Status.PARTIAL),
        (replace(MESSAGE, state=MessageState.STOPPED), Status.PARTIAL),
        (replace(MESSAGE, state=MessageState.FAILED), Status.FAILED),
        (replace(MESSAGE, record=replace(SAID, complete=False)), Status.PARTIAL),
        (replace(MESSAGE, record=replace(SAID, fallback=replace(ASKED, enabled=False))), Status.FOUND_NONE),
        (replace(MESSAGE, record=replace(SAID, fallback=ASKED, web_text="웹이에요.")), Status.DONE),
        (replace(MESSAGE, record=replace(SAID, pages=(PageOutcome(number=1, failure="blocked"),))), Status.COULD_NOT_READ),
        (replace(MESSAGE, record=_failed(WebFailure.NO_RESULTS)), Status.FOUND_NONE),
        (replace(MESSAGE, record=_failed(WebFailure.NOT_RELEVANT)), Status.BELOW_THRESHOLD),
        (replace(MESSAGE, record=_failed(WebFailure.UNAVAILABLE)), Status.COULD_NOT_ASK),
        (replace(MESSAGE, record=_failed(WebFailure.TIMEOUT)), Status.COULD_NOT_ASK),
        (replace(MESSAGE, record=_failed(WebFailure.MODEL_FAILED)), Status.FAILED),
    ],
)
def test_an_answer_has_a_status_that_says_what_it_came_to(message: Message, status: Status):
    """Said, not said, not asked, not read and not finished are told apart."""
    reply = answer_reply(message, "c")
    assert reply.status is status
    assert reply.facts["conversation"] == "c"
    fallback = message.record.fallback if message.record else None
    assert ("turned off" in reply.note) is (fallback is not None and not fallback.enabled)


def test_an_agent_learns_what_no_source_bears_out():
    """The answer from the web and the one without it mark such sentences as files do."""
    again = AnsweredWithoutWeb(text="셋이에요. 넷이에요 [1].", unsupported=((0, 5),))
    record = replace(SAID, web_text="하나예요. 둘이에요 [1].", unsupported=((0, 5),), without_web=again)
    data = answer_reply(replace(MESSAGE, record=record), "c").data
    assert data["web_answer"] == "하나예요. (출처에서 확인하지 못한 문장) 둘이에요 [1]."
    assert data["without_web"] == "셋이에요. (출처에서 확인하지 못한 문장) 넷이에요 [1]."


def test_a_row_of_a_check_names_the_number_of_its_source():
    """Rows count sources from 0, and lists of sources from 1."""
    record = replace(SAID, comparison=Comparison(rows=(stance_row(),)))
    (row,) = answer_reply(replace(MESSAGE, record=record), "c").data["stances"]
    assert row["source"] == stance_row().source + 1
