"""Subtitle files as cues: times, markup, and the formats SRT, WebVTT, SAMI, SubStation Alpha and TTML.

pysubs2 1.8 reads them all, but takes time in the square of a file for odd lines, breaks, braces and headings, loses voice
tags, glues NOTE blocks and cue identifiers to the text before them, recurses with the nesting, and lets errors of its own
assertions through; so each is read here, in one pass, a time that cannot be read left open.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree

_CLOCK = r"(-?)(?:(\d{1,4})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,2})(?:\s*[.,:;]\s*(\d{1,6}))?"
_TIME = re.compile(_CLOCK)
_ARROW = re.compile(r"(?<![\u200b-])(?:-{1,3}\s?>|[→⟶]|–>)")
"""Parts the times of a cue; one behind an invisible sign (``protect_words``) belongs to the words."""
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
_HEADER = re.compile(r"\ufeff?\s*WEBVTT")
_NUMBER = re.compile(r"\s*\d{1,6}\s*")
_SYNC = re.compile(r"<sync\b([^<>]*)>", re.IGNORECASE)
_START = re.compile(r"""\bstart\s{0,9}=\s{0,9}["']?(\d{1,10})\b""", re.IGNORECASE)
_SAMI_END = re.compile(r"</(?:body|sami)\b", re.IGNORECASE)
_BREAK = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)
_READING_S, _CHARACTER_S = 0.5, 0.067  # SAMI states no ends: half a second, and fifteen characters a second
_ASS_FIELDS = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text")
_BRACES = re.compile(r"\{[^{}]*\}")
_MAX_TIME_CHARS = 40
_OFFSET = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(h|ms|m|s)")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def subtitle_seconds(text: str) -> float | None:
    """Return the seconds of the first clock time in *text* (``1:02:03,4``, ``02:03.400``), or None; never below 0."""
    found = _TIME.search(text)
    if found is None:
        return None
    sign, hours, minutes, seconds, fraction = found.groups()
    total = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + (float(f"0.{fraction}") if fraction else 0.0)
    return 0.0 if sign else total


def is_cue_line(line: str) -> bool:
    """Return whether *line* is the timing line of a cue, readable or not."""
    arrow = _ARROW.search(line)
    return arrow is not None and any(character.isdigit() for character in line) and ":" in line


def protect_words(line: str) -> str:
    """Return a line of words that readers do not take for a timing line: an invisible sign stands before its arrows."""
    return _ARROW.sub("\u200b\\g<0>", line) if is_cue_line(line) else line


def cue_times(line: str) -> tuple[float | None, float | None]:
    """Return start and end of a timing line in seconds, None for a time that cannot be read."""
    before, _, after = _ARROW.sub("\n", line, count=1).partition("\n")
    return subtitle_seconds(before), subtitle_seconds(after)


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


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue as written; a time that cannot be read is None."""

    start_s: float | None
    end_s: float | None
    raw: str


def is_webvtt(text: str) -> bool:
    """Return whether *text* opens like a WebVTT file."""
    return _HEADER.match(text) is not None


def holds_captions(text: str) -> bool:
    """Return whether *text* is one of subtitles, WebVTT or SubRip, and not only words."""
    return is_webvtt(text) or any(map(is_cue_line, text.split("\n")))


def read_cues(text: str) -> Iterator[Cue]:
    """Yield the cues of an SRT or WebVTT file as they stand in it; none when there is no timing line."""
    return _webvtt_cues(text) if is_webvtt(text) else _srt_cues(text)


def _srt_cues(text: str) -> Iterator[Cue]:
    """Yield the cues of SRT text: all lines up to the next timing line, less the number that announces it."""
    lines = text.split("\n")
    at = [index for index, line in enumerate(lines) if is_cue_line(line)]
    for here, following in pairwise([*at, len(lines)]):
        body = lines[here + 1 : following]
        if following < len(lines) and body and _NUMBER.fullmatch(body[-1]) and _announces(lines, here, body):
            body = body[:-1]
        yield Cue(*cue_times(lines[here]), "\n".join(body))


def _announces(lines: list[str], here: int, body: list[str]) -> bool:
    """Return whether the number closing *body* is the next cue's: it is apart or counts on from this cue's own number."""
    if len(body) == 1 or not body[-2].strip():
        return True
    before = lines[here - 1] if here else ""
    return bool(_NUMBER.fullmatch(before)) and int(body[-1]) == int(before) + 1


def _webvtt_cues(text: str) -> Iterator[Cue]:
    """Yield the cues of WebVTT text: a block's lines after its timing line; blocks without one are notes and styles."""
    for block in re.split(r"\n\n+", text):
        lines = block.split("\n")
        at = [index for index, line in enumerate(lines) if is_cue_line(line)]
        for here, following in pairwise([*at, len(lines)]):
            yield Cue(*cue_times(lines[here]), "\n".join(lines[here + 1 : following]))


def read_foreign(text: str, format_name: str) -> list[Cue]:
    """Return the cues of *text* in the format named ``sami``, ``ass``, ``ssa`` or ``ttml``; raises ValueError or ParseError."""
    readers = {"sami": read_sami, "ass": read_substation, "ssa": read_substation, "ttml": read_ttml}
    return readers[format_name](text)


def read_sami(text: str) -> list[Cue]:
    """Return the cues of SAMI *text*; raises ValueError when none has a time that can be read."""
    text = without_comments(text)
    end = _SAMI_END.search(text)
    marks = list(_SYNC.finditer(text, 0, end.start() if end else len(text)))
    ends = [mark.start() for mark in marks[1:]] + [end.start() if end else len(text)]
    starts = [int(found[1]) / 1000 if (found := _START.search(mark[1])) else None for mark in marks]
    if marks and all(start is None for start in starts):
        raise ValueError("no time can be read")
    cues = []
    for index, (mark, start) in enumerate(zip(marks, starts, strict=True)):
        words = _BREAK.sub("\n", text[mark.end() : ends[index]]).strip()
        following = starts[index + 1] if index + 1 < len(starts) else None
        until = None if start is None else start + _READING_S + len(words) * _CHARACTER_S
        if until is not None and following is not None:
            until = min(until, following)
        cues.append(Cue(start, until, words))
    return cues


def read_substation(text: str) -> list[Cue]:
    """Return the spoken lines of SubStation Alpha *text*, without override codes."""
    cues = []
    for line in text.split("\n"):
        if not line.startswith("Dialogue:"):
            continue
        values = line[len("Dialogue:") :].split(",", len(_ASS_FIELDS) - 1)
        if len(values) < len(_ASS_FIELDS):
            raise ValueError("a line has too few fields")
        words = _BRACES.sub("", values[-1]).replace(r"\h", " ").replace(r"\n", "\n").replace(r"\N", "\n")
        cues.append(Cue(_clock(values[1]), _clock(values[2]), words))
    return cues


def read_ttml(text: str) -> list[Cue]:
    """Return the cues of TTML *text*; raises ElementTree.ParseError when it is no XML."""
    reader = _TtmlReader()
    parser = ElementTree.XMLParser(target=reader)  # noqa: S314 - expat bounds what entities unfold to, and fetches none
    parser.feed(text)
    parser.close()
    return reader.cues


class _TtmlReader:
    """Collects cues as the parser goes over the elements; keeps no tree, so that nesting costs nothing."""

    def __init__(self) -> None:
        self.cues: list[Cue] = []
        self._offsets: list[float] = [0.0]
        """Seconds at which the elements that are open begin."""
        self._words: list[str] | None = None
        """What is said in the paragraph that is open."""
        self._times: tuple[float | None, float | None] = (None, None)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name, offset = _local(tag), self._offsets[-1]
        begin = _ttml_seconds(attributes["begin"]) if "begin" in attributes else 0.0
        if name == "p":
            start = None if begin is None else offset + begin
            self._times = (start, _ttml_end(attributes, start, offset))
            self._words = []
        elif name == "br" and self._words is not None:
            self._words.append("\n")
        self._offsets.append(offset + (begin or 0.0) if name in ("body", "div") else offset)

    def end(self, tag: str) -> None:
        self._offsets.pop()
        if _local(tag) == "p" and self._words is not None:
            self.cues.append(Cue(*self._times, "".join(self._words)))
            self._words = None

    def data(self, text: str) -> None:
        if self._words is not None:
            self._words.append(text.replace("\n", " "))

    def close(self) -> None:
        """End the reading; the parser asks for it."""


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _ttml_end(attributes: dict[str, str], start: float | None, offset: float) -> float | None:
    for name in ("dur", "duration"):
        if name in attributes:
            length = _ttml_seconds(attributes[name])
            return None if start is None or length is None else start + length
    end = _ttml_seconds(attributes.get("end", ""))
    return None if end is None else offset + end


def _ttml_seconds(text: str) -> float | None:
    """Return the seconds of a TTML time, None for one in frames or ticks, whose rate is not read, and for what is none."""
    if found := _OFFSET.fullmatch(text.strip()):
        return float(found[1]) * _SECONDS[found[2]]
    return _clock(text)


def _clock(text: str) -> float | None:
    return subtitle_seconds(text) if len(text) <= _MAX_TIME_CHARS else None


def without_comments(text: str) -> str:
    """Return *text* without what is between ``<!--`` and ``-->``; one that never closes stays."""
    kept: list[str] = []
    place = 0
    while (opening := text.find("<!--", place)) >= 0 and (closing := text.find("-->", opening + 4)) >= 0:
        kept.append(text[place:opening])
        place = closing + 3
    return "".join((*kept, text[place:]))
