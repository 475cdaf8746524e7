"""``kill -9`` at random moments of random work: of the server, and of every process that it has started.

What was acknowledged must be there afterwards, no run may be called under way that is not, and nothing half written may lie about.
"""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.at_rest import play
from benchmarks.load import Server
from benchmarks.searches import QUESTIONS
from search_core.domain.claim import ClaimsStatus
from search_core.domain.research import ResearchStatus
from tests.browser.played_app import QUESTION
from tests.browser.servers import ROOT, START_S, environment, free_port, streamlit

KILLS, WORKERS = 200, 3
OF_THE_SERVER = 0.2
"""The share of kills that end the server, and with it all its processes."""
PAUSES_S = (0.1, 4.0)
ENDS_WITHIN_S = 300.0
"""For runs to be ended once nothing is killed any more."""
_ENDED = {"lost", *(each.value for status in (ResearchStatus, ClaimsStatus) for each in status if each.ended)}
_AS_JSON = {"Accept": "application/json"}
_CAPTIONS = "WEBVTT\n\n" + "\n\n".join(
    f"00:{n:02d}:00.000 --> 00:{n:02d}:09.000\n메모리의 대역폭은 {n}배입니다." for n in range(50)
)


class Acknowledged:
    """What the server has said that it has."""

    def __init__(self) -> None:
        self.sessions: dict[str, str] = {}
        """What was answered last in each, by id."""
        self.runs: dict[str, str] = {}
        """The kind of each run, by id."""
        self.done: Counter[str] = Counter()


def kills() -> None:
    """Print how many processes were killed amid how much work, and what was lost."""
    chance = random.Random(time.time_ns())
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        _, settings = play(stack)
        settings |= {"OPENAI_MODEL": "m", "OPENAI_API_KEY": "k"}
        variables = environment(Path(name), API_RATE_LIMIT="100000/second", **settings)
        port, acknowledged, over = free_port(), Acknowledged(), threading.Event()
        server = _start(port, variables)
        workers = [threading.Thread(target=_work, args=(port, acknowledged, over, seed)) for seed in range(WORKERS)]
        for worker in workers:
            worker.start()
        killed: Counter[str] = Counter()
        try:
            while killed.total() < KILLS:
                time.sleep(chance.uniform(*PAUSES_S))
                children = server.process.children()
                if chance.random() < OF_THE_SERVER:
                    server.process.kill()
                    server.process.wait()
                    killed["server"] += 1
                    _, left = psutil.wait_procs(children, timeout=30)
                    assert not left, left
                    server = _start(port, variables)
                elif children:
                    victim = chance.choice(children)
                    with suppress(psutil.NoSuchProcess):
                        called = " ".join(victim.cmdline()).partition("from ")[2].partition(";")[0] or victim.name()
                        victim.kill()
                        killed[called] += 1
            over.set()
            for worker in workers:
                worker.join()
            print(f"killed {killed.total()}: {dict(killed)}; amid {dict(acknowledged.done)}")
            _check(server, acknowledged)
        finally:
            over.set()
            server.process.terminate()
            server.process.wait(60)
        _check_folder(Path(name))


def _start(port: int, variables: dict[str, str]) -> Server:
    """Return the server once it answers."""
    process = psutil.Popen(
        [sys.executable, "-m", *streamlit(port)], cwd=ROOT, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    server = Server(f"http://127.0.0.1:{port}", process)
    until = time.monotonic() + START_S
    with server.client() as client:
        while time.monotonic() < until:
            with suppress(httpx.TransportError):
                if client.get("/healthz").is_success:
                    return server
            time.sleep(0.1)
    raise AssertionError("the server does not start")


def _work(port: int, acknowledged: Acknowledged, over: threading.Event, seed: int) -> None:
    """Do one thing after the other; what a kill breaks off was not acknowledged."""
    chance = random.Random(seed)
    kinds: list[Callable[[httpx.Client, Acknowledged, int], None]] = [_search, _chat, _research, _claims]
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as client:
        for number in range(1_000_000):
            if over.is_set():
                return
            kind = chance.choices(kinds, (4, 4, 1, 1))[0]
            try:
                kind(client, acknowledged, number)
                acknowledged.done[kind.__name__[1:]] += 1
            except (httpx.TransportError, httpx.HTTPStatusError, KeyError, ValueError):
                acknowledged.done["broken off"] += 1
                over.wait(0.2)


def _search(client: httpx.Client, _: Acknowledged, number: int) -> None:
    video = {"title": "메모리", "transcript": _CAPTIONS}
    client.post("/api/search", json={"query": f"{QUESTIONS[number % 4]} {number}", "video": video}).raise_for_status()


def _chat(client: httpx.Client, acknowledged: Acknowledged, number: int) -> None:
    body = {"query": f"{QUESTIONS[number % 4]} {number}", "video_id": "sample-hbm"}
    session, said, whole = "", "", False
    with client.stream("POST", "/api/chat", json=body) as response:
        response.raise_for_status()
        for line in response.iter_lines():
            event: dict[str, Any] = json.loads(line[6:]) if line.startswith("data: ") else {}
            session = str(event.get("session_id") or session)
            said += str(event.get("text", "")) if event.get("type") == "content" else ""
            whole = whole or event.get("type") == "done"
    if not whole or not session:
        raise ValueError("broken off")
    acknowledged.sessions[session] = said


def _research(client: httpx.Client, acknowledged: Acknowledged, number: int) -> None:
    response = client.post("/api/research", json={"query": f"{QUESTION} {number}", "video_id": "sample-hbm"}, headers=_AS_JSON)
    acknowledged.runs[response.raise_for_status().json()["id"]] = "research"


def _claims(client: httpx.Client, acknowledged: Acknowledged, number: int) -> None:
    body = {"video_id": "sample-hbm", "check": number % 3 + 1, "fresh": True}
    response = client.post("/api/claims", json=body, headers=_AS_JSON)
    acknowledged.runs[response.raise_for_status().json()["id"]] = "claims"


def _check(server: Server, acknowledged: Acknowledged) -> None:
    """Print what of the acknowledged is not there, and which runs do not end."""
    with server.client() as client:
        until = time.monotonic() + ENDS_WITHIN_S
        states, found = dict[str, str](), dict[str, httpx.Response]()
        while time.monotonic() < until:
            found = {run: client.get(f"/api/{kind}/{run}") for run, kind in acknowledged.runs.items()}
            states = {run: answer.json()["status"] if answer.is_success else "lost" for run, answer in found.items()}
            if set(states.values()) <= _ENDED:
                break
            time.sleep(5)
        failures = [each for answer in found.values() if answer.is_success for each in answer.json()["failures"][-1:]]
        print(f"runs: {dict(Counter(states.values()))}, failures: {dict(Counter(each['korean'] for each in failures))}")
        sessions = {each: client.get(f"/api/sessions/{each}") for each in acknowledged.sessions}
        lost = [each for each, answer in sessions.items() if not answer.is_success]
        parted = [each for each, answer in sessions.items() if answer.is_success and len(answer.json().get("messages", ())) < 2]
    print(f"sessions: {len(sessions)} acknowledged, {len(lost)} lost, {len(parted)} without their answer")


def _check_folder(folder: Path) -> None:
    """Print the state of each database, and what half written files are left."""
    for path in sorted(folder.rglob("*.sqlite")):
        with closing(sqlite3.connect(path)) as connection:
            print(f"{path.name}: {connection.execute('PRAGMA integrity_check').fetchone()[0]}")
    left = [
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.name.startswith(".") or path.suffix == ".tmp"
    ]
    print(f"temporary files left: {left or 'none'}")
