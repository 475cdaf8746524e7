"""Cues written down as text: parts of sentences by their names, then under each reason the patterns that speak of it."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

_LOOSE = ", loose"
_CONTINUED = re.compile(r"\n {4,}")
_NAMED_PART = re.compile(r"<([A-Z_]+)>")


class FallbackReason(StrEnum):
    """Names what an answer says its model lacks."""

    NONE = ""
    EMPTY_ANSWER = "empty_answer"
    NO_WEB_ACCESS = "no_web_access"
    NO_CURRENT_INFORMATION = "no_current_information"
    NOT_IN_SOURCE = "not_in_source"
    NO_KNOWLEDGE = "no_knowledge"


class Cue(NamedTuple):
    """How a clause says what a model lacks."""

    reason: FallbackReason
    firm: bool
    """Whether it names the model or its source."""
    pattern: re.Pattern[str]


def read_cues(text: str) -> tuple[Cue, ...]:
    """Return the cues of *text* in its order, all patterns of one heading as one cue.

    ``NAME = pattern`` names a part, for which ``<NAME>`` stands in the lines below it. A heading is a reason, with ", loose"
    behind it where the cue is not firm; its patterns stand below it, indented; what is indented further goes on
    with the line before.
    """
    parts: dict[str, str] = {}
    patterns: dict[str, list[str]] = {}
    heading = ""
    for line in _CONTINUED.sub("", text).splitlines():
        written = _NAMED_PART.sub(lambda found: parts[found[1]], line)
        name, is_part, pattern = written.partition(" = ")
        if written.startswith("  "):
            patterns[heading].append(written.strip())
        elif is_part:
            parts[name] = pattern
        elif written:
            heading = written
            patterns[heading] = []
    return tuple(
        Cue(FallbackReason(heading.removesuffix(_LOOSE)), not heading.endswith(_LOOSE), re.compile("|".join(found)))
        for heading, found in patterns.items()
    )
