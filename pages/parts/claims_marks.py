"""Marks beside the transcript: which lines hold a claim, and what its check came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pages.parts import claims_labels
from pages.parts.page_session import page_session
from pages.parts.transcript_lines import Line, find_lines, line_at
from search_core.domain import Claim, ClaimCheck, ClaimState, VideoContext
from search_core.presenting import UNCERTAIN
from search_core.presenting.claim_text import heard_badly

_BEGINNING_CHARS = 30
"""Characters of a sentence that are looked for in the line in which it begins."""


def kind_of(check: ClaimCheck) -> str:
    """Return the kind of mark that a check has, as ``claims_labels`` names them."""
    if check.verdict is not None:
        return claims_labels.STANCE_KINDS[check.verdict]
    if check.own_verdict is not None and check.state not in claims_labels.GOING:
        return f"own_{claims_labels.STANCE_KINDS[check.own_verdict]}"
    if check.state in claims_labels.GOING:
        return "going"
    return {ClaimState.FAILED: "failed", ClaimState.LEFT_OUT: "left_out"}.get(check.state, "waiting")


def icon(kind: str) -> str:
    """Return the shape of a kind in its colour, as Markdown."""
    shown = claims_labels.KINDS[kind]
    return f":{shown.colour}[{shown.icon}]"


def badge(kind: str) -> str:
    """Return the shape and the word of a kind in its colour, as Markdown."""
    shown = claims_labels.KINDS[kind]
    return f":{shown.colour}-badge[{shown.icon} {shown.word}]"


def doubt(claim: Claim, video: VideoContext | None) -> str:
    """Return the word for a claim from where speech recognition is uncertain, as Markdown; empty for others."""
    return f":orange[:small[{UNCERTAIN}]]" if video is not None and heard_badly(claim.moments, video) else ""


def mark_found(claims: Iterable[Claim]) -> None:
    """Mark the lines in which claims were found, before any check."""
    _mark((claim, claims_labels.FOUND_ICON, "") for claim in claims)


def mark_checked(checks: Iterable[ClaimCheck]) -> None:
    """Mark the lines of checked claims by what the check came to."""
    _mark((check.claim, icon(kind_of(check)), claims_labels.KINDS[kind_of(check)].word) for check in checks)


def _lines_of(claim: Claim, lines: Sequence[Line]) -> Iterator[int]:
    """Yield the places of the lines in which *claim* is made: by their times, in a text without any by its words."""
    for moment in claim.moments if lines else ():
        if moment.timed:
            yield line_at(lines, moment.start_s)
        else:
            yield from find_lines(lines, moment.quote[:_BEGINNING_CHARS])[:1]


def _mark(marks: Iterable[tuple[Claim, str, str]]) -> None:
    session = page_session()
    lines: dict[int, tuple[str, str]] = {}
    for claim, shape, word in marks:
        for place in _lines_of(claim, session.lines):
            shapes, words = lines.get(place, ("", ""))
            if shape not in shapes:
                lines[place] = (shapes + shape, ", ".join(filter(None, (words, word))))
    session.marks = lines
