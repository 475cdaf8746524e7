"""What a model wrote when it was asked for a plan, read as a list of subtasks: JSON, numbered lines, bullets, in code or not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from search_core import korean
from search_core.llm.prompt import plain

MAX_SUBTASKS = 5
MAX_SUBTASK_CHARS = 200
MIN_SUBTASK_CHARS = 2
NEARLY_THE_SAME = 0.8
"""Share of words two subtasks have in common from which the second asks nothing new."""
MAX_READ_CHARS = 4_000
"""Five subtasks and some talk around them; what comes behind is not waited for."""
MAX_JSON_STARTS = 20

_ITEM = re.compile(
    r"^[^\S\n]*+(?:\*\*)?(?:\(?\d{1,2}[.):]|[①-⑳]|[-*+•·–]|[가-하][.)]|[Qq]\d{1,2}[.:)])(?:\*\*)?\s++(.+)$",
    re.MULTILINE,
)
_KEYS = ("subtask", "question", "query", "text", "task", "title", "하위질문", "질문")
_LISTS = ("subtasks", "questions", "queries", "plan", "tasks", "items", "하위질문", "질문")
_ADDRESS = re.compile(r"(?<!\S)\S*?(?:://|www\.)\S*")
_LABEL = re.compile(r"^(?:(?:하위\s?)?(?:질문|과제|주제)|subtask|question|query)\s*+\d*+\s*+[:：.]\s*", re.IGNORECASE)
_MARKUP = re.compile(r"\*\*|__|`+|\[\d{1,3}(?:\s*,\s*\d{1,3})*\]|^#+\s*")
_AROUND = " \t\"'“”‘’「」『』<>*,;·-"


def read_subtasks(answer: str) -> tuple[str, ...]:
    """Return the subtasks in *answer*, in order: at most five of at most 200 characters, no addresses, no near doubles."""
    text = answer[:MAX_READ_CHARS]
    return distinct(_from_json(text) or _from_lines(text))


def distinct(candidates: Iterable[str]) -> tuple[str, ...]:
    """Return the first five of *candidates* that ask different things, each made one plain line."""
    chosen: list[str] = []
    for candidate in candidates:
        line = clean_subtask(candidate)
        if line and not any(_near(line, other) for other in chosen):
            chosen.append(line)
        if len(chosen) == MAX_SUBTASKS:
            break
    return tuple(chosen)


def clean_subtask(text: str) -> str:
    """Return *text* as a subtask: one short line without markup and addresses; empty when nothing is left to ask."""
    line = _ADDRESS.sub(" ", _MARKUP.sub("", plain(text)))
    line = " ".join(_LABEL.sub("", line.strip(_AROUND)).strip(_AROUND).split())
    if sum(char.isalnum() for char in line) < MIN_SUBTASK_CHARS:
        return ""
    if len(line) <= MAX_SUBTASK_CHARS:
        return line
    cut = line[:MAX_SUBTASK_CHARS]
    return cut[: cut.rfind(" ")] if " " in cut[MAX_SUBTASK_CHARS // 2 :] else cut


def _from_json(text: str) -> list[str]:
    """Return the texts of the first list or object in *text* that holds any."""
    decoder = json.JSONDecoder()
    for start in [match.start() for match in re.finditer(r"[\[{]", text)][:MAX_JSON_STARTS]:
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        found = list(_texts(value))
        if found:
            return found
    return []


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
    for item in value if isinstance(value, list) else ():
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            question = next((item[key] for key in _KEYS if isinstance(item.get(key), str)), None)
            if question is not None:
                yield question


def _from_lines(text: str) -> list[str]:
    listed = _ITEM.findall(text)
    return listed or [line for line in text.splitlines() if line.rstrip(_AROUND + "`").endswith(("?", "？"))]


def _near(one: str, other: str) -> bool:
    """Return whether two subtasks ask nearly the same: their words do, and their numbers and Latin words are equal."""
    if _tokens(one) == _tokens(other):
        return True
    left, right = _words(one), _words(other)
    if not left or not right:
        return False
    exact_left, exact_right = (frozenset(word for word in words if word.isascii()) for words in (left, right))
    return exact_left == exact_right and len(left & right) / len(left | right) >= NEARLY_THE_SAME


def _tokens(text: str) -> list[str]:
    return sorted(re.findall(r"\w+", text.casefold()))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _significant(korean.terms(text)))


def _significant(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in _ASKING]


_ASKING = frozenset({"알다", "알리다", "무엇", "어떻다", "어떤", "대하다", "되다", "하다", "있다", "설명", "정리"})
