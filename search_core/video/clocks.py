"""Clock times in the lines of a text: other notations, and lists of times that are no transcript.

Lines of schedules and verses can all begin with a clock time. Verses follow each other faster than anybody speaks, and schedules
begin at a time of the day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_SPOKEN = re.compile(
    r"(^[\W_]{0,4}|[\[(（<])(?:(\d{1,2})\s?(?:h|시간)\s?)?(?:(\d{1,3})\s?(?:m|분)\s?)(\d{1,2}(?:\.\d{1,3})?)\s?(?:s|초)(?!\w)"
)
_DECIMAL = re.compile(
    r"^([\[(]?)(\d{1,6}\.\d{1,3})(\s{0,4}(?:-{1,2}>|[→⟶]|(?<!\d)-|[–—~])\s{0,4})(\d{1,6}\.\d{1,3})(?=[\])]|:?\s)"
)
"""Two times in seconds that state no unit."""
_SIDE_BY_SIDE = re.compile(r"^((?:\d{1,2}:){2}\d\d[:;.,]\d{2,3})\s((?:\d{1,2}:){2}\d\d[:;.,]\d{2,3})$")
"""Two times alone on a line."""
_LEAST_LINES, _LOOKED_AT = 2, 400
"""Minimum number of lines that reveal other notations of times, and the number of lines examined."""
_LOG = re.compile(
    r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE)\b|\w\[\d{1,9}\]:\s|"
    r"\"(?:GET|POST|PUT|HEAD|DELETE|OPTIONS|PATCH) /|\b(?:debug|info|warn(?:ing)?|error)(?=[:\]])|"
    r"^[A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d \S{1,60} \S"
)
_CONSOLE = re.compile(
    r"(?:\w{1,40}_\w{1,60}|main)\s?:.*|.{0,40}\d{1,3}%\|.*|Detect(?:ing|ed) language.*|\[?\d{4}-\d\d-\d\d[T ]\d\d:.*"
)
"""What recognisers print of themselves."""
_ARROWS = re.compile(r"\d\s?s?\s{0,4}-{1,2}>\s{0,4}\d")
_TWO_PARTS = re.compile(r"(\d{1,2}):(\d\d)")
_HALF_DAY = re.compile(r"(?:오전|오후|[AaPp]\.?[Mm]\.?)\s?\d{1,2}:\d\d|\d{1,2}:\d\d\s?[AaPp]\.?[Mm]\.?")
"""An hour and a minute of a half day, as chats have them; who transcribes writes seconds."""
_FIRST_HOUR, _LAST_HOUR, _HOUR_S = 6, 24, 3600.0
_ROUND_MINUTES = 5
_FEWEST = 3
_FASTEST = 25.0
"""Letters a second of the fastest possible speech, syllables counted twice."""
_SYLLABLES = "\u1100"
"""The first letter of the scripts in which most stand for a whole syllable."""
_TITLE_WORDS = 9
_SENTENCE_END = re.compile(r"[.!?。…]$|[다요죠까네]$")
_SENTENCE_SHARE = 0.3
_BACKWARDS_SHARE = 0.2


def write_clocks(lines: Sequence[str]) -> list[str]:
    """Return *lines* with times like ``0h00m03s``, ``00분 03초`` and ``[0.00 --> 3.50]`` in the usual notation.

    Prose mentions durations, too: only times that never go back, at the beginning of lines or in brackets, count.
    """
    for pattern, write in ((_SPOKEN, _clock), (_DECIMAL, r"\1\2s\3\4s")):
        matches = [match for line in lines[:_LOOKED_AT] if (match := pattern.search(line))]
        starts = [_start(match) for match in matches]
        if len(matches) >= max(_LEAST_LINES, len(lines[:_LOOKED_AT]) / 4) and starts == sorted(starts) and len(set(starts)) > 1:
            lines = [pattern.sub(write, line, count=1) for line in lines]
    return [_SIDE_BY_SIDE.sub(r"\1 - \2", line) for line in lines]


def without_console(lines: Sequence[str]) -> list[str]:
    """Return *lines* without other output of recognisers, if times have arrows."""
    if sum(_ARROWS.search(line) is not None for line in lines) < _LEAST_LINES:
        return list(lines)
    return [line for line in lines if _ARROWS.search(line) or not (_CONSOLE.fullmatch(line) or _LOG.search(line))]


def are_spoken(times: Sequence[str], starts: Sequence[float], words: Sequence[str], *, bare: bool) -> bool:
    """Return whether *words* can be spoken between these *starts*, which are written as *times*.

    *bare* times have no brackets, roles or recurring names.
    """
    back = sum(later < sooner for sooner, later in pairwise(starts))
    of_the_day = bare and (_are_hours(times) or starts[0] >= _FIRST_HOUR * _HOUR_S) and _hold_few_sentences(words)
    if of_the_day or _are_half_days(times) or back > _BACKWARDS_SHARE * len(starts):
        return False
    rounded_s = 1.0 if len(starts) < _FEWEST else 0.0
    return _weight(words[:-1]) <= _FASTEST * (max(starts) - min(starts) + rounded_s)


def _hold_few_sentences(words: Sequence[str]) -> bool:
    """Return whether few of the titles *words* end like sentences, or are as long."""
    sentences = sum(_SENTENCE_END.search(title) is not None or len(title.split()) > _TITLE_WORDS for title in words)
    return sentences < _SENTENCE_SHARE * len(words)


def _are_half_days(times: Sequence[str]) -> bool:
    return all(map(_HALF_DAY.fullmatch, times))


def _are_hours(times: Sequence[str]) -> bool:
    """Return whether *times* are round hours of a day, from the morning on."""
    matches = [match for time in times if (match := _TWO_PARTS.fullmatch(time))]
    return (
        len(matches) == len(times) >= _FEWEST
        and all(int(match[1]) <= _LAST_HOUR and int(match[2]) % _ROUND_MINUTES == 0 for match in matches)
        and int(matches[0][1]) >= _FIRST_HOUR
    )


def _weight(words: Sequence[str]) -> int:
    return sum(1 + (letter >= _SYLLABLES) for text in words for letter in text if letter.isalnum())


def _clock(match: re.Match[str]) -> str:
    seconds, point, part = match[4].partition(".")
    return f"{match[1]}{int(match[2] or 0)}:{int(match[3]):02}:{seconds:>02}{point}{part}"


def _start(match: re.Match[str]) -> float:
    if match.re is _DECIMAL:
        return float(match[2])
    return int(match[2] or 0) * 3600 + int(match[3]) * 60 + float(match[4])
