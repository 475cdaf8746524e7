"""The whole core as it is installed, library and samples in it, over played services and a played model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from search_core.core import SearchCore
from search_core.domain.conversation import AnswerRecord
from search_core.domain.report import Question
from search_core.domain.video import VideoContext
from search_core.settings import Settings
from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole, saying
from tests.loopback.world import Page, World

SERVICES = ("wikipedia", "tavily", "duckduckgo")
"""The services of the web that are set up, one of each kind: open, with a key, behind TLS."""
SECRET = "ZEBRA-9931"
FOUNDER = "SK하이닉스 창업자는 누구인가요?"
MEMO = f"# SK하이닉스 창업자 메모\n\nSK하이닉스 창업자는 정주영이고 사내 암호는 {SECRET}이다.\n"
NOBEL = "2024년 노벨 물리학상 수상자는 누구야?"
NOT_MENTIONED = "영상에서 언급되지 않았습니다."
ALONE = "웹에는 물어보지 못했어요. 내 자료에 따르면 SK하이닉스 창업자는 정주영이에요 [1]."
SAID = {"query": "{}", "video": NOT_MENTIONED, "web": "정주영이에요 [1].", "alone": ALONE, "check": "더한 것이 있어요 [1]."}
FOUND = (
    Page(
        title="SK하이닉스 창업자",
        url="https://news.example.kr/founder",
        snippet="SK하이닉스 창업자는 1983년에 현대전자를 세운 정주영이다.",
        published="2026-11-12T00:00:00",
    ),
)


def unknowing(asked: Asked) -> Whole | Stream:
    """Answer as a model to which the video says nothing, the web something, and own documents something."""
    return saying(SAID[kind(asked)])(asked)


def kind(asked: Asked) -> str:
    """Return which of its prompts the core has sent."""
    system = asked.body["messages"][0]["content"]
    if "keywords for a web search" in system:
        return "query"
    if "while the web cannot be searched" in system:
        return "alone"
    if "Based on recent web search results:" in system:
        return "web"
    return "check" if "what the web adds" in system else "video"


def prompts(model: LanguageModelServer, of: str = "") -> list[str]:
    """Return the prompts the model was sent, or those of one kind."""
    return [asked.prompt for asked in model.asked if not of or kind(asked) == of]


def build_core(world: World, folder: Path, model: LanguageModelServer | None = None, **changes: Any) -> SearchCore:
    """Return a core that keeps its data in *folder* and asks the played services, and *model* where there is one."""
    settings = world.settings(maekrak_data_dir=folder / "data", embedding_model="kiwi", api_rate_limit="")
    if model is not None:
        settings |= {"openai_base_url": model.url, "openai_model": "m", "openai_api_key": "any"}
    return SearchCore.from_settings(Settings(**{**settings, **changes}))


@contextmanager
def whole_core(world: World, folder: Path, model: LanguageModelServer | None = None, **changes: Any) -> Iterator[SearchCore]:
    """Run a core with its samples and one document of a user's own until the block ends."""
    settings: dict[str, Any] = {
        "search_providers": ",".join(("library", *SERVICES)),
        "web_search_timeout": 5.0,
        "web_search_cache_ttl": 0,
        **changes,
    }
    with closing(build_core(world, folder, model, **settings)) as core:
        (folder / "memo.md").write_text(MEMO, encoding="utf-8")
        core.index([folder / "memo.md"])
        yield core


def hbm(core: SearchCore) -> VideoContext:
    """Return the sample video about memory."""
    return next(video for video in core.samples() if video.video_id == "sample-hbm")


def answered(core: SearchCore, text: str = FOUNDER, video: VideoContext | None = None) -> AnswerRecord:
    """Return all that the answer to a question about the sample, or about *video*, told."""
    record = AnswerRecord()
    for event in core.answer(Question(text=text, video=video or hbm(core))):
        record = record.after(event)
    return record
