"""Text of one cue without its markup."""

from __future__ import annotations

import html
import re

_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^\s<>][^<>]*)>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:[a-z][^<>]*|\d{1,4}:[\d:.,]+)>|</>", re.IGNORECASE)
_OVERRIDE = re.compile(r"\{\\[^{}]*\}")
_SOUND_WORDS = (
    r"음악|배경\s*음악|박수(?:\s*(?:소리|갈채))?|웃음(?:\s*소리)?|환호(?:성)?|비명|침묵|한숨|노래|효과음|"
    r"music(?: playing)?|applause|laughter|laughs|laughing|cheering|cheers(?: and applause)?|silence|inaudible|"
    r"foreign|background (?:music|noise)|(?:upbeat|intro|outro) music"
)
_SOUND = re.compile(rf"[\[(（【]\s*+[♪♫]*+\s*+(?:{_SOUND_WORDS})\s*+[♪♫]*+\s*+[\])）】]|[♪♫]+", re.IGNORECASE)
_SPEAKER_CHANGE = re.compile(r"^[^\S\n]*>{2,3}[^\S\n]*", re.MULTILINE)
_SIGNS = re.compile(r"[<>{&\\\[(（【♪♫\u200b]")
"""Most captions hold none of what markup begins with, and are read in a fraction of the time."""
_SPACES = re.compile(r"[^\S\n]+")


def voices(raw: str) -> tuple[str, ...]:
    """Return the names in the WebVTT voice tags (``<v Name>``) of a cue."""
    if "<" not in raw:
        return ()
    return tuple(name for found in _VOICE.findall(raw) if (name := html.unescape(found).strip()))


def plain_lines(raw: str) -> tuple[str, ...]:
    """Return the lines of a cue that hold words: no tags, entities resolved, sounds such as ``[음악]`` left out."""
    text = _without_markup(raw) if _SIGNS.search(raw) else raw
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return tuple(line for line in lines if any(character.isalnum() for character in line))


def _without_markup(raw: str) -> str:
    text = html.unescape(_TAG.sub("", _OVERRIDE.sub("", raw)))
    return _SPEAKER_CHANGE.sub("", _SOUND.sub(" ", text.replace("\\N", "\n").replace("\u200b", "")))
