"""The app as it is over a played world: services that find articles, a newspaper that has them, a model that writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.browser.conftest import running_app
from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole, heard, saying
from tests.loopback.press import Article, Press
from tests.loopback.world import World
from tests.search_core.test_core_chat import ARTICLES, QUESTION


def model(asked: Asked) -> Whole | Stream:
    """Answer as a model would that is given the video, results of a search, or a table of stances."""
    instructions = asked.body["messages"][0]["content"]
    if "Based on recent web search results:" in instructions:
        return saying("JEDEC이 HBM4 표준을 개정했어요 [1]. 하반기에는 값이 내려요 [77].")(asked)
    if "about one video" in instructions:
        said = asked.body["messages"][-1]["content"]
        known = "HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트예요 [05:45]."
        return saying(known if said.rstrip().endswith(QUESTION) else "영상에서 언급되지 않았습니다.")(asked)
    return saying("영상과 같은 값을 말하는 자료가 있어요. 2026년 6월에는 2.8테라바이트로 개정되었어요.")(asked)


@contextmanager
def played_app(data: Path, *, articles: tuple[Article, ...] = ARTICLES) -> Iterator[tuple[str, LanguageModelServer]]:
    """Run the app over *articles* that every service finds, and give its address and the model that it asks."""
    with ExitStack() as stack:
        world, press = stack.enter_context(World()), stack.enter_context(Press(articles))
        endpoint = stack.enter_context(LanguageModelServer(model, hear=heard(QUESTION)))
        world.play_all(pages=press.hits())
        settings = {name.upper(): str(value) for name, value in world.settings().items()}
        settings |= {"SEARCH_PROVIDERS": "library,wikipedia,tavily", "READING_ALLOW_PRIVATE": press.place}
        settings |= {"OPENAI_BASE_URL": endpoint.url, "OPENAI_MODEL": "m", "OPENAI_API_KEY": "any"}
        settings |= {"OPENAI_TRANSCRIPTION_MODEL": "w"}
        yield stack.enter_context(running_app(data, **settings)), endpoint
