"""A loopback endpoint that speaks chat completions, well or badly."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from search_core.llm import OpenAICompatible
from search_core.settings import Settings

KEY = "sk-test-5f1c9f2e7d"
Reply = tuple[int, str, bytes]
"""Status, content type, body."""


def completion(content: Any, finish_reason: Any = "stop") -> Reply:
    message = {"role": "assistant", "content": content}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1730000000,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
    }
    return 200, "application/json", json.dumps(body).encode()


def failure(status: int, **error: Any) -> Reply:
    return status, "application/json", json.dumps({"error": error}).encode()


@dataclass
class Endpoint:
    """Answers by ``answer``, remembers what it was asked, and holds answers back until ``released``."""

    url: str = ""
    answer: Callable[[dict[str, Any]], Reply] = lambda _: completion("")
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def model(self, **settings: Any) -> OpenAICompatible:
        given = {"openai_base_url": self.url, "openai_api_key": KEY, "openai_model": "m", **settings}
        return OpenAICompatible(Settings(**given))


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    state = Endpoint()
    state.released.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.paths.append(self.path)
            state.keys.append(self.headers.get("Authorization"))
            state.asked.append(json.loads(body))
            status, kind, answer = state.answer(state.asked[-1])
            state.released.wait(30)
            try:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
            except ConnectionError:
                pass  # the client has gone, as tests of timeouts want

        def log_message(self, *_args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield state
    state.released.set()
    server.shutdown()
    thread.join()
    server.server_close()
