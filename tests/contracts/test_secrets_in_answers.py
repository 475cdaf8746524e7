"""Planted keys turn up nowhere in conversations, streams and research, whatever the model, the pages and the database do.

The same is held of searches in ``test_secrets``; here the real core answers, checks and researches, behind the real API.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from search_core.core import SearchCore
from search_core.errors import MaekrakError
from search_core.research.export import export_run
from tests.contracts.planted_keys import (
    MODEL_KEY,
    REDIS_PASSWORD,
    SERVICE_KEYS,
    needles_of,
    on_disk,
    refuse_and_repeat_key,
    traces,
)
from tests.loopback import language_model as play
from tests.loopback.language_model import Asked, LanguageModelServer
from tests.loopback.postgresql import PostgreSQLServer
from tests.loopback.press import Article, Press
from tests.loopback.world import PLAYED, World
from tests.search_core.api.served import Served, served
from tests.search_core.whole_core import build_core

API_TOKEN = "CANARY-api-token-77d0c4e1b9"
DATABASE_PASSWORD = "CANARY-database/+=e02c61f4"
NEEDLES = needles_of((*SERVICE_KEYS, MODEL_KEY, API_TOKEN, DATABASE_PASSWORD, REDIS_PASSWORD))
VIDEO = "sample-hbm"
QUESTION = "HBM4 표준의 대역폭은 얼마인가요?"
PAST_THE_VIDEO = "SK하이닉스 창업자는 누구인가요?"
PARAGRAPHS = (
    "HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다.",
    "SK하이닉스 창업자는 정주영이다. 업계는 이 표준을 반긴다.",
)
ARTICLES = (
    Article(path="/read", title="HBM4 표준 대역폭 발표", published="2026-04-17", paragraphs=PARAGRAPHS),
    Article(path="/gone", title="HBM4 표준 대역폭 해설", published="2026-05-02", paragraphs=PARAGRAPHS, status=500),
)


def breaks_off(asked: Asked) -> play.Stream:
    """Repeat the key in an error in the middle of a stream."""
    return play.failing_inside("앞부분만 말해요", message=f"{asked.key} is over its limit", code="rate_limit_exceeded")(asked)


def sends_elsewhere(asked: Asked) -> play.Whole:
    """Redirect to an address that holds the key."""
    return play.Whole(307, "text/plain", b"", (("Location", f"http://127.0.0.1:1/v1?key={asked.key}"), ("X-Key", str(asked.key))))


def does_not_know(asked: Asked) -> play.Whole | play.Stream:
    """Know nothing, so that the web is asked."""
    return (play.honest if "Based on recent" in asked.prompt else play.ignorant)(asked)


MODELS = {"honest": does_not_know, "refuses": refuse_and_repeat_key, "breaks off": breaks_off, "elsewhere": sends_elsewhere}


@pytest.fixture(scope="module")
def press() -> Iterator[Press]:
    with Press(ARTICLES) as press:
        yield press


@contextmanager
def everything_logged() -> Iterator[io.StringIO]:
    """Collect all that is logged, down to the least; what reads and writes files is given no key and logs every step."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    levels = {"": logging.DEBUG, **dict.fromkeys(("markdown_it", "pypdf"), logging.INFO)}
    before = {name: logging.getLogger(name).level for name in levels}
    logging.getLogger().addHandler(handler)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    try:
        yield text
    finally:
        logging.getLogger().removeHandler(handler)
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


def answers_of(server: Served, *paths: str) -> Iterator[tuple[str, str]]:
    """Yield by name what the API answers to a question at each of *paths*, and what it then shows of its conversations."""
    with server.client(API_TOKEN) as client:
        for path in paths:
            asked = {"query": PAST_THE_VIDEO if path in ("chat", "research") else QUESTION}
            answer = client.post(f"/api/{path}", json=asked if path == "research" else {**asked, "video_id": VIDEO})
            yield path, f"{answer.status_code} {answer.headers} {answer.text}"
            if path == "research" and answer.is_success:
                yield "research again", client.get(f"{answer.headers['location']}/events").text
                yield "research run", client.get(answer.headers["location"]).text
        for session in client.get("/api/sessions").json().get("sessions", []):
            yield "session", client.get(f"/api/sessions/{session['id']}").text


def pages_of(server: Served) -> Iterator[tuple[str, str]]:
    """Yield by name all else that the API shows: lists, numbers, its description, and what wrong tokens and addresses get."""
    with server.client(API_TOKEN) as client:
        yield "nowhere", client.post("/api/nowhere", json={}).text
        for path in ("/api/openapi.json", "/api/sessions", "/api/research", "/metrics", "/healthz"):
            yield path, client.get(path).text
    with server.client(f"{API_TOKEN}x") as stranger:
        yield "refused", stranger.get("/api/sessions").text
    yield "settings", f"{server.core.settings!r} {server.core.settings!s}"


def files_of(core: SearchCore) -> Iterator[tuple[str, str]]:
    """Yield by name the conversations and the newest run, and the files of both."""
    for entry in core.chat.conversations("minsu"):
        yield "conversation", repr(core.chat.open(entry.id, "minsu"))
        yield "conversation file", core.chat.export(entry.id, "minsu").decode()
    run = core.research.get(core.research.list("minsu")[0].id, "minsu")
    yield "run", repr(run)
    for kind in ("markdown", "html"):
        yield kind, export_run(run, kind).decode()


@contextmanager
def opened(world: World, press: Press, model: LanguageModelServer, folder: Path, **changes: Any) -> Iterator[Served]:
    """Run the API over a real core that holds every planted key."""
    world.play_all(pages=press.hits())
    settings = {
        "web_search_timeout": 20.0,
        "web_search_deadline": 30.0,
        "library_samples": False,
        "search_providers": "tavily,brave,naver,google",
        "web_search_cache_ttl": 0,
        "reading_allow_private": press.place,
        "openai_api_key": MODEL_KEY,
        "api_tokens": f"minsu:{API_TOKEN}",
        **changes,
    }
    with closing(build_core(world, folder, model, **settings)) as core, served(folder / "scripted", core=core) as server:
        yield server


def test_no_planted_key_turns_up_in_an_answer(
    world: World, press: Press, model: LanguageModelServer, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    """Models that refuse, break off and redirect with the key, pages that fail and services that repeat keys leave no trace."""
    sinks: dict[str, str] = {}

    def collect(mode: str, texts: Iterable[tuple[str, str]]) -> None:
        sinks.update({f"{mode}, {name}, {len(sinks) + place}": text for place, (name, text) in enumerate(texts)})

    with everything_logged() as log, opened(world, press, model, tmp_path) as server:
        for mode, personality in MODELS.items():
            model.answer = personality
            collect(mode, answers_of(server, "chat", "web-search", *(["research"] if mode == "refuses" else [])))
        assert "/gone" in press.asked
        for name in ("tavily", "brave", "naver", "google"):
            world.play(name, failure="echo-key")
        collect("services repeat keys", answers_of(server, "chat", "search"))
        collect("at the end", (*pages_of(server), *files_of(server.core)))
    assert all(asked.key == f"Bearer {MODEL_KEY}" for asked in model.asked)
    assert any(asked.holds(key) for asked in world.requests["tavily"] for key in PLAYED["tavily"].keys)
    sinks |= {"log": log.getvalue(), "disk": on_disk(tmp_path)}
    sinks |= dict(zip(("stdout", "stderr"), capfd.readouterr(), strict=True))
    assert "2테라바이트" in "".join(text for name, text in sinks.items() if "session" in name)
    lines = log.getvalue().splitlines()
    assert [line for line in lines if "The language model" in line]
    asked = ("창업자", "대역폭", *(str(word.encode())[2:-1] for word in ("창업자", "대역폭")))
    assert [line for line in lines if any(word in line for word in asked)] == []
    assert "SK하이닉스 창업자는" in sinks["disk"]
    assert traces(sinks, NEEDLES) == {}


def test_an_unusable_database_leaves_no_trace_of_its_password(
    world: World, press: Press, model: LanguageModelServer, postgresql: PostgreSQLServer, tmp_path: Path
):
    """Neither answers of the API nor the log nor an error names the password of a database, or of a Redis, that refuses us."""
    password = quote(DATABASE_PASSWORD, safe="")
    address = f"postgresql://{PostgreSQLServer.user}:{password}@127.0.0.1:{postgresql.port}/postgres"
    redis = f"redis://:{quote(REDIS_PASSWORD, safe='')}@127.0.0.1:1/0"
    model.answer = play.honest
    with everything_logged() as log, opened(world, press, model, tmp_path, database_url=address, redis_url=redis) as server:
        sinks = dict((*answers_of(server, "chat", "web-search", "research"), *pages_of(server)))
        with pytest.raises(MaekrakError) as caught:
            server.core.chat.new("")
    error = caught.value
    sinks["error"] = f"{error!r} {error} {error.korean} {error.__cause__!r} {error.__context__!r}"
    assert '"storage"' in sinks["chat"]
    assert traces({**sinks, "log": log.getvalue(), "disk": on_disk(tmp_path)}, NEEDLES) == {}
