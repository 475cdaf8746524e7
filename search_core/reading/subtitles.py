"""The words of a subtitle file, without times and marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from search_core.captions import plain_lines, read_cues
from search_core.sentences import ends_sentence


def read_subtitles(text: str) -> str:
    """Return what is said in SRT or WebVTT *text*, sentences joined across captions, rolling captions said once.

    Raises ValueError when there is no caption in it.
    """
    said: list[str] = []
    for cue in read_cues(text):
        for line in plain_lines(cue.raw):
            if not said or said[-1] != line:
                said.append(line)
    if not said:
        raise ValueError("no caption")
    return "\n".join(_join_sentences(said))


def _join_sentences(lines: Iterable[str]) -> Iterator[str]:
    begun: list[str] = []
    for line in lines:
        begun.append(line)
        if ends_sentence(line):
            yield " ".join(begun)
            begun = []
    if begun:
        yield " ".join(begun)
