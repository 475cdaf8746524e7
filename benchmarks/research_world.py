"""A played world for research, in a process of its own: searches, pages and a language model as slow as they are told to be.

A search takes 0.3 s, a page 0.2 s, the model 0.3 s to its first token and a hundredth of a second for each that follows. Twenty
pages lie on twenty hosts (addresses of 127.0.0.0/8, which Linux has all of): a reader asks one host for few at a time.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import re
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

from benchmarks.texts import sentences
from tests.loopback.language_model import DONE, Asked, LanguageModelServer, Stream, Whole, completion, event
from tests.loopback.played import Answer
from tests.loopback.played import Asked as Searched
from tests.loopback.press import Article, Press
from tests.loopback.world import PLAYED, World

SEARCH_S, PAGE_S, FIRST_TOKEN_S, TOKENS_A_SECOND = 0.3, 0.2, 0.3, 100
SOURCES = 20
PARTS = ("가격", "수요", "공급", "경쟁", "정책")
"""A word of each part of the plan, by which a search for it is known."""
FOUND_BY_OTHERS = 5
"""Pages a search finds that is not ours: four searches of GPT Researcher reach all pages, as five of ours do."""
REPORT_TOKENS = 300
LETTERS_A_TOKEN = 3
_DIMENSIONS = 64


def plan_text(question: str) -> str:
    """Return the plan the model makes: five questions that hold the words of the parts, and the number of a question with one."""
    numbered = re.search(r"\d+번째", question)
    about = f"{numbered.group()} 질문의 메모리 반도체" if numbered else "메모리 반도체"
    return json.dumps([f"{about} {part} 전망은 어떤가요?" for part in PARTS], ensure_ascii=False)


def critical_path_s(question: str) -> float:
    """Return the seconds that must pass one after the other: the plan, one search, one page, the report."""
    plan_tokens = -(-len(plan_text(question)) // LETTERS_A_TOKEN)
    return 2 * FIRST_TOKEN_S + (plan_tokens + REPORT_TOKENS) / TOKENS_A_SECOND + SEARCH_S + PAGE_S


class _SlowPress(Press):
    def send(self, request: Any) -> None:
        """Answer one request, late."""
        self.over.wait(PAGE_S)
        super().send(request)


class _SlowWorld(World):
    """Finds, for each part of the plan, the same share of the pages."""

    presses: list[_SlowPress]

    def answer(self, name: str, asked: Searched) -> Answer | None:
        """Return what the service *name* finds, late."""
        query = PLAYED[name].query(asked)
        self.asked.append((name, query))
        self.over.wait(SEARCH_S)
        each = SOURCES // len(PARTS) if name == "google" else FOUND_BY_OTHERS
        part = next((place for place, word in enumerate(PARTS) if word in query), SOURCES // each - 1)
        pages = [page for press in self.presses[part * each : (part + 1) * each] for page in press.hits()]
        return PLAYED[name].answer(None, tuple(pages), asked)


class _Model(LanguageModelServer):
    """Plans, picks agents and writes reports; embeds, too, for whoever wants that."""

    def reply(self, asked: Asked) -> Whole | Stream:
        """Return the answer to one request."""
        if asked.path != "/v1/embeddings":
            return super().reply(asked)
        self.asked.append(asked)
        given = asked.body["input"]
        texts = given if isinstance(given, list) and not all(isinstance(one, int) for one in given) else [given]
        rows = [{"object": "embedding", "index": n, "embedding": _embedded(str(text))} for n, text in enumerate(texts)]
        body = {"object": "list", "model": "m", "data": rows, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        return Whole(200, "application/json", json.dumps(body).encode())


def _embedded(text: str) -> list[float]:
    """Return counts of letters: crude, and alike for texts that are."""
    counts = [1.0] * _DIMENSIONS
    for letter in text:
        counts[ord(letter) % _DIMENSIONS] += 1
    length = sum(count * count for count in counts) ** 0.5
    return [count / length for count in counts]


def _said(asked: Asked) -> str:
    prompt = asked.prompt
    if "plan web research" in prompt:
        return plan_text(asked.body["messages"][-1]["content"].rpartition("\n")[2])
    if "search queries" in prompt:  # as GPT Researcher asks for its plan
        return json.dumps([f"메모리 반도체 {part} 전망" for part in PARTS[:3]], ensure_ascii=False)
    if '"agent_role_prompt"' in prompt or "agent_role_prompt" in prompt:
        return json.dumps({"server": "Default Agent", "agent_role_prompt": "You are a research assistant."})
    return _report(prompt)


def _report(prompt: str) -> str:
    """Return a report of ``REPORT_TOKENS``: sentences of the sources with their numbers, as far as there are any."""
    found = re.findall(r"^\[(\d+)\][^\n]*\n([^\n]+)", prompt, re.MULTILINE)
    lines = [f"{text.split('. ')[0].rstrip('.')} [{number}]." for number, text in found] or list(sentences())
    text = "## 요약\n\n" + " ".join(lines)
    while len(text) < REPORT_TOKENS * LETTERS_A_TOKEN:
        text += " " + " ".join(lines)
    return text[: REPORT_TOKENS * LETTERS_A_TOKEN]


def _personality(server: _Model) -> Any:
    def answer(asked: Asked) -> Whole | Stream:
        begun = time.monotonic()
        text = _said(asked)
        pieces = [text[start : start + LETTERS_A_TOKEN] for start in range(0, len(text), LETTERS_A_TOKEN)]

        def due(token: int) -> None:
            server.closing.wait(max(0.0, begun + FIRST_TOKEN_S + token / TOKENS_A_SECOND - time.monotonic()))

        def spoken() -> Iterator[bytes]:
            for number, piece in enumerate(pieces):
                due(number)
                yield event(piece)
            yield event(finish="stop") + DONE

        if asked.body.get("stream"):
            return Stream(spoken())
        due(len(pieces))
        return completion(text)

    return answer


def _serve(pipe: Connection) -> None:
    with contextlib.ExitStack() as open_:
        said = sentences()
        presses = [
            open_.enter_context(
                _SlowPress(
                    (
                        Article(
                            path=f"/{number}",
                            title=f"메모리 반도체 {PARTS[number % len(PARTS)]} 전망 {number + 1}",
                            published=f"2026-{1 + number % 11:02d}-{1 + number:02d}",
                            paragraphs=(
                                f"메모리 반도체 {PARTS[number % len(PARTS)]} 전망에 관한 {number + 1}번째 글이다.",
                                *said[number * 7 % len(said) :][:12],
                            ),
                        ),
                    ),
                    host=f"127.0.0.{10 + number}",
                )
            )
            for number in range(SOURCES)
        ]
        world = _SlowWorld()
        world.presses = presses
        open_.enter_context(world)
        model = _Model()
        model.answer = _personality(model)
        open_.enter_context(model)
        model.server.handle_error = lambda *_: None  # type: ignore[method-assign]  # clients that go away are part of the play
        places = ",".join(press.place for press in presses)
        settings = world.settings(openai_base_url=model.url, openai_model="m", openai_api_key="k", reading_allow_private=places)
        pipe.send(settings)
        while pipe.recv() == "counts":
            pipe.send(
                {"searches": len(world.asked), "pages": sum(len(press.asked) for press in presses), "model": len(model.asked)}
            )


class PlayedWorld:
    """The world as another process plays it; ``settings`` lead a core into it."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self.settings: dict[str, Any] = pipe.recv()

    def counts(self) -> dict[str, int]:
        """Return how many searches, pages and answers of the model were asked for so far."""
        self._pipe.send("counts")
        counted: dict[str, int] = self._pipe.recv()
        return counted


@contextlib.contextmanager
def played_world() -> Iterator[PlayedWorld]:
    """Give a world."""
    spawning = multiprocessing.get_context("spawn")
    here, there = spawning.Pipe()
    process = spawning.Process(target=_serve, args=(there,), daemon=True)
    process.start()
    try:
        yield PlayedWorld(here)
        here.send("end")
    finally:
        process.join(10)
        process.kill()
