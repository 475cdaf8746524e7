"""Subtitle files as cues: SRT, WebVTT, SAMI, SubStation Alpha, TTML and YouTube's own XML.

pysubs2 1.8 takes quadratic time for odd lines, loses voice tags and lets its own assertion errors through, so each format is
read here, in one pass; a time that cannot be read is None.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree

from search_core.language.korean import detect_language

_CLOCK = r"(-?)(?:(\d{1,4})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,2})(?:\s*([.,:;])\s*(\d{1,6}))?"
_TIME = re.compile(_CLOCK)
_ARROW = re.compile(r"(?<![\u200b-])(?:-{1,3}\s?>|[→⟶]|–>)")
"""The arrow between a cue's times; an arrow after an invisible character (see ``protect_words``) is part of the words."""
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
"""Characters of markup; captions without any of them, most of all, are read much faster."""
_SPACES = re.compile(r"[^\S\n]+")
_HEADER = re.compile(r"\ufeff?\s*WEBVTT")
_NUMBER = re.compile(r"\s*\d{1,6}\s*")
_SYNC = re.compile(r"<sync\b([^<>]*)>", re.IGNORECASE)
_PARAGRAPH = re.compile(r"<p\b([^<>]*)>", re.IGNORECASE)
_CLASS = re.compile(r"""\bclass\s{0,9}=\s{0,9}["']?([\w-]{1,40})""", re.IGNORECASE)
_START = re.compile(r"""\bstart\s{0,9}=\s{0,9}["']?(\d{1,10})\b""", re.IGNORECASE)
_SAMI_END = re.compile(r"</(?:body|sami)\b", re.IGNORECASE)
_BREAK = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)
_READING_S, _CHARACTER_S = 0.5, 0.067  # SAMI states no ends: half a second, and fifteen characters a second
_ASS_FIELDS = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text")
_BRACES = re.compile(r"\{[^{}]*\}")
_MAX_TIME_CHARS = 40
_TRACK_CHARS = 2_000
"""Characters of a track from which its language is detected."""
_OFFSET = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)(h|ms|m|s|f|t)")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_FRAMES = re.compile(r"(\d{1,4}:\d{1,2}:\d{1,2})[:;](\d{1,3})(?:\.\d{1,3})?")
_DECIMAL = re.compile(r"\d{1,12}(?:\.\d{1,9})?")
YOUTUBE_ROOTS = ("transcript", "timedtext")
_FRAME_RATE = 30.0
"""Frames in a second for TTML that states no rate."""


def subtitle_seconds(text: str) -> float | None:
    """Return the first clock time in *text* (``1:02:03,4``, ``02:03.400``) in seconds, 0 if negative, or None.

    The last two digits of ``1:02:03:24`` are frames, at the lowest usual rate that has a frame 24.
    """
    match = _TIME.search(text)
    if match is None:
        return None
    sign, hours, minutes, seconds, point, fraction = match.groups()
    total = float(int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds))
    if fraction and hours and point in ":;" and len(fraction) == 2:
        total += int(fraction) / frame_rate(int(fraction))
    elif fraction:
        total += float(f"0.{fraction}")
    return 0.0 if sign else total


def frame_rate(highest: int) -> int:
    """Return the lowest usual frame rate that has a frame numbered *highest* (25 for 24)."""
    return next((usual for usual in (25, 30, 60) if highest < usual), 100)


def is_cue_line(line: str) -> bool:
    """Return whether *line* is the timing line of a cue, readable or not."""
    arrow = _ARROW.search(line)
    return arrow is not None and any(character.isdigit() for character in line) and ":" in line


def protect_words(line: str) -> str:
    """Return *line* with an invisible character before each arrow, so that no reader takes the line for a timing line."""
    return _ARROW.sub("\u200b\\g<0>", line) if is_cue_line(line) else line


def cue_times(line: str) -> tuple[float | None, float | None]:
    """Return start and end of a timing line in seconds, None for a time that cannot be read."""
    before, _, after = _ARROW.sub("\n", line, count=1).partition("\n")
    return subtitle_seconds(before), subtitle_seconds(after)


def voices(raw: str) -> tuple[str, ...]:
    """Return the names in a cue's WebVTT voice tags (``<v Name>``)."""
    if "<" not in raw:
        return ()
    return tuple(name for voice in _VOICE.findall(raw) if (name := html.unescape(voice).strip()))


def plain_lines(raw: str) -> tuple[str, ...]:
    """Return the lines of words in a cue, without tags and sounds such as ``[음악]``, entities resolved."""
    text = raw
    if _SIGNS.search(raw):
        text = html.unescape(_TAG.sub("", _OVERRIDE.sub("", raw))).replace("\\N", "\n").replace("\u200b", "")
        text = _SPEAKER_CHANGE.sub("", _SOUND.sub(" ", text))
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return tuple(line for line in lines if any(character.isalnum() for character in line))


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue as written; unreadable times are None."""

    start_s: float | None
    end_s: float | None
    raw: str
    speaker: str = ""
    """The speaker, if the format has a field for it."""
    track: str = ""
    """The file's name for the language of the cue, if it has several languages."""


def is_webvtt(text: str) -> bool:
    """Return whether *text* begins like a WebVTT file."""
    return _HEADER.match(text) is not None


def holds_captions(text: str) -> bool:
    """Return whether *text* is WebVTT or SubRip subtitles."""
    return is_webvtt(text) or any(map(is_cue_line, text.split("\n")))


def read_cues(text: str) -> Iterator[Cue]:
    """Yield the cues of an SRT or WebVTT file in order; none without a timing line."""
    return _webvtt_cues(text) if is_webvtt(text) else _srt_cues(text)


def _srt_cues(text: str) -> Iterator[Cue]:
    """Yield the cues of SRT text: each has the lines up to the next timing line, except the number of the next cue."""
    lines = text.split("\n")
    at = [index for index, line in enumerate(lines) if is_cue_line(line)]
    for here, following in pairwise([*at, len(lines)]):
        body = lines[here + 1 : following]
        if following < len(lines) and body and _NUMBER.fullmatch(body[-1]) and _announces(lines, here, body):
            body = body[:-1]
        yield Cue(*cue_times(lines[here]), "\n".join(body))


def _announces(lines: list[str], here: int, body: list[str]) -> bool:
    """Return whether the number that ends *body* is the next cue's: after an empty line, or one above this cue's number."""
    if len(body) == 1 or not body[-2].strip():
        return True
    before = lines[here - 1] if here else ""
    return bool(_NUMBER.fullmatch(before)) and int(body[-1]) == int(before) + 1


def _webvtt_cues(text: str) -> Iterator[Cue]:
    """Yield the cues of WebVTT text: the lines of a block after its timing line; other blocks are notes and styles."""
    for block in re.split(r"\n\n+", text):
        lines = block.split("\n")
        at = [index for index, line in enumerate(lines) if is_cue_line(line)]
        for here, following in pairwise([*at, len(lines)]):
            yield Cue(*cue_times(lines[here]), "\n".join(lines[here + 1 : following]))


def in_one_language(cues: list[Cue]) -> tuple[list[Cue], list[str]]:
    """Return the cues of one language (Korean, else English if present), and the names of all languages, that one first."""
    words_of: dict[str, str] = {}
    for cue in cues:
        if cue.track and len(words_of.get(cue.track, "")) < _TRACK_CHARS:
            words_of[cue.track] = f"{words_of.get(cue.track, '')} {' '.join(plain_lines(cue.raw))}"
    languages = {track: detect_language(words) for track, words in words_of.items()}
    spoken = list(dict.fromkeys(filter(None, languages.values())))
    if len(spoken) < 2:
        return cues, spoken
    spoken.sort(key=lambda language: {"ko": 0, "en": 1}.get(language, 2))
    return [cue for cue in cues if languages.get(cue.track, "") in (spoken[0], "")], spoken


def read_foreign(text: str, format_name: str) -> list[Cue]:
    """Return the cues of *text* in the format named ``sami``, ``ass`` or ``xml``; raises ValueError or ParseError."""
    return {"sami": read_sami, "ass": read_substation, "xml": read_xml}[format_name](text)


def read_sami(text: str) -> list[Cue]:
    """Return the cues of SAMI *text*, one track for each class; raises ValueError if no time is readable."""
    text = without_comments(text)
    end = _SAMI_END.search(text)
    marks = list(_SYNC.finditer(text, 0, end.start() if end else len(text)))
    ends = [mark.start() for mark in marks[1:]] + [end.start() if end else len(text)]
    tracks: dict[str, list[tuple[float | None, str]]] = {}
    for mark, until in zip(marks, ends, strict=True):
        match = _START.search(mark[1])
        start = int(match[1]) / 1000 if match else None
        words_by_track: dict[str, list[str]] = {}
        for attributes, words in _paragraphs(text[mark.end() : until]):
            named = _CLASS.search(attributes)
            words_by_track.setdefault(named[1].lower() if named else "", []).append(_BREAK.sub("\n", words).strip())
        for track, parts in words_by_track.items():
            tracks.setdefault(track, []).append((start, "\n".join(parts)))
    if marks and all(start is None for timed_words in tracks.values() for start, _ in timed_words):
        raise ValueError("no time can be read")
    return [cue for track, timed_words in tracks.items() for cue in _sami_cues(track, timed_words)]


def _paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes and the words of each paragraph of a SYNC element; the first may lack its tag."""
    marks = list(_PARAGRAPH.finditer(text))
    before = text[: marks[0].start()] if marks else text
    if before.strip() or not marks:
        yield "", before
    for mark, until in zip(marks, [mark.start() for mark in marks[1:]] + [len(text)], strict=True):
        yield mark[1], text[mark.end() : until]


def _sami_cues(track: str, timed_words: list[tuple[float | None, str]]) -> Iterator[Cue]:
    """Yield the cues of one track; a cue ends where an empty cue clears it, else after the time needed to read it."""
    for (start, words), (following, after) in pairwise([*timed_words, (None, "")]):
        until = None if start is None else start + _READING_S + len(words) * _CHARACTER_S
        if start is not None and until is not None and following is not None and following > start:
            until = min(until, following) if plain_lines(after) else following
        yield Cue(start, until, words, track=track)


def read_substation(text: str) -> list[Cue]:
    """Return the spoken lines of SubStation Alpha *text*, without override codes."""
    cues, fields = [], tuple[str, ...](_ASS_FIELDS)
    for line in text.split("\n"):
        kind, _, rest = line.partition(":")
        if kind == "Format":
            named = tuple(field.strip().lower() for field in rest.split(","))
            fields = named if {"start", "end"} <= set(named) and named[-1] == "text" else fields
        if kind != "Dialogue":
            continue
        values = dict(zip(fields, rest.split(",", len(fields) - 1), strict=False))
        if len(values) < len(fields):
            raise ValueError("a line has too few fields")
        words = _BRACES.sub("", values["text"]).replace(r"\h", " ").replace(r"\n", "\n").replace(r"\N", "\n")
        who = values.get("name", values.get("actor", "")).strip()
        cues.append(Cue(_clock(values["start"]), _clock(values["end"]), words, speaker=who))
    return cues


def read_xml(text: str) -> list[Cue]:
    """Return the cues of TTML (DFXP, Netflix) and of YouTube's XML; raises ElementTree.ParseError when it is no XML."""
    reader = _XmlReader()
    parser = ElementTree.XMLParser(target=reader)  # noqa: S314 - expat bounds what entities unfold to, and fetches none
    parser.feed(text)
    parser.close()
    return reader.cues


@dataclass(frozen=True, slots=True)
class _Element:
    """The state of an open element that its children inherit."""

    offset: float = 0.0
    """Seconds at which the element begins."""
    end: float | None = None
    track: str = ""
    timed: bool = False
    """True if the element is, or is inside, a paragraph with times of its own."""
    times: tuple[float | None, float | None] | None = None
    """Start and end if the element is a cue, else None."""


class _XmlReader:
    """Collects cues while the parser runs; keeps no tree, so that nesting costs nothing."""

    def __init__(self) -> None:
        self.cues: list[Cue] = []
        self._open = [_Element()]
        self._said: list[list[str]] = []
        """The words of each open cue: a paragraph, or a part of it with its own times."""
        self._youtube = False
        self._rates = {"f": _FRAME_RATE, "t": 1.0}
        """Frames and ticks in a second."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name, outer = _local(tag), self._open[-1]
        attributes = {_local(key): value for key, value in attributes.items()}
        if len(self._open) == 1:
            self._youtube = name in YOUTUBE_ROOTS
            self._rates = _rates(attributes)
        element = _youtube_element(name, attributes) if self._youtube else self._ttml_element(name, attributes, outer)
        self._open.append(element)
        if element.times is not None:
            self._said.append([])
        elif name == "br" and self._said:
            self._said[-1].append("\n")

    def end(self, _: str) -> None:
        element = self._open.pop()
        if element.times is not None:
            words = "".join(self._said.pop())
            if words.strip():
                self.cues.append(Cue(*element.times, words, track=element.track))

    def data(self, text: str) -> None:
        if self._said:
            self._said[-1].append(text.replace("\n", " "))

    def close(self) -> None:
        """End the parsing; called by the parser."""

    def _ttml_element(self, name: str, attributes: dict[str, str], outer: _Element) -> _Element:
        track, own = attributes.get("lang", outer.track), "begin" in attributes
        if name not in ("body", "div", "p", "span") or (name == "span" and (outer.timed or not own)):
            return _Element(outer.offset, outer.end, track, outer.timed)
        begin = self._seconds(attributes["begin"]) if own else 0.0
        start = None if begin is None else outer.offset + begin
        end = self._end(attributes, start, outer)
        is_cue = name in ("p", "span")
        return _Element(start or outer.offset, end, track, is_cue and own, (start, end) if is_cue else None)

    def _end(self, attributes: dict[str, str], start: float | None, outer: _Element) -> float | None:
        for name in ("dur", "duration"):
            if name in attributes:
                length = self._seconds(attributes[name])
                return None if start is None or length is None else start + length
        if "end" not in attributes:
            return outer.end
        end = self._seconds(attributes["end"])
        return None if end is None else outer.offset + end

    def _seconds(self, text: str) -> float | None:
        text = text.strip()
        if match := _OFFSET.fullmatch(text):
            return float(match[1]) * (_SECONDS[match[2]] if match[2] in _SECONDS else 1 / self._rates[match[2]])
        if match := _FRAMES.fullmatch(text):
            whole = _clock(match[1])
            return None if whole is None else whole + int(match[2]) / self._rates["f"]
        return _clock(text)


def _youtube_element(name: str, attributes: dict[str, str]) -> _Element:
    """Return an element of srv1 (seconds), srv2 or srv3 (milliseconds)."""
    if name not in ("p", "text") or {"t", "start"}.isdisjoint(attributes):
        return _Element()
    unit, keys = (0.001, ("t", "d")) if "t" in attributes else (1.0, ("start", "dur"))
    start, length = (_number(attributes.get(key, ""), unit) for key in keys)
    return _Element(times=(start, None if start is None or length is None else start + length))


def _rates(attributes: dict[str, str]) -> dict[str, float]:
    """Return how many frames and ticks the root of a TTML file counts in a second."""
    frames = _number(attributes.get("frameRate", ""), 1.0) or _FRAME_RATE
    return {"f": frames, "t": _number(attributes.get("tickRate", ""), 1.0) or frames}


def _number(text: str, unit: float) -> float | None:
    return float(text) * unit if _DECIMAL.fullmatch(text) else None


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _clock(text: str) -> float | None:
    return subtitle_seconds(text) if len(text) <= _MAX_TIME_CHARS else None


def without_comments(text: str) -> str:
    """Return *text* without ``<!-- comments -->``; an unclosed one stays."""
    kept: list[str] = []
    place = 0
    while (opening := text.find("<!--", place)) >= 0 and (closing := text.find("-->", opening + 4)) >= 0:
        kept.append(text[place:opening])
        place = closing + 3
    return "".join((*kept, text[place:]))
