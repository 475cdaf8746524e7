"""The API on a real server on loopback, over a real chat whose answers go by a script, asked by a real client."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette

from search_core.answers.chat.chat import Chat
from search_core.api import routes
from search_core.settings import Settings
from search_core.video.upload import samples
from tests.search_core.answers.chat.scripted_chat import Script, from_video, from_web, open_chat

SOON_S = 60
QUESTION = "HBM4는 언제 양산되나?"
ME, OTHER = "token-of-minsu-12345", "token-of-younghee-12345"
TOKENS = f"minsu:{ME},younghee:{OTHER}"


@dataclass
class Served:
    """A running server; ``core`` and its ``chat`` may be changed while it runs."""

    address: str
    core: Any
    answers: Script
    checks: Script
    _calls: threading.Condition = field(default_factory=threading.Condition)
    _open: int = 0
    loop: asyncio.AbstractEventLoop | None = None

    @property
    def chat(self) -> Chat:
        return self.core.chat

    def client(self, token: str = "", **more: Any) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.address, headers=headers, timeout=SOON_S, trust_env=False, verify=False, **more)

    def connect(self) -> socket.socket:
        """Return a connection to write to by hand."""
        host, _, port = self.address.removeprefix("http://").partition(":")
        return socket.create_connection((host, int(port)), timeout=SOON_S)

    def post_by_hand(self, path: str, body: dict[str, Any]) -> socket.socket:
        """Post on a connection of its own, and return it without reading."""
        raw = json.dumps(body).encode()
        lines = (f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", f"Content-Length: {len(raw)}")
        connection = self.connect()
        connection.sendall("\r\n".join((*lines, "", "")).encode() + raw)
        return connection

    def wait_idle(self) -> None:
        """Wait until no request is being answered."""
        with self._calls:
            assert self._calls.wait_for(lambda: self._open == 0, SOON_S)

    def counted(self, app: Any) -> Any:
        """Return *app* with its calls counted."""

        async def call(scope: Any, receive: Any, send: Any) -> None:
            self.loop = asyncio.get_running_loop()
            self._change(1)
            try:
                await app(scope, receive, send)
            finally:
                self._change(-1)

        return call

    def _change(self, by: int) -> None:
        with self._calls:
            self._open += by
            self._calls.notify_all()

    def tasks(self) -> set[str]:
        """Return the names of the coroutines that are under way on the server's loop."""

        async def names() -> set[str]:
            return {str(task.get_coro().__qualname__) for task in asyncio.all_tasks() if task is not asyncio.current_task()}

        assert self.loop is not None
        return asyncio.run_coroutine_threadsafe(names(), self.loop).result(SOON_S)


@contextmanager
def served(
    folder: Path,
    *,
    core: Any = None,
    research: Any = None,
    claims: Any = None,
    answers_at_once: int = 500,
    **settings: Any,
) -> Iterator[Served]:
    """Run the API until the block ends; *settings* are those of the core, *core* takes the place of the scripted one.

    *research* and *claims* are those services of the scripted core.
    """
    answers, checks = Script(*from_video("2026년입니다.")), Script(*from_web("2026년에 양산한다 [1]."))
    with open_chat(folder, answers, checks=checks, web_configured=lambda: True, answers_at_once=answers_at_once) as chat:
        made = core or SimpleNamespace(
            settings=Settings(maekrak_data_dir=folder, **settings),
            chat=chat,
            samples=samples,
            research=research,
            claims=claims,
        )
        listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        here = Served(address, made, answers, checks)
        app = here.counted(Starlette(routes=routes(lambda: here.core)))
        with running(app, listener):
            yield here


@contextmanager
def running(app: Any, listener: socket.socket, **config: Any) -> Iterator[uvicorn.Server]:
    """Run *app* on a thread behind *listener*, and end its server with the block."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", **config))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.should_exit = True
        thread.join(SOON_S)
        listener.close()
        assert not thread.is_alive()


@dataclass
class Told:
    """One event of a stream as it came."""

    name: str = ""
    number: int | None = None
    retry_ms: int | None = None
    body: dict[str, Any] = field(default_factory=dict)


def stream(response: httpx.Response) -> Iterator[Told]:
    """Yield what a stream tells as it comes; comments are passed over."""
    assert response.status_code == 200, response.read()
    assert response.headers["content-type"].startswith("text/event-stream")
    event = Told()
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        match name:
            case "event":
                event.name = value
            case "id":
                event.number = int(value)
            case "retry":
                event.retry_ms = int(value)
            case "data":
                event.body = json.loads(value)
            case "" if not line and event.body:
                yield event
                event = Told()


def whole(response: httpx.Response) -> list[Told]:
    """Return what a stream of a run tells, to its end, and hold each event to have one name."""
    events = list(stream(response))
    assert all(event.body["type"] == event.name for event in events)
    return events


def telling(response: httpx.Response) -> Iterator[dict[str, Any]]:
    """Yield the bodies of a stream's events as they come, and hold them to be numbered from 1."""
    for number, event in enumerate(stream(response), start=1):
        assert event.number == number
        yield event.body


def told(response: httpx.Response) -> list[dict[str, Any]]:
    """Return all that a stream tells, to its end."""
    return list(telling(response))


def types(events: list[dict[str, Any]]) -> list[str]:
    """Return the names of events."""
    return [event["type"] for event in events]
