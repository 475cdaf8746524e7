"""Transcripts in JSON: lists of times, words and speakers under varying names and units, as captions or words."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from search_core.language.captions import Cue, subtitle_seconds

_UNITS = {"milliseconds": 1e-3, "millis": 1e-3, "ms": 1e-3, "seconds": 1.0, "secs": 1.0, "sec": 1.0, "inticks": 1e-7, "s": 1.0}
"""Seconds in a unit, by suffixes of field names: ``start_ms``, ``offsetMilliseconds``, ``durationInTicks``."""
_STARTS = (
    *(
        "start",
        "starttime",
        "startoffset",
        "begin",
        "begintime",
        "from",
        "startat",
        "offset",
        "tstart",
        "timestamp",
        "time",
        "in",
    ),
    *("시작", "시작시간"),
)
_ENDS = ("end", "endtime", "endoffset", "to", "endat", "stop", "until", "out", "끝", "종료", "종료시간")
_LENGTHS = ("duration", "dur", "d", "length", "dduration")
_TEXTS = (
    *("text", "transcript", "content", "body", "msg", "sentence", "caption", "subtitle", "word", "display"),
    *("내용", "텍스트", "대사"),
)
_SPEAKERS = (
    *("speaker", "speakername", "speakerlabel", "speakerid", "speakertag", "spk", "화자", "발화자", "발언자"),
    *("name", "이름"),
)
"""Field names of each role, in lower case without signs, the most usual first."""
_ISO_LENGTH = re.compile(r"PT(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,7}(?:\.\d{1,9})?)S)?")
_WRITTEN_SECONDS = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s?")
_BARE = re.compile(r"\d{1,9}(?:\.\d{1,9})?")
_LEAST_COUNTED = 1_000.0
"""If all numbers are smaller, they are seconds."""
_SLOWEST = 0.05
"""Letters a second; if speech would be slower, times are not in seconds but in thousandths or ten-millionths."""
_SAMPLE = 100
"""Number of entries from which the kind of a list is judged."""
_READABLE_SHARE = 0.6
_FEWEST_WORDS = 4
_WORD_SHARE = 0.9
_ONE_WORD = re.compile(r"[^\s\u3040-\u30ff\u4e00-\u9fff]{1,18}")
"""A single word; no Chinese or Japanese characters, as these languages write no spaces between words."""
_PAUSE_S = 1.5
_CAPTION_CHARS = 160
"""Longest caption put together from single words with times; pauses and sentence ends also begin a new one."""
_SENTENCE_END = (".", "?", "!", "。", "？", "！", "…")


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonForm:
    """The paths of one tool's JSON format; unspecified fields are found by their usual names."""

    path: str
    """From the root to the entries: keys, numbers, and ``*`` for each entry of a list."""
    name: str = ""
    mark: str = ""
    """A path from the root that must exist for the format to fit; may be empty."""
    start: str = ""
    """Path from an entry to its start time; the fields below are paths from an entry, too."""
    end: str = ""
    text: str = ""
    speaker: str = ""
    unit: float = 0.0
    """Seconds in one unit of time; 0 to judge by field names or numbers."""
    words: bool = False
    """Whether the entries are single words."""
    recognised: bool = False
    """Whether the format is written by speech recognisers."""


def load_forms() -> tuple[JsonForm, ...]:
    """Return the JSON formats of known tools, one from each line of ``json_forms.csv``."""
    with (Path(__file__).parent / "data" / "json_forms.csv").open(encoding="utf-8", newline="") as table:
        return tuple(
            JsonForm(
                **{name: row[name] for name in ("path", "name", "mark", "start", "end", "text", "speaker")},
                unit=_UNITS.get(row["unit"], 0.0),
                words=row["kind"] == "words",
                recognised=row["kind"] != "subtitles",
            )
            for row in csv.DictReader(table)
        )


def text_of(value: object) -> str:
    """Return a JSON value as stripped text; empty for other than text and numbers."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def seconds_of(value: object) -> float | None:
    """Return a number, or the number in a text, as seconds if it is finite and not negative."""
    if isinstance(value, Mapping):  # Google's {"seconds": "12", "nanos": 900000000}
        whole, rest = seconds_of(value.get("seconds", 0)), seconds_of(value.get("nanos", 0))
        return None if whole is None or rest is None else whole + rest / 1e9
    if isinstance(value, str):
        text = value.strip()
        if match := _WRITTEN_SECONDS.fullmatch(text):
            return float(match[1])
        if (match := _ISO_LENGTH.fullmatch(text)) and len(text) > len("PT"):
            return float(match[1] or 0) * 3600 + float(match[2] or 0) * 60 + float(match[3] or 0)
        return subtitle_seconds(text)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    try:
        seconds = float(value)
    except OverflowError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def read_form(content: object, form: JsonForm) -> list[Cue]:
    """Return the captions of *content* in *form*; none if it has another format."""
    if form.mark and _at(content, form.mark) is None:
        return []
    return read_entries(list(_walk(content, _steps(form.path))), form)


def find_cues(content: object) -> list[Cue]:
    """Return the captions of the list in *content*, at any depth, that has the most words with times."""
    best: list[Cue] = []
    for entries in _lists(content):
        sample = _aligned(entries[:_SAMPLE], _ANY)
        if sum(cue is not None and bool(cue.raw) for cue in sample) < _READABLE_SHARE * len(sample):
            continue
        cues = read_entries(entries, _ANY)
        if _weight(cues) > _weight(best):
            best = cues
    return best


def read_entries(entries: Sequence[tuple[object, str]], form: JsonForm) -> list[Cue]:
    """Return captions for the entries with words and a time, each with the speaker of its entry or of the object around it."""
    cues = [cue for cue in _aligned(entries, form) if cue is not None and cue.raw]
    timed = [cue for cue in cues if cue.start_s is not None]
    if not timed:
        return []
    return list(_join_words(cues)) if form.words or _are_words(timed) else timed


def _are_words(cues: Sequence[Cue]) -> bool:
    """Return whether *cues* are single words, in a language with spaces."""
    texts = [cue.raw.strip() for cue in cues[:_SAMPLE]]
    alone = sum(_ONE_WORD.fullmatch(text) is not None for text in texts)
    return len(texts) >= _FEWEST_WORDS and alone > _WORD_SHARE * len(texts)


def align_entries(entries: Sequence[object]) -> list[Cue | None]:
    """Return a caption for each of *entries*, perhaps without words or times; None for an entry that is no object."""
    return _aligned([(entry, "") for entry in entries], _ANY)


def _aligned(entries: Sequence[tuple[object, str]], form: JsonForm) -> list[Cue | None]:
    read = [_Entry.of(entry, form, who) if isinstance(entry, Mapping) else None for entry, who in entries]
    unit = form.unit or _guess_unit([entry for entry in read if entry is not None and entry.text])
    return [None if entry is None else entry.cue(unit) for entry in read]


@dataclass(frozen=True, slots=True)
class _Time:
    """A time as written; its unit is 0 if it must be guessed from all numbers of the list."""

    number: float
    unit: float


@dataclass(frozen=True, slots=True)
class _Entry:
    start: _Time | None
    end: _Time | None
    length: _Time | None
    text: str
    speaker: str

    @classmethod
    def of(cls, entry: Mapping[str, Any], form: JsonForm, who: str) -> _Entry:
        fields: dict[str, tuple[int, Any]] = {}
        for key, value in entry.items():
            role, rank, unit = _role(key)
            if role == "start" and isinstance(value, list) and len(value) == 2:  # one pair for both times
                fields.setdefault("end", (len(_ENDS), _usable("end", value[1], unit)))
                value = value[0]
            if role and (role not in fields or rank < fields[role][0]) and (usable := _usable(role, value, unit)) is not None:
                fields[role] = (rank, usable)
        values = {role: value for role, (_, value) in fields.items()}
        for role in ("start", "end", "text", "speaker"):
            if path := getattr(form, role):
                values[role] = _stated(entry, path, role)
        text = "" if entry.get("type") == "audio_event" else values.get("text") or ""
        return cls(values.get("start"), values.get("end"), values.get("length"), text, values.get("speaker") or who)

    def cue(self, unit: float) -> Cue:
        start, end, length = (
            None if time is None else round(time.number * (time.unit or unit), 3) for time in (self.start, self.end, self.length)
        )
        if end is None and start is not None and length is not None:
            end = round(start + length, 3)
        return Cue(start, end, self.text, self.speaker)


def _stated(entry: Mapping[str, object], path: str, role: str) -> object:
    """Return the value of *entry* at a path of a format."""
    if role == "text":
        return "".join(value for value, _ in _walk(entry, _steps(path)) if isinstance(value, str))
    value = _at(entry, path)
    if role in ("start", "end") and isinstance(value, Mapping):  # a word within the entry
        return next((_usable(role, part, _role(key)[2]) for key, part in value.items() if _role(key)[0] == role), None)
    return _usable(role, value, _role(_steps(path)[-1])[2])


@lru_cache(maxsize=1024)
def _role(key: str) -> tuple[str, int, float]:
    """Return the role of a field name, its priority (the lowest wins), and its unit."""
    plain = "".join(letter for letter in key.lower() if letter.isalnum())
    for role, names in _ROLES.items():
        if plain in names:
            return role, names.index(plain), 0.0
        for ending, unit in _UNITS.items():
            base = plain.removesuffix(ending)
            if base != plain and base in names and role in ("start", "end", "length"):
                return role, names.index(base), unit
    return "", 0, 0.0


def _usable(role: str, value: object, unit: float) -> object:
    """Return *value* converted for the field *role* ("text", "speaker" or a time), or None if it does not fit."""
    if role == "text":
        return value if isinstance(value, str) else None
    if role == "speaker":
        return _speaker(value) or None
    seconds = seconds_of(value)
    written = isinstance(value, Mapping) or (isinstance(value, str) and not _BARE.fullmatch(value.strip()))
    return None if seconds is None else _Time(seconds, 1.0 if written else unit)


def _speaker(value: object) -> str:
    if isinstance(value, Mapping):
        return next((who for key in ("name", "label", "id") if (who := text_of(value.get(key)))), "")
    return text_of(value)


def _guess_unit(entries: Sequence[_Entry]) -> float:
    """Return the unit of numbers without one: whole numbers are milliseconds if speech in seconds would be absurdly slow."""
    times = [
        time.number for entry in entries for time in (entry.start, entry.end, entry.length) if time is not None and not time.unit
    ]
    if not times or max(times) < _LEAST_COUNTED or any(not number.is_integer() for number in times[:_SAMPLE]):
        return 1.0
    lengths = [entry.length.number for entry in entries if entry.length is not None]
    spans = [entry.end.number - entry.start.number for entry in entries if entry.start is not None and entry.end is not None]
    span = sum(lengths) or sum(spans) or max(times) - min(times)
    rate = sum(len(entry.text) for entry in entries) / max(1.0, span)
    return next(unit for unit in (1.0, 1e-3, 1e-7) if rate / unit >= _SLOWEST or unit == 1e-7)


def _join_words(words: Sequence[Cue]) -> Iterator[Cue]:
    """Yield captions of *words* that each have a time; punctuation without one joins the word before."""
    spaced = any(word.raw[:1].isspace() for word in words)
    begun: list[Cue] = []
    chars = 0
    for word in words:
        if begun and word.start_s is not None and _ends(begun, chars, word):
            yield _joined(begun, spaced=spaced)
            begun, chars = [], 0
        if begun or word.start_s is not None:
            begun.append(word)
            chars += len(word.raw)
    if begun:
        yield _joined(begun, spaced=spaced)


def _ends(begun: Sequence[Cue], chars: int, word: Cue) -> bool:
    """Return whether a new caption begins with *word*."""
    last = begun[-1]
    until = next((cue.end_s for cue in reversed(begun[-3:]) if cue.end_s is not None), word.start_s)
    who = next((cue.speaker for cue in reversed(begun[-3:]) if cue.speaker), word.speaker)
    paused = word.start_s is not None and until is not None and word.start_s - until > _PAUSE_S
    return paused or word.speaker not in ("", who) or last.raw.rstrip().endswith(_SENTENCE_END) or chars > _CAPTION_CHARS


def _joined(words: Sequence[Cue], *, spaced: bool) -> Cue:
    text = words[0].raw
    for word in words[1:]:
        is_sign = not any(letter.isalnum() for letter in word.raw)
        text += word.raw if spaced or is_sign else f" {word.raw}"
    end = next((word.end_s for word in reversed(words) if word.end_s is not None), None)
    return Cue(words[0].start_s, end, text, words[0].speaker)


def _weight(cues: Sequence[Cue]) -> tuple[int, int]:
    """Return a sort key that makes one list the transcript: more words, then longer captions."""
    return sum(sum(map(str.isalnum, cue.raw)) for cue in cues), -len(cues)


def _lists(content: object) -> Iterable[Sequence[tuple[object, str]]]:
    """Return the objects of all lists in *content*, joined by path, outer lists first; each with the speaker stated around it."""
    lists: dict[str, list[tuple[object, str]]] = {}
    level = [("", content, "")]
    while level:
        inner: list[tuple[str, object, str]] = []
        for path, value, who in level:
            if isinstance(value, Mapping):
                above = _speaker(value.get("speaker")) or who
                inner += ((f"{path}.{key}", item, above) for key, item in value.items())
            elif isinstance(value, list):
                lists.setdefault(path, []).extend((item, who) for item in value if isinstance(item, Mapping))
                inner += ((f"{path}.*", item, who) for item in value)
        level = [node for node in inner if isinstance(node[1], (Mapping, list))]
    return lists.values()


@lru_cache(maxsize=256)
def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def _walk(value: object, steps: tuple[str, ...], who: str = "") -> Iterator[tuple[object, str]]:
    """Yield the values at the end of the path *steps*, each with the speaker stated on the way."""
    if not steps:
        yield value, who
        return
    step, rest = steps[0], steps[1:]
    if isinstance(value, Mapping):
        who = _speaker(value.get("speaker")) or who
        if step in value:
            yield from _walk(value[step], rest, who)
    elif isinstance(value, list) and step == "*":
        for item in value:
            yield from _walk(item, rest, who)
    elif isinstance(value, list) and value and step.removeprefix("-").isdigit() and int(step) < len(value):
        yield from _walk(value[int(step)], rest, who)


def _at(value: object, path: str) -> object:
    return next((item for item, _ in _walk(value, _steps(path))), None)


_ROLES = {"start": _STARTS, "end": _ENDS, "length": _LENGTHS, "text": _TEXTS, "speaker": _SPEAKERS}
_ANY = JsonForm(path="")
