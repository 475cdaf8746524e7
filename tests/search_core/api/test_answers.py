"""Streams of answers and checks: their events, their refusals, and what they store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from search_core.domain.conversation import (
    AnswerDone,
    AnswerPart,
    MessageState,
    PageOutcome,
    PagesRead,
    StancesCompared,
    WebAnswerFailed,
    WebFailure,
    WebSearching,
)
from search_core.domain.stance import Comparison
from search_core.domain.video import VideoContext
from search_core.errors import EmbeddingError, StorageError
from search_core.health.report import ProviderFacts
from tests.search_core.answers.chat.scripted_chat import Gate, from_video, from_web, token
from tests.search_core.api.served import QUESTION, Served, served, telling, told, types

DONE = AnswerDone(total_ms=1.0)


def post(server: Served, path: str, **body: Any) -> httpx.Response:
    with server.client() as client:
        return client.post(f"/api/{path}", json=body)


def failed(failure: WebFailure, cause: str) -> WebAnswerFailed:
    return WebAnswerFailed(failure=failure, cause=cause, korean="찾지 못했어요.", ledger=("위키백과: 없어요.",))


def test_answer_and_check_are_told_and_kept(server: Served):
    """All events come in order and numbered; the session takes the next questions and shows all that was told, and when."""
    comparison = Comparison(rows=())
    searching, sources, *rest = from_web("2026년에 양산한다 [1].")
    pages = PagesRead(pages=(PageOutcome(number=1),))
    server.checks.steps = (searching, sources, pages, StancesCompared(comparison=comparison, summary="더한 것이 없어요."), *rest)
    answered = told(post(server, "chat", query=QUESTION, moment_s=3727))
    session = answered[-1]["session_id"]
    checked = told(post(server, "web-search", query=QUESTION, session_id=session, moment_s=3727))
    assert server.answers.questions[-1].moment_s == 3727.0
    assert types(answered) == ["passages", "token", "answer", "fallback", "done"]
    assert answered[1] == {"type": "token", "content": "2026년입니다.", "part": "video"}
    assert types(checked) == ["web_sources", "pages_read", "stances", "token", "web_answer", "done"]
    assert checked[0]["sources"][0]["url"] == "https://news.example/hbm4"
    done = checked[-1]
    assert (done["state"], done["total_ms"], done["session_id"]) == ("complete", 20.0, session)
    with server.client() as client:
        kept = client.get(f"/api/sessions/{session}").json()
        listed = client.get("/api/sessions").json()["sessions"]
    assert [(message["kind"], message["state"], message["text"], message["moment_s"]) for message in kept["messages"]] == [
        ("question", "complete", QUESTION, 3727.0),
        ("answer", "complete", "", None),
        ("question", "complete", QUESTION, 3727.0),
        ("check", "complete", "", None),
    ]
    answer, check = kept["messages"][1]["record"], kept["messages"][3]["record"]
    assert answer["text"] == "2026년입니다."
    assert check["sources"][0]["number"] == 1
    assert check["web_text"] == "2026년에 양산한다 [1]."
    assert kept["messages"][3]["id"] == done["message_id"]
    assert [each["messages"] for each in listed if each["id"] == session] == [4]
    assert server.checks.requests[-1].answer is not None
    told(post(server, "web-search", query=QUESTION, session_id=session, moment_s=61.5))
    assert server.checks.requests[-1].question.moment_s == 61.5


def test_the_subject_has_two_names(server: Served):
    """The search gets the subject under either name, ``subject`` before ``equipment``; without one the video has it."""
    for given, subject in (({"equipment": "HBM"}, "HBM"), ({"equipment": "x", "subject": "HBM"}, "HBM"), ({}, None)):
        told(post(server, "web-search", query=QUESTION, **given))
        assert server.checks.requests[-1].subject == subject


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (WebFailure.NO_RESULTS, "No web results found"),
        (WebFailure.NOT_RELEVANT, "The cause."),
        (WebFailure.UNAVAILABLE, "The cause."),
    ],
)
def test_nothing_found_is_answered_before_a_stream_begins(server: Served, failure: WebFailure, message: str):
    """Nothing found, and a search that could not be made, are JSON objects of their own, stored in the session as that."""
    server.checks.steps = (WebSearching(question="HBM4"), failed(failure, "The cause."), DONE)
    answer = post(server, "web-search", query=QUESTION)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert (body["type"], body["message"], body["failure"]) == ("error", message, failure.value)
    assert (body["korean"], body["ledger"]) == ("찾지 못했어요.", ["위키백과: 없어요."])
    stored = server.chat.open(body["session_id"], "").messages[-1]
    assert stored.state is MessageState.COMPLETE
    assert stored.record is not None
    assert stored.record.failure is not None


def test_a_check_that_fails_midway_ends_its_stream(server: Served):
    """An error event, then the end: what was told stands with the client; before anything was told it is a typed 500."""
    searching, sources, *_ = from_web("")
    broken = failed(WebFailure.MODEL_FAILED, "The model broke off.")
    server.checks.steps = (searching, sources, token("양산", AnswerPart.WEB), broken, DONE)
    events = told(post(server, "web-search", query=QUESTION))
    assert types(events) == ["web_sources", "token", "error", "done"]
    assert events[2]["message"] == "The model broke off."
    server.checks.steps = (EmbeddingError("no vectors", korean="벡터를 만들지 못했어요."),)
    answer = post(server, "web-search", query=QUESTION)
    assert (answer.status_code, answer.json()["error"]["type"]) == (500, "failed")


def test_an_answer_that_breaks_says_so(server: Served):
    """What ends an answer unexpectedly is an error event and a failed end, without its inner words."""
    for error in (EmbeddingError("no vectors", korean="벡터를 만들지 못했어요."), RuntimeError("tvly-planted")):
        server.answers.steps = (token("2026"), error)
        answer = post(server, "chat", query=QUESTION)
        events = told(answer)
        assert types(events) == ["token", "error", "done"]
        assert events[-1]["state"] == "failed"
        assert events[1]["korean"].endswith("요.")
        assert "planted" not in answer.text


def test_web_search_without_a_service(server: Served, monkeypatch: pytest.MonkeyPatch):
    """Where no search service of the web is set up, the agreed words come with 503 and what is wanting; no session is begun."""
    facts = [ProviderFacts(name="tavily", label="Tavily", absent_because="TAVILY_API_KEY를 넣어 주세요.", web=True)]
    changes = {"chat": changed_chat(server, can_check=lambda: False), "providers": lambda: facts}
    monkeypatch.setattr(server, "core", SimpleNamespace(**{**vars(server.core), **changes}))
    answer = post(server, "web-search", query=QUESTION)
    assert (answer.status_code, answer.json()["error"]) == (503, "Web search not configured")
    assert answer.json()["korean"].startswith("쓸 수 있는 웹 검색 서비스가 없어요. TAVILY_API_KEY")
    assert server.checks.requests == []


def changed_chat(server: Served, **changes: Callable[..., Any]) -> Any:
    """Return the chat with other methods in place of some."""

    class Changed:
        def __getattr__(self, name: str) -> Any:
            return changes.get(name) or getattr(chat, name)

    chat = server.chat
    return Changed()


def test_a_conversation_answers_one_question_at_a_time(server: Served):
    """A second question while the first is answered is a typed 409, and the first goes on."""
    gate = Gate()
    server.answers.steps = (token("기다려요"), gate, *from_video("네."))
    with server.client() as client, client.stream("POST", "/api/chat", json={"query": "한 번에 하나?"}) as response:
        events = telling(response)
        next(events)
        session = next(entry.id for entry in server.chat.conversations("") if entry.title == "한 번에 하나?")
        second = post(server, "chat", query=QUESTION, session_id=session)
        assert (second.status_code, second.json()["error"]["type"]) == (409, "busy")
        gate.open()
        assert list(events)[-1]["state"] == "complete"


def test_a_video_is_named_not_fetched(server: Served, monkeypatch: pytest.MonkeyPatch):
    """A sample, or a video of the caller's own conversations, is found by its id; any other is a typed 404."""
    sample = VideoContext(video_id="sample-hbm", title="HBM", sample=True)
    core = SimpleNamespace(**{**vars(server.core), "samples": lambda: (sample,)})
    monkeypatch.setattr(server, "core", core)
    told(post(server, "chat", query=QUESTION, video_id="sample-hbm"))
    assert server.answers.questions[-1].video == sample
    own = VideoContext(video_id="dQw4w9WgXcQ", title="내 영상")
    session = server.chat.new("", own).id
    server.chat.new("somebody", VideoContext(video_id="theirs", title="남의 영상"))
    told(post(server, "web-search", query=QUESTION, video_id="dQw4w9WgXcQ"))
    asked = server.checks.requests[-1].question.video
    assert asked is not None
    assert asked.title == "내 영상"
    for unknown in ("theirs", "nobody", ""):
        answer = post(server, "chat", query=QUESTION, video_id=unknown)
        assert (answer.status_code, answer.json()["error"]["type"]) == (404, "unknown_video")
    other = post(server, "chat", query=QUESTION, video_id="sample-hbm", session_id=session)
    assert (other.status_code, other.json()["error"]["type"]) == (409, "other_video")
    assert told(post(server, "chat", query=QUESTION, video_id="dQw4w9WgXcQ", session_id=session))[-1]["session_id"] == session


REFUSED: tuple[tuple[dict[str, Any], int, str], ...] = (
    ({"query": " \u200b"}, 400, "bad_question"),
    ({"query": QUESTION, "video_id": "nobody-knows"}, 404, "unknown_video"),
    *(({"query": QUESTION, "session_id": session}, 404, "unknown_session") for session in ("nobody-knows", "7", 7, -1)),
)


def test_a_post_that_is_refused_leaves_no_conversation(server: Served):
    """What is wrong with the request is found before a conversation is begun; a number is read as a session's id."""
    before = server.chat.conversations("")
    for path in ("chat", "web-search"):
        for body, status, kind in REFUSED:
            answer = post(server, path, **body)
            assert (answer.status_code, answer.json()["error"]["type"]) == (status, kind), body
    assert server.chat.conversations("") == before


def test_a_process_with_enough_to_do_says_so(tmp_path: Path):
    """One answer more than the process takes on is a typed 503 with Retry-After, and leaves no session."""
    with served(tmp_path, answers_at_once=1) as busy, busy.client() as client:
        gate = Gate()
        busy.answers.steps = (token("기다려요"), gate)
        with client.stream("POST", "/api/chat", json={"query": QUESTION}) as response:
            events = telling(response)
            next(events)
            for path in ("chat", "web-search"):
                refused = client.post(f"/api/{path}", json={"query": QUESTION})
                assert (refused.status_code, refused.json()["error"]["type"]) == (503, "overloaded")
                assert int(refused.headers["retry-after"]) >= 1
            assert len(busy.chat.conversations("")) == 1
            gate.open()
            assert list(events)[-1]["state"] == "complete"


@pytest.mark.parametrize("path", ["chat", "web-search"])
def test_a_post_whose_conversation_cannot_be_read_leaves_none(server: Served, monkeypatch: pytest.MonkeyPatch, path: str):
    """A store that fails once a conversation is begun is a typed 503, and the beginning is taken back."""

    def fail(*_: object, **__: object) -> None:
        raise StorageError("no disk at /srv", korean="대화를 읽지 못했어요.")

    before = server.chat.conversations("")
    core = SimpleNamespace(**{**vars(server.core), "chat": changed_chat(server, ask=fail, check_question=fail)})
    monkeypatch.setattr(server, "core", core)
    answer = post(server, path, query=QUESTION)
    assert (answer.status_code, answer.json()["error"]["type"], "/srv" in answer.text) == (503, "storage", False)
    assert server.chat.conversations("") == before
