"""Records what every address of the API and every tool for agents answers, so that two versions can be compared.

``python -m tests.search_core.api.wire FILE`` plays the services and a language model, asks all there is, and writes the answers
and events to FILE with their keys sorted; ids, times and durations are replaced by signs. ``diff`` of two files tells what
changed between the versions that wrote them.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from search_core.agents.calls import Caller
from search_core.agents.server import create_server
from search_core.core import SearchCore
from tests.loopback.language_model import LanguageModelServer, honest
from tests.loopback.world import World
from tests.search_core.agents.agent import Agent
from tests.search_core.api.served import served
from tests.search_core.whole_core import build_core

QUESTION = "메모리 대역폭은 왜 중요한가?"
HBM = {"video_id": "sample-hbm"}
AS_JSON = {"Accept": "application/json"}
HEADERS = ("content-type", "cache-control", "allow", "www-authenticate", "retry-after", "accept")
_VARYING = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?=Z|\+)"), "TIME"),
    (re.compile(r"DATA-[0-9a-f]{32}"), "DATA-MARK"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "HEX"),
    (re.compile(r"127\.0\.0\.1:\d+"), "HERE"),
    (re.compile(r"\d+(?:\.\d+)?(초|ms)\b"), r"N\1"),
)
_DURATION = re.compile(r"(?:_ms|_s|elapsed|query_decomposition|retry_after_s)$")
_KEPT_DURATIONS = ("start_s", "end_s", "at_s", "moment_s")
_IDS = ("id", "session_id", "message_id", "run_id", "conversation", "about", "search", "report_id")


class Recorder:
    """Collects answers under the names of what was asked."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._ids: dict[str, str] = {}
        self.answers: list[Any] = []
        self.last_number = 0
        """Of the last stream."""

    def ask(self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str) -> Any:
        """Record an answer or a stream and return what it holds: an object, the events, or nothing."""
        content = raw if raw is not None else None if body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json", **headers} if content is not None else headers
        answer = self._client.request(method, path, content=content, headers=sent)
        kind = answer.headers.get("content-type", "")
        found: Any = answer.text
        if kind.startswith("text/event-stream"):
            found = list(_events(answer.text))
        elif kind.startswith("application/json"):
            found = answer.json()
        told = {name: answer.headers[name] for name in HEADERS if name in answer.headers}
        self.answers.append(
            {
                "asked": re.sub(r"after=\d+", "after=N", f"{method} {path}"),
                "status": answer.status_code,
                "headers": told,
                "body": found,
            }
        )
        if not isinstance(found, list):
            return found
        self.last_number = int(found[-1].get("id", 0))
        for event in found:
            event["id"] = "id" in event and event["id"].isdigit()
        return [event["data"] for event in found]

    def add(self, name: str, value: Any) -> None:
        """Record something else."""
        self.answers.append({"asked": name, "body": value})

    def written(self) -> str:
        """Return all that was recorded, what varies replaced."""
        self._name_ids(self.answers)
        text = json.dumps(_steady(self.answers), ensure_ascii=False, indent=1, sort_keys=True)
        for own, sign in sorted(self._ids.items(), key=lambda pair: -len(pair[0])):
            text = text.replace(own, sign)
        for pattern, sign in _VARYING:
            text = pattern.sub(sign, text)
        return text + "\n"

    def _name_ids(self, value: Any) -> None:
        match value:
            case dict():
                for name, each in value.items():
                    if name in _IDS and isinstance(each, str) and len(each) > 15:
                        for own in re.findall(r"[\w-]{16,}", each):
                            self._ids.setdefault(own, f"ID{len(self._ids)}")
                    self._name_ids(each)
            case list() | tuple():
                for each in value:
                    self._name_ids(each)


def _events(text: str) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream; of those that follow each other and add to, or replace, each other one: how many varies."""
    before: dict[str, Any] = {}
    for told in (told for told in text.split("\n\n") if told and not told.startswith(":")):
        event: dict[str, Any] = dict(line.partition(": ")[::2] for line in told.splitlines())
        data = event["data"] = json.loads(event["data"])
        kind, known = data["type"], before.get("data", {})
        if kind == known.get("type") in ("token", "content_chunk", "claim"):
            adds = {"token": "content", "content_chunk": "text"}.get(kind)
            data |= {adds: known[adds] + data[adds], **({"begins": known["begins"]} if "begins" in data else {})} if adds else {}
        elif before:
            yield before
        before = event
    if before:
        yield before


def _steady(value: Any, name: str = "") -> Any:
    match value:
        case bool():
            return value
        case int() | float() if _DURATION.search(name) and name not in _KEPT_DURATIONS:
            return "DURATION" if value else 0
        case dict():
            return {key: _steady(each, key) for key, each in value.items()}
        case list() | tuple():
            return [_steady(each, name) for each in value]
        case _:
            return value


def record_routes(recorder: Recorder) -> None:
    """Ask every address of the API, in the ways that end differently."""
    ask = recorder.ask
    ask("GET", "/api/openapi.json")
    ask("GET", "/healthz")
    ask("GET", "/api/nowhere")
    ask("PUT", "/api/search")
    chat = ask("POST", "/api/chat", {"query": QUESTION, **HBM})
    session = chat[-1]["session_id"]
    ask("POST", "/api/chat", {"query": "2024년 노벨 물리학상 수상자는 누구야?", "session_id": session})
    ask("POST", "/api/web-search", {"query": QUESTION, "session_id": session})
    ask("POST", "/api/chat", {"query": QUESTION, "session_id": session, "video_id": "other"})
    ask(
        "POST",
        "/api/search",
        {"query": QUESTION, **HBM, "threshold": 0.1, "max_results": 2, "providers": ["wikipedia", "library"]},
    )
    for body in (
        {},
        {"query": ""},
        {"query": 7},
        {"query": "가" * 5000},
        {"query": "?", "odd": 1},
        {"query": "?", **HBM, "video": {}},
    ):
        ask("POST", "/api/search", body)
    ask("POST", "/api/search", raw=b"{")
    ask("POST", "/api/search", raw=b"[]")
    ask("POST", "/api/search", raw=b"x" * 1_100_000)
    ask("POST", "/api/search", raw=b"x", **{"Content-Type": "audio/wav"})
    ask("POST", "/api/search", raw=b"x", **{"Content-Type": "text/plain"})
    run, *_ = ask("POST", "/api/research", {"query": QUESTION, "session_id": session})
    research = f"/api/research/{run['id']}"
    ask("GET", research)
    last = recorder.last_number
    ask("GET", f"{research}/events?after={last - 1}")
    ask("GET", f"{research}/events", **{"Last-Event-ID": str(last)})
    ask("GET", f"{research}/events?after=many")
    for steer in ("cancel", "finish", "resume"):
        ask("POST", f"{research}/{steer}")
    ask("POST", f"{research}/agree")
    ask("POST", f"{research}/agree", {"plan": []})
    planned = ask("POST", "/api/research", {"query": QUESTION, "plan_first": True}, **AS_JSON)
    waiting = f"/api/research/{planned['id']}"
    while ask("GET", waiting)["status"] != "planned":
        recorder.answers.pop()
    ask("POST", f"{waiting}/agree", {"plan": ["HBM이란 무엇인가?"]})
    recorder.answers.pop()  # how far it is by then differs
    ask("GET", f"{waiting}/events")
    ask("GET", waiting)
    ask("GET", "/api/sessions")
    ask("GET", f"/api/sessions/{session}")
    ask("GET", "/api/sessions/nobodys")
    ask("POST", "/api/claims", {**HBM, "check": 2, "dry_run": True})
    ask("POST", "/api/claims", {"check": 2})
    ask("POST", "/api/claims", {**HBM, "check": 0})
    claims = [
        {"text": "HBM4는 2026년에 양산된다.", "start_s": 3.0, "quote": "내년에 나옵니다", "speaker": "김"},
        {"text": "공장은 이천에 있다."},
    ]
    started, *_ = ask("POST", "/api/claims", {**HBM, "claims": claims[:1]})
    ask("POST", "/api/claims", {**HBM, "claims": claims, "dry_run": True})
    check = f"/api/claims/{started['id']}"
    ask("GET", check)
    ask("GET", f"{check}/events?after={recorder.last_number - 1}")
    for steer in ("stop", "finish", "resume"):
        ask("POST", f"{check}/{steer}")
    for kind in ("research", "claims"):
        ask("GET", f"/api/{kind}")
        for method, rest in (("GET", ""), ("DELETE", ""), ("GET", "/events"), ("POST", "/resume"), ("POST", "/finish")):
            ask(method, f"/api/{kind}/none{rest}")
    ask("DELETE", check)
    ask("DELETE", research)
    ask("GET", research)
    ask("GET", f"/api/sessions/{session}")


def record_tools(recorder: Recorder, core: SearchCore) -> None:
    """Call every tool for agents, and read every kind of resource."""
    with Agent(create_server(lambda: core, lambda _: Caller(owner=""))) as agent:
        recorder.add("tools", [tool.model_dump(mode="json") for tool in agent.tools.values()])
        recorder.add("instructions", agent.instructions)

        def call(name: str, **arguments: Any) -> dict[str, Any]:
            told = agent.call(name, **arguments)
            recorder.add(f"{name} {sorted(arguments)}", {"told": told.told, "text": told.text, "error": told.error})
            return told.told

        video = {"video": "sample-hbm"}
        found = call("search_in_context", question=QUESTION, **video)
        asked = call("ask_video", question=QUESTION, **video)
        call("check_online", question=QUESTION, conversation=asked["conversation"])
        ids = [claim["id"] for claim in call("find_claims", **video)["data"]["claims"][:2]]
        call("find_claims", page=9, **video)
        call("read_transcript", from_s=10, to_s=60, **video)
        call("get_run", run_id=asked["run_id"])
        for started in (call("start_research", question=QUESTION, **video), call("start_research", claims=ids, **video)):
            ended = agent.finished(started["run_id"])
            recorder.add("run", {"told": ended.told, "text": ended.text, "error": ended.error})
            if "report" in ended.told:
                recorder.add("resource", agent.read(ended.told["report"]))
            call("stop_run", run_id=started["run_id"])
        call("list_runs")
        call("read_page", url="http://127.0.0.1:9/")
        recorder.add("resource", agent.read(found["search"]))
        recorder.add("resource", agent.read("maekrak://transcript/sample-hbm")[:2000])
        for wrong in (
            {"run_id": "x"},
            {"run_id": "claims.none"},
            {"run_id": "research.none"},
            {"run_id": "answer.a.b"},
            {},
            {"odd": 1},
        ):
            call("get_run", **wrong)
        call("start_research", question="")
        call("start_research", claims=["c222222"], **video)
        call("start_research", claims=ids)
        call("ask_video", question=QUESTION)
        call("search_in_context", question=QUESTION, video="nobody")


def main(path: str) -> None:
    """Record everything into the file at *path*."""
    with World() as world, LanguageModelServer() as model, tempfile.TemporaryDirectory() as folder:
        model.answer = honest
        settings = {"search_providers": "library,wikipedia,searxng", "web_search_cache_ttl": 0}
        with (
            closing(build_core(world, Path(folder), model, **settings)) as core,
            served(Path(folder) / "scripted", core=core) as server,
            server.client() as client,
        ):
            recorder = Recorder(client)
            record_routes(recorder)
            record_tools(recorder, core)
            Path(path).write_text(recorder.written(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
