"""The words of a subtitle file, without times and marks."""

from __future__ import annotations

import html
import re

import pysubs2

from search_core.sentences import ends_sentence

_TAG = re.compile(r"<[^<>\n]{0,200}>|\{\\[^{}\n]{0,200}\}")


def read_subtitles(text: str) -> str:
    """Return what is said in SRT or WebVTT *text*, sentences joined across captions, rolling captions said once.

    Raises ValueError when there is no caption in it.
    """
    form = "vtt" if text.lstrip("\ufeff \n").startswith("WEBVTT") else "srt"
    try:
        events = pysubs2.SSAFile.from_string(text, format_=form).events
    except (pysubs2.exceptions.Pysubs2Error, ValueError, IndexError, KeyError) as error:
        raise ValueError(f"no subtitle file: {error}") from error
    said: list[str] = []
    for event in events:
        for line in event.text.replace("\\N", "\n").split("\n"):
            words = " ".join(html.unescape(_TAG.sub("", line)).split())
            if words and (not said or said[-1] != words):
                said.append(words)
    if not said:
        raise ValueError("no caption")
    return "\n".join(_sentences(said))


def _sentences(lines: list[str]) -> list[str]:
    joined: list[str] = []
    for line in lines:
        if joined and not ends_sentence(joined[-1]):
            joined[-1] = f"{joined[-1]} {line}"
        else:
            joined.append(line)
    return joined
