"""A language model on loopback: an OpenAI-compatible endpoint that plays models and servers of every character.

with LanguageModelServer(honest) as server:
    model = OpenAICompatible(Settings(openai_base_url=server.url, openai_model="m"))

A personality takes what was asked and returns a ``Whole`` answer or a ``Stream``; it can be changed while the server runs.
"""

from __future__ import annotations

import itertools
import json
import re
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, NamedTuple, Self

from search_core.checking.verdicts.language_model import CONTROLS
from tests.loopback.http_server import PlayedSite, QuietHandler

KEY = "sk-test-5f1c9f2e7d"
DONE = b"data: [DONE]\n\n"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: ``body`` is its JSON, or the fields of a form; ``files`` are (name, bytes) of a form."""

    path: str
    key: str | None
    body: dict[str, Any]
    files: tuple[tuple[str, bytes], ...] = ()

    @property
    def prompt(self) -> str:
        """Return all messages as one text."""
        return "\n".join(message["content"] for message in self.body.get("messages", ()))


class Whole(NamedTuple):
    """An answer in one piece."""

    status: int
    kind: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Stream:
    """An answer in pieces, each sent as soon as *pieces* yields it.

    ``hang_up`` ends it by closing the connection in the middle of the body; ``silent`` keeps the connection and says no more.
    """

    pieces: Iterable[bytes]
    hang_up: bool = False
    silent: bool = False
    kind: str = "text/event-stream"


Personality = Callable[[Asked], Whole | Stream]


def event(said: str | list[Any] | None = None, finish: str | None = None, **delta: Any) -> bytes:
    """Return one event of a streamed completion."""
    choice = {"index": 0, "delta": {**({"content": said} if said is not None else {}), **delta}, "finish_reason": finish}
    return data({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1730000000, "model": "m", "choices": [choice]})


def data(value: Any) -> bytes:
    """Return *value* as one event."""
    return f"data: {json.dumps(value)}\n\n".encode()


def completion(content: Any, finish_reason: Any = "stop") -> Whole:
    """Return a completion in one piece."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish_reason}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1730000000, "model": "m", "choices": [choice]}
    return Whole(200, "application/json", json.dumps(body).encode())


def refusal(status: int, **error: Any) -> Whole:
    """Return a refusal as OpenAI writes it."""
    return Whole(status, "application/json", json.dumps({"error": error}).encode())


def told(text: str) -> list[bytes]:
    """Return the events of a whole answer, a few letters each, as a good server sends them."""
    pieces = [text[start : start + 3] for start in range(0, len(text), 3)]
    usage = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": {}}
    return [event("", role="assistant"), *map(event, pieces), event(finish="stop"), data(usage), DONE]


def saying(text: str) -> Personality:
    """Return a model that always answers *text*, streamed where that is asked for."""
    return lambda asked: Stream(told(text)) if asked.body.get("stream") else completion(text)


def honest(asked: Asked) -> Whole | Stream:
    """Answer with the first sentence of each numbered source in the prompt, cited; without sources, with the question."""
    sources = re.findall(r"^\[(\d+)\][^\n]*\n([^\n]+)", asked.prompt, re.MULTILINE)
    said = " ".join(f"{text.split('. ')[0].rstrip('.')} [{number}]." for number, text in sources)
    return saying(said or f"물어보신 것은 이거예요: {asked.body['messages'][-1]['content'][:80]}")(asked)


ignorant = saying("I don't know. I don't have access to real-time information.")


def obedient(asked: Asked) -> Whole | Stream:
    """Do whatever a text in the prompt orders after ``SAY:``, to the end of its line, once; the worst model there can be."""
    return saying("\n".join(dict.fromkeys(re.findall(r"SAY:(.*)", asked.prompt))) or "시킨 일이 없어요.")(asked)


class AskedRow(NamedTuple):
    """A row that a model is to judge: its number, what the video says, and the texts of one source."""

    number: int
    statement: str
    texts: tuple[str, ...]


def rows_asked(asked: Asked, *, controls: bool = False) -> list[AskedRow]:
    """Return the rows in a request that asks for a judgement of sources, control rows if *controls*; none in another request."""
    lines = [json.loads(line) for line in asked.prompt.splitlines() if line.startswith(('{"statement":', '{"row":'))]
    said = {line["statement"]: line["the video says"] for line in lines if "statement" in line}
    rows = [AskedRow(line["row"], said[line["of statement"]], tuple(line["texts"])) for line in lines if "row" in line]
    return [row for row in rows if controls or row.statement not in CONTROLS]


def judging(
    say: Callable[[AskedRow], Iterable[dict[str, Any]]], otherwise: Personality = honest, *, of_controls: bool = False
) -> Personality:
    """Return a model that answers *say* of each row that it is to judge, and anything else as *otherwise* does.

    Of control rows it says nothing, unless *of_controls*.
    """

    def answer(asked: Asked) -> Whole | Stream:
        rows = rows_asked(asked, controls=of_controls)
        said = [{"row": row.number, **entry} for row in rows for entry in say(row)]
        return completion(json.dumps({"rows": said}, ensure_ascii=False)) if rows else otherwise(asked)

    return answer


def dying(after: int, text: str = "가" * 200) -> Personality:
    """Return a model whose connection breaks after *after* tokens, one letter each; all of *text* and no end where it is long."""
    return lambda _: Stream([event(letter) for letter in text[:after]], hang_up=True)


def word(number: int) -> str:
    """Return a word of two letters for each *number*, of thousands no two alike."""
    return "".join(chr(0xAC00 + (number * 37 + place * 101) % 11_172) for place in (0, 1))


def never_ending(_: Asked) -> Stream:
    """Talk until the client leaves."""

    def talk() -> Iterator[bytes]:
        for number in itertools.count():
            yield event(f"{word(number)} ")

    return Stream(talk())


def dripping(server: LanguageModelServer, text: str, every_s: float) -> Personality:
    """Return a model that says *text* letter by letter, one each *every_s* seconds."""

    def drip() -> Iterator[bytes]:
        for letter in text:
            server.closing.wait(every_s)
            yield event(letter)
        yield event(finish="stop") + DONE

    return lambda _: Stream(drip())


def mute(after: str = "") -> Personality:
    """Return a model that says *after* and then nothing more, on an open connection."""
    return lambda _: Stream([event(after)] if after else [], silent=True)


def failing_inside(text: str, **error: Any) -> Personality:
    """Return a model that answers 200, says *text*, and then sends an error in the stream."""
    return lambda _: Stream([*([event(text)] if text else []), data({"error": error})])


def refusing(status: int, **error: Any) -> Personality:
    """Return a server that answers nothing but this refusal."""
    return lambda _: refusal(status, **error)


web_page: Personality = lambda _: Whole(200, "text/html", "<html><body>로그인하세요</body></html>".encode())  # noqa: E731

REFUSALS: dict[str, Personality] = {
    "bad key": refusing(401, message=f"Incorrect API key provided: {KEY}", code="invalid_api_key"),
    "rate limit": refusing(429, message="slow down", type="requests", code="rate_limit_exceeded"),
    "quota": refusing(429, message="pay", type="insufficient_quota", code="insufficient_quota"),
    "broken": refusing(500, message="oops"),
    "overloaded": refusing(503, message="busy"),
}


class _Handler(QuietHandler):
    protocol_version = "HTTP/1.1"

    @property
    def played(self) -> LanguageModelServer:
        return self.server.played

    def answer(self) -> None:
        if self.command == "GET":
            listed = self.played.listed.get(self.path)
            self.respond(200 if listed else 404, (("Content-Type", "application/json"),), json.dumps(listed or {}).encode())
            return
        body, files = _read(self.headers["Content-Type"], self.read_body())
        answer = self.played.reply(Asked(self.path, self.headers.get("Authorization"), body, files))
        try:
            if isinstance(answer, Whole):
                self.respond(answer.status, (("Content-Type", answer.kind), *answer.headers), answer.body)
            else:
                self._stream(answer)
        except ConnectionError:
            self.played.left.set()
            self.close_connection = True

    def _stream(self, answer: Stream) -> None:
        self.send_response(200)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in answer.pieces:
            if self.played.closing.is_set():
                break
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if answer.silent and not self.connection.recv(1):
            raise ConnectionResetError("the client has left")
        if answer.hang_up:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")


@dataclass
class LanguageModelServer(PlayedSite):
    """Serves ``chat/completions`` by ``answer``, transcriptions by ``hear``, and what it has by path in ``listed`` to who looks.

    Answers wait until ``released`` is set, as it is at first. ``left`` is set when a client goes before its answer has ended.
    """

    answer: Personality = honest
    hear: Personality = field(default_factory=lambda: refusing(404, message="no such path"))
    elsewhere: Whole = field(default_factory=lambda: refusal(404, message="no such path"))
    listed: dict[str, Any] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)
    closing: threading.Event = field(default_factory=threading.Event)
    handler = _Handler

    @property
    def url(self) -> str:
        """Return the address of the endpoint."""
        return f"{self.server.url}/v1"

    def __enter__(self) -> Self:
        """Start on a free port."""
        self.released.set()
        return super().__enter__()

    def __exit__(self, *_: object) -> None:
        """Stop; answers still under way end."""
        self.closing.set()
        self.released.set()
        super().__exit__()

    def reply(self, asked: Asked) -> Whole | Stream:
        """Return the answer of the personality in charge of the path."""
        self.asked.append(asked)
        self.arrived.set()
        played = {"/v1/chat/completions": self.answer, "/v1/audio/transcriptions": self.hear}
        answer = played.get(asked.path, lambda _: self.elsewhere)(asked)
        self.released.wait(30)
        return answer


def _read(kind: str, raw: bytes) -> tuple[dict[str, Any], tuple[tuple[str, bytes], ...]]:
    """Return the JSON or the form fields of a request, and the files of a form."""
    if not kind.startswith("multipart/"):
        return json.loads(raw), ()
    form = BytesParser(policy=HTTP).parsebytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + raw)
    fields: dict[str, Any] = {}
    files = []
    for part in form.iter_parts():
        content = part.get_payload(decode=True)
        if part.get_filename():
            files.append((part.get_filename(), content))
        else:
            fields[part.get_param("name", header="content-disposition")] = content.decode()
    return fields, tuple(files)
