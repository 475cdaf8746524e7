"""Forms with a file as browsers and others send them: the recording comes out byte for byte, whatever else passes untouched."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnected

from pages.parts import services, uploads
from pages.parts.uploads import RECEIVED, Uploads
from tests.app.core_double import CoreDouble
from tests.app.transcription_double import WHISPER

BOUNDARY = b"----WebKitFormBoundaryx7"
KIND = b"multipart/form-data; boundary=" + BOUNDARY


def form(data: bytes, name: bytes = "강연.mp4".encode(), boundary: bytes = BOUNDARY) -> bytes:
    head = b'--%b\r\nContent-Disposition: form-data; name="file"; filename="%b"\r\nContent-Type: video/mp4\r\n\r\n'
    return head % (boundary, name) + data + b"\r\n--%b--\r\n" % boundary


class Behind:
    """An app that reads the body it is given."""

    def __init__(self) -> None:
        self.body = b""
        self.length = b""
        self.answers: list[int] = []
        """Statuses that were answered in its place."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.length = dict(scope["headers"]).get(b"content-length", b"")
        more = True
        while more:
            message = await receive()
            self.body += message.get("body", b"")
            more = message.get("more_body", False)


def put(body: bytes, kind: bytes = KIND, *, step: int = 1 << 16) -> tuple[Behind, CoreDouble]:
    """Send *body* in messages of *step* bytes, and return the app behind and the core that was there."""
    core = CoreDouble()
    core.settings.openai_transcription_model, core.transcription.recogniser = WHISPER.model, WHISPER
    services.provide(lambda: core)
    parts = [body[at : at + step] for at in range(0, len(body), step)] or [b""]
    messages = [{"type": "http.request", "body": part, "more_body": place < len(parts) - 1} for place, part in enumerate(parts)]
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    scope = {"type": "http", "method": "PUT", "path": "/_stcore/upload_file/visit/file", "headers": headers}
    behind = Behind()

    async def receive() -> dict[str, Any]:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        behind.answers.append(message.get("status", 0))

    asyncio.run(Uploads(behind)(scope, receive, send))
    return behind, core


@settings(max_examples=40, deadline=None)
@given(
    data=st.one_of(
        st.binary(max_size=300),
        st.lists(st.sampled_from([b"\r\n", b"--", BOUNDARY[:9], b"--" + BOUNDARY[:-1], b"a"]), max_size=20).map(b"".join),
    ),
    step=st.integers(1, 90),
)
def test_a_recording_comes_out_byte_for_byte(data: bytes, step: int):
    """However it is cut on the way, and whatever in it looks like the end of a form; what goes on is a form with a ticket."""
    behind, core = put(form(data), step=step)
    assert core.transcription.received == [("강연.mp4", data)]
    assert int(behind.length) == len(behind.body)
    ticket = behind.body.partition(b"\r\n\r\n")[2].partition(b"\r\n")[0]
    assert behind.body == form(ticket)
    assert RECEIVED.claim("another", ticket) is None
    sound = RECEIVED.claim("visit", ticket)
    assert sound is None  # no visit is connected here: what belongs to none is discarded at once
    assert [each.name for each in core.transcription.discarded] == ["강연.mp4"]


def test_a_recording_may_take_longer_than_a_file_that_is_held(monkeypatch):
    """The time within which other files have to arrive does not end it."""
    monkeypatch.setattr(uploads, "UPLOAD_S", 0.0)
    behind, core = put(form(b"x" * 1000), step=100)
    assert core.transcription.received == [("강연.mp4", b"x" * 1000)]
    assert int(behind.length) == len(behind.body)


OTHERS = {
    "a subtitle file": (form(b"1\r\n00:00:01,000", b"talk.srt"), KIND),
    "no name": (form(b"x").replace(b'; filename="' + "강연.mp4".encode() + b'"', b""), KIND),
    "no form": (b"x" * 500, b"application/octet-stream"),
    "another boundary": (form(b"x", boundary=b"other"), KIND),
    "a head without an end": (b"--" + BOUNDARY + b"\r\nX: " + b"a" * 40_000, KIND),
    "nothing": (b"", KIND),
}


@pytest.mark.parametrize("case", OTHERS)
def test_everything_else_passes_untouched(case: str):
    """What is no recording reaches Streamlit as it was sent, its length too, in whatever pieces it comes."""
    body, kind = OTHERS[case]
    behind, core = put(body, kind, step=7)
    assert (behind.body, behind.length, behind.answers) == (body, str(len(body)).encode(), [])
    assert core.transcription.received == []


def test_a_form_that_ends_early_is_no_recording():
    """Half of one is answered as late: nothing is handed on and nothing stays."""
    behind, core = put(form(b"x" * 1000)[:-20], step=100)
    assert (behind.body, behind.answers[0]) == (b"", 408)
    assert core.transcription.discarded == []
    assert not RECEIVED.holds("visit")


def test_a_visitor_who_leaves_between_two_messages_is_no_error():
    """The second close that Streamlit sends then ends with the visit; what else goes wrong is passed on."""

    async def leave(error: Exception, *_: Any) -> None:
        raise error

    asyncio.run(Uploads(partial(leave, WebSocketDisconnected("closed")))({"type": "websocket"}, never, never))
    with pytest.raises(RuntimeError, match="broken"):
        asyncio.run(Uploads(partial(leave, RuntimeError("broken")))({"type": "websocket"}, never, never))


async def never(*_: Any) -> Any:
    pytest.fail("nothing is received or sent")
