"""Ids by which agents come back to what goes on: research, answers and checks of claims."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from search_core.errors import InputError

MAX_ID_CHARS = 200


class RunKind(StrEnum):
    """Names what an id stands for."""

    RESEARCH = "research"
    ANSWER = "answer"
    CLAIMS = "claims"


class RunId(NamedTuple):
    """An id with its parts."""

    kind: RunKind
    id: str
    """Of the run, or of the conversation that holds the answer."""
    message: str = ""
    """Of the answer in its conversation."""

    def __str__(self) -> str:
        return ".".join(part for part in self if part)


def parse_run_id(text: str) -> RunId:
    """Return the id in *text*; raises InputError where there is none."""
    kind, _, rest = text.strip().partition(".")
    first, _, second = rest.partition(".")
    wanted_parts = kind == RunKind.ANSWER
    if kind not in set(RunKind) or not first or bool(second) != wanted_parts or len(text) > MAX_ID_CHARS:
        raise InputError(
            "This is no run_id. Give one as start_research, ask_video or check_online returned it, unchanged.",
            korean="조사나 답변의 ID가 아니에요. 받은 run_id를 그대로 넣어 주세요.",
        )
    return RunId(RunKind(kind), first, second)
