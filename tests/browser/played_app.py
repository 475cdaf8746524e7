"""The whole app over played services, a played newspaper and a played model, which tests steer while it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from search_core.storage.event_log import SqliteEventLog
from tests.app.health_double import events
from tests.browser.servers import running_app
from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole, saying
from tests.loopback.press import Article, Press
from tests.loopback.world import World

QUESTION = "HBM4 표준의 대역폭은 얼마인가요?"
ARTICLES = (
    Article(
        path="/standard",
        title="JEDEC, HBM4 표준 발표",
        published="2025-04-17",
        paragraphs=(
            "JEDEC이 HBM4 표준을 발표했다.",
            "HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다. 입출력 폭은 2048비트로 두 배 늘었다.",
            "업계는 이 표준이 인공지능 가속기의 병목을 줄일 것으로 본다.",
        ),
    ),
    Article(
        path="/revised",
        title="HBM4 대역폭 초당 2.8테라바이트로",
        published="2026-06-11",
        paragraphs=(
            "JEDEC이 HBM4 표준을 개정했다.",
            "개정된 HBM4 표준의 대역폭은 한 묶음에 초당 최대 2.8테라바이트다.",
            "회원사들은 하반기부터 새 규격을 쓴다.",
        ),
    ),
    Article(path="/gone", title="HBM4 표준 대역폭 해설", published="2025-05-02", paragraphs=("HBM4 대역폭 해설.",), status=404),
)

HOLD_S = 60.0
"""Upper bound for what is held back by a test."""
WEB = ("tavily", "brave")
"""The web services of the app; a wrong key makes either fail without a pause after it."""


def answer_honestly(asked: Asked) -> Whole | Stream:
    """Answer as a model would that is given the video, results of a search, or a table of stances."""
    instructions = asked.body["messages"][0]["content"]
    if "keywords for a web search" in instructions:
        return saying('{"query": "HBM4 표준 속도"}')(asked)
    if "Based on recent web search results:" in instructions:
        return saying("JEDEC이 HBM4 표준을 개정했어요 [1]. 하반기에는 값이 내려요 [77].")(asked)
    if "about one video" in instructions:
        said = asked.body["messages"][-1]["content"]
        known = "HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트예요 [05:45]."
        return saying(known if said.rstrip().endswith(QUESTION) else "영상에서 언급되지 않았습니다.")(asked)
    return saying("영상과 같은 값을 말하는 자료가 있어요. 2026년 6월에는 2.8테라바이트로 개정되었어요.")(asked)


@dataclass
class PlayedApp:
    """The address of the app, and everything it asks."""

    address: str
    world: World
    press: Press
    model: LanguageModelServer
    log: SqliteEventLog
    """Where the app counts its requests."""

    def reset(self) -> None:
        """Let services, model and recogniser behave as at first: both services find what is written about HBM4."""
        self.world.reset(pages=self.press.hits())
        self.model.answer = answer_honestly
        self.model.asked.clear()


@contextmanager
def app_over(world: World, model: LanguageModelServer, data: Path, **more: str) -> Iterator[tuple[str, SqliteEventLog]]:
    """Run the app over a played web and model, ready to answer at once, with a day of requests in its log."""
    data.mkdir(parents=True, exist_ok=True)
    with closing(SqliteEventLog(data / "events.sqlite")) as log:
        log.append(list(events(datetime.now(UTC))))
        settings = {name.upper(): str(value) for name, value in world.settings().items()}
        settings |= {"OPENAI_BASE_URL": model.url, "OPENAI_MODEL": "m", "OPENAI_API_KEY": "any", **more}
        with running_app(data, **settings) as address:
            warm_up(address)
            yield address, log


@contextmanager
def played_app(data: Path) -> Iterator[PlayedApp]:
    """Run the app over services, a newspaper and a model that tests steer."""
    settings = {"SEARCH_PROVIDERS": ",".join(("library", *WEB, "searxng")), "SEARXNG_URL": "", "WEB_SEARCH_CACHE_TTL": "0"}
    settings |= {"WEB_SEARCH_TIMEOUT": "100", "WEB_SEARCH_DEADLINE": "120", "OPENAI_TIMEOUT": "100"}
    with (
        World() as world,
        Press(ARTICLES) as press,
        LanguageModelServer(answer_honestly) as model,
        app_over(world, model, data, READING_ALLOW_PRIVATE=press.place, **settings) as (address, log),
    ):
        yield PlayedApp(address, world, press, model, log)


def warm_up(address: str) -> None:
    """Search the library once: what loads the language tools is waited for here, not in a test, and no service becomes known."""
    with httpx.Client(base_url=address, timeout=HOLD_S, trust_env=False) as client:
        client.post("/api/search", json={"query": QUESTION, "providers": ["library"]}).raise_for_status()
