"""Cues written down as text."""

from __future__ import annotations

from search_core.answering.cue_text import read_cues
from search_core.answering.decision import FallbackReason


def test_parts_headings_and_continued_lines_make_patterns():
    """A name stands for its part, a heading gathers its patterns, and a line indented further continues the one before."""
    cues = read_cues(r"""
NO = (?:not|never)
SEEN = <NO> seen

not_in_source
  \b<SEEN>\b
  it is
    |it was

not_in_source, loose
  <NO> said
""")
    assert [(cue.reason, cue.firm, cue.pattern.pattern) for cue in cues] == [
        (FallbackReason.NOT_IN_SOURCE, True, r"\b(?:not|never) seen\b|it is|it was"),
        (FallbackReason.NOT_IN_SOURCE, False, "(?:not|never) said"),
    ]
