"""Whether an answer needs a web search in its place, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FallbackReason(StrEnum):
    """Names what an answer says its model lacks."""

    NONE = ""
    EMPTY_ANSWER = "empty_answer"
    NO_WEB_ACCESS = "no_web_access"
    NO_CURRENT_INFORMATION = "no_current_information"
    NOT_IN_SOURCE = "not_in_source"
    NO_KNOWLEDGE = "no_knowledge"


@dataclass(frozen=True, slots=True)
class FallbackDecision:
    """The verdict on one answer.

    ``reason`` is ``FallbackReason.NONE`` (an empty text) unless triggered. ``evidence`` is the sentence that gave the verdict, as
    it stands in the answer, and empty when nothing triggered or the answer is empty.
    """

    triggered: bool
    reason: FallbackReason = FallbackReason.NONE
    evidence: str = ""
