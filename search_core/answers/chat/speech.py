"""Spoken questions, and answers as they are read aloud."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from search_core.answers.chat.job import NoSpeechError
from search_core.answers.chat.memory import truncate
from search_core.domain import AnswerEvent, QuestionTranscribed
from search_core.search.intent import validate_question
from search_core.text.sentences import ends_sentence
from search_core.text.visible import visible

if TYPE_CHECKING:
    from search_core.llm import OpenAICompatible

MAX_SPOKEN_CHARS = 4096
"""Speech endpoints read no more than this aloud."""
_MARK = re.compile(r"(?<!\s)\s*\[\s*\d[\d\s:.,;~/·–—-]*\]")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_GOES_ON = (":", ";", ",")


async def transcribe_and_answer(
    audio: OpenAICompatible, name: str, data: bytes, answer: Callable[[str], AsyncGenerator[AnswerEvent]]
) -> AsyncGenerator[AnswerEvent]:
    """Yield what is asked in the recording *data* and then the events of its *answer*.

    Raises LanguageModelError, NoSpeechError, and QuestionError for what is too long to be a question.
    """
    text = await audio.transcribe(name, data, "")  # in Korean or in English: the model finds out which
    if not any(char.isalnum() for char in text):
        raise NoSpeechError
    question = validate_question(text)
    yield QuestionTranscribed(text=question)
    async with aclosing(answer(question)) as events:
        async for event in events:
            yield event


def spoken_text(text: str) -> str:
    """Return a Markdown answer as it is read: words only, each line a sentence, whole sentences within ``MAX_SPOKEN_CHARS``."""
    lines: list[str] = []
    for token in MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).parse(visible(text)):
        if token.type == "inline":
            words = "".join(_spoken_words(child.type, child.content) for child in token.children or ())
            lines += words.split("\n")
    said = (" ".join(_ADDRESS.sub(" ", _MARK.sub("", line)).split()) for line in lines)
    ended = (line if ends_sentence(line) or line.endswith(_GOES_ON) else f"{line}." for line in said if line)
    return truncate("\n".join(ended), MAX_SPOKEN_CHARS)


def _spoken_words(kind: str, content: str) -> str:
    if kind in ("softbreak", "hardbreak"):
        return " " if kind == "softbreak" else "\n"
    return content if kind in ("text", "code_inline", "text_special") else ""
