"""Pasted texts, with or without times in their lines, as recognisers, note takers and pages write them.

A line with one or two clock times opens a turn: in any brackets, a dash or an arrow between them, a speaker before or after, the
words on this line or the next ones. YouTube's panel adds a spoken form for screen readers to each time (``0:099초말``), which is
recognised because it repeats the time.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from search_core.domain.video import Chapter, TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.language.captions import Cue, frame_rate, plain_lines, subtitle_seconds
from search_core.language.dates import read_date
from search_core.language.sentences import sentence_spans
from search_core.video.speakers import head_of, is_role, names_among, text_labels, without_label
from search_core.video.subtitles import arrange, describe

NO_TIMES = "시간 정보가 없는 글이라 장면으로 바로 이동할 수는 없어요."
_HALF_DAY = r"오전|오후|[AaPp]\.?[Mm]\b\.?"
_TIME = (
    rf"(?:(?:{_HALF_DAY})\s?)?(?:\d{{1,4}}:)?\d{{1,3}}:[0-5]\d(?:[.,]\d{{1,3}}(?!\d)|[:;]\d\d(?!\d))?(?:\s?[AaPp][Mm]\b)?"
    r"|\d{1,6}\.\d{1,3}\s?s\b"
)
_TIMES = re.compile(rf"(?<![\d:.])({_TIME})(?:\s{{0,4}}(-{{0,2}}>|[→⟶]|[-–—~,]|to\b)\s{{0,4}}({_TIME}))?")
_GLUED = re.compile(r"((?:\d{1,2}:)?\d{1,3}:[0-5]\d)(?=[^\W\d_])")
"""A time with words right after it ("0:15안녕"), accepted if nearly every line begins so."""
_BOLD_LABEL = re.compile(r"\*\*([^*:：\n]{1,60})(?:[:：]\*\*|\*\*[:：])")
_ROLE_OPENS = re.compile(r"((?:참석자|화자|발화자|발언자|話者|発言者|发言人|说话人|speaker)\s?\d{1,3})\s+(?=\S)", re.IGNORECASE)
_FRAMES = re.compile(r"(\d{1,4}:\d{1,3}:\d\d)[:;](\d\d)")
_HOUR_S = 3600.0
_DAYTIME_S = 6 * _HOUR_S
"""A first turn at this time or later was timed by the time of day, as no video begins with hours of silence."""
_LOOKED_AT = 90
"""Number of characters at the start of a line in which times are looked for."""
_MOST_SPEAKER_CHARS, _MOST_SPEAKER_WORDS = 40, 5
_BULLETS, _OPENING, _CLOSING, _PARTING = "#>*•·|-–— ", "([{<（【@ ", ")]}>）】 ", ":：-–—|,~ "
_DAY = re.compile(r"\d{4}\s?[-./년]\s?\d{1,2}\s?[-./월]\s?\d{1,2}")
_DATED = re.compile(r"^([\[(]?)\d{4}[-./]\d{1,2}[-./]\d{1,2}[T ,]{1,2}(?=\d{1,2}:\d\d:\d\d)")
_NUMBERED = re.compile(r"^\d{1,5}[.)]\s(?=.?\d{1,3}:\d\d)")
_FACT = re.compile(r"\[(ti|ar|al|au|by|re|ve|la|offset|length)\s?:\s?([^\[\]]*)\]|\[[A-Z]{3}[A-Z ]{0,20}\].{0,80}")
"""Metadata that LRC and SubViewer files have above their captions."""
_FOOT = re.compile(
    r"(?:https?://)?[A-Za-z0-9-]{1,60}(?:\.[A-Za-z0-9-]{1,60}){0,3}\.[A-Za-z]{2,10}(?:/\S*)?|.{0,80}(?:https?://\S+).{0,20}|"
    r".{1,40}\((?:자동 생성됨|auto-generated)\)"
)
_MOST_FOOT_LINES, _MOST_HEAD_LINES = 3, 6
_TIMED_LINES = 3
_TIMED_SHARE = 0.25
_NEARLY_ALL = 0.9
_SEGMENT_CHARS = 200  # about what is said in ten seconds of a subtitle pair
_PANEL_CLOCK = re.compile(r"(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)(?![:.,]\d)\s*(.*)")
_CHAPTER = re.compile(
    r"(?:챕터|chapter|チャプター|章节|章節|kapitel|cap[ií]tulo|chapitre)\s?\d{1,3}\s?[:：]\s?(.+)", re.IGNORECASE
)
_SPOKEN_TIME = re.compile(
    r"(?:(\d{1,2})\s?(?:시간|hours?),?\s?)?(?:(\d{1,3})\s?(?:분|minutes?),?\s?)?(?:(\d{1,2})\s?(?:초|seconds?))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Mark:
    times: tuple[str, ...]
    speaker: str = ""
    words: str = ""
    bracketed: bool = False
    arrow: bool = False


class TimedText:
    """A text with the times in its lines."""

    def __init__(self, text: str) -> None:
        plain = (line.replace("**", "") for line in text.split("\n"))
        self.lines = without_console([words for line in plain if (words := " ".join(_NUMBERED.sub("", line).split()))])
        self.facts = dict[str, str]()
        for line in [*self.lines[:20]]:
            if fact := _FACT.fullmatch(line):
                self.facts |= {fact[1]: fact[2]} if fact[1] else {}
                self.lines.remove(line)
        undated = [_DATED.sub(r"\1", line) for line in self.lines]
        self._by_the_wall = sum(map(str.__ne__, undated, self.lines)) * 2 > len(undated)
        self.lines = _with_names_beside_times(write_clocks(undated if self._by_the_wall else self.lines))
        labelled = _without_spoken_times(self.lines)
        self.is_panel = labelled is not None
        """Whether it was copied from YouTube's panel."""
        self.lines = labelled or self.lines
        self.marks = _agreeing([_mark(line) for line in self.lines])
        marks = [mark for mark in self.marks if mark is not None]
        if len(marks) < _TIMED_SHARE * len(self.lines):
            glued = [_mark(_GLUED.sub(r"\1 ", line)) if _GLUED.match(line) else None for line in self.lines]
            marks = [mark for mark in glued if mark is not None]
            self.marks = glued if len(marks) >= _NEARLY_ALL * len(self.lines) else self.marks
        self.has_arrows = sum(mark.arrow for mark in marks) * 2 > len(marks)
        opens = len(marks) >= _TIMED_SHARE * len(self.lines) and (
            len(marks) >= _TIMED_LINES
            or self.has_arrows
            or (len(marks) > 1 and all(mark.bracketed or mark.speaker or len(mark.times) > 1 for mark in marks))
        )
        self.is_timed = opens and any(self.marks) and (self.is_panel or self._is_spoken())
        """Whether its times are those at which something is said."""

    def _is_spoken(self) -> bool:
        marks = [mark for mark in self.marks if mark is not None]
        turns = Counter(mark.speaker for mark in marks if mark.speaker)
        roles = any(map(is_role, turns)) or any(_ROLE_OPENS.match(mark.words) for mark in marks)
        bare = not roles and turns.total() == len(turns) and not any(mark.bracketed for mark in marks)
        return are_spoken(*self._turns(), bare=bare)

    def _turns(self) -> tuple[list[str], list[float], list[str]]:
        """Return each turn's first time, as written and in seconds, and its text."""
        times, words = list[str](), list[list[str]]()
        for line, mark in zip(self.lines, self.marks, strict=True):
            if mark is not None:
                times.append(mark.times[0])
                words.append([mark.words])
            elif words:
                words[-1].append(line)
        return times, [_seconds(time, frame_rate(0)) for time in times], [" ".join(said).strip() for said in words]

    def read(self) -> VideoContext:
        """Return the turns, and the metadata above and below them."""
        first = next(index for index, mark in enumerate(self.marks) if mark is not None)
        marks = self.marks[first:]
        last = len(marks) - next(index for index, mark in enumerate(reversed(marks)) if mark is not None)
        lines = [*self.lines[first : first + last], *_without_foot(self.lines[first + last :])]
        turns: list[tuple[_Mark, list[str]]] = []
        titles: dict[int, str] = {}
        for line in self.lines[:first] if self.is_panel else []:
            if chapter := _CHAPTER.fullmatch(line):
                titles[0] = chapter[1]
        for line, mark in zip(lines, marks, strict=False):
            if mark is not None:
                turns.append((mark, [mark.words] if mark.words else []))
            elif self.is_panel and (chapter := _CHAPTER.fullmatch(line)):
                titles[len(turns)] = chapter[1]
            else:
                turns[-1][1].append(line)
        stated = [mark.times for mark, _ in turns]
        in_turns = all(mark.speaker for mark, _ in turns)
        times = _seconds_of(stated, by_the_wall=self._by_the_wall or (in_turns and _seconds(stated[0][0], 1) >= _DAYTIME_S))
        cues = list(_cues(_with_speakers_behind_times(turns), times))
        subtitles = arrange(cues, ends_known=False)
        origin = subtitles.transcript_origin
        subtitles = replace(
            subtitles,
            title=self.facts.get("ti", ""),
            transcript_origin=origin if origin is not TranscriptOrigin.UNKNOWN else TranscriptOrigin.PLAIN_TEXT,
            chapters=tuple(Chapter(times[at][0], title) for at, title in titles.items() if at < len(times)),
        )
        return subtitles if self.is_panel else _with_head(subtitles, self.lines[:first])


def _with_names_beside_times(lines: list[str]) -> list[str]:
    """Return *lines* with each speaker's name joined to the time below it, if every time has a recurring name."""
    alone = [index for index, line in enumerate(lines) if _TIMES.fullmatch(line)]
    above = [head_of(lines[index - 1]) if index else "" for index in alone]
    if not all(above) or len(set(above)) == len(above):
        return lines
    named = {index - 1 for index in alone}
    return [
        f"{lines[index - 1]} {line}" if index - 1 in named else line for index, line in enumerate(lines) if index not in named
    ]


def _mark(line: str) -> _Mark | None:
    match = _TIMES.search(line[:_LOOKED_AT])
    if match is None:
        return None
    before, after = line[: match.start()].lstrip(_BULLETS), line[match.end() :]
    bracketed = before.rstrip(" ").endswith(tuple(_OPENING.strip()))
    speaker = before.rstrip(_OPENING).rstrip(_PARTING).strip(_OPENING + _CLOSING)
    if not bracketed and after and (after[0].isalnum() or after[0] in "'’%"):
        return None
    words = after.lstrip(_CLOSING).lstrip(_PARTING).strip()
    words = words if any(letter.isalnum() for letter in words) else ""
    if speaker and (
        len(speaker) > _MOST_SPEAKER_CHARS
        or len(speaker.split()) > _MOST_SPEAKER_WORDS
        or not any(letter.isalpha() for letter in speaker)
        or (len(speaker) == 1 and "가" <= speaker <= "힣")
        or speaker.endswith((".", "!", "?", ","))
        or _DAY.search(speaker)
    ):
        return None
    times = tuple(filter(None, (match[1], match[3])))
    if times[0].endswith("s") and len(times) < 2:
        return None
    return _Mark(times, speaker, words, bracketed, arrow=bool(match[2]) and match[2][-1] in ">→⟶")


def _agreeing(marks: list[_Mark | None]) -> list[_Mark | None]:
    """Return *marks* with None for those in a minority format, such as a time mentioned in speech, which opens no turn."""
    openings = [mark for mark in marks if mark is not None]
    turns = Counter(mark.speaker for mark in openings)
    brackets = sum(mark.bracketed for mark in openings) * 2 > len(openings)
    ranges = sum(len(mark.times) > 1 for mark in openings) * 2 > len(openings)
    together = sum(bool(mark.speaker and mark.words) for mark in openings) * 2 > len(marks)

    def agrees(mark: _Mark) -> bool:
        if (brackets and not mark.bracketed) or (ranges and len(mark.times) < 2):
            return bool(mark.speaker and not mark.words)
        loose = mark.speaker and mark.words and not is_role(mark.speaker) and turns[mark.speaker] < 2
        return together or not loose

    return [mark if mark is not None and agrees(mark) else None for mark in marks]


def _with_speakers_behind_times(turns: list[tuple[_Mark, list[str]]]) -> list[tuple[_Mark, list[str]]]:
    """Return *turns* with speakers written after the times and the words on the lines below."""
    opened = [_ROLE_OPENS.match(mark.words) for mark, _ in turns]
    if all(opened):
        return [
            (replace(mark, speaker=head[1]), [mark.words[head.end() :], *said[1:]])
            for (mark, said), head in zip(turns, opened, strict=True)
            if head
        ]
    heads = [head_of(mark.words) if len(said) > 1 and not mark.speaker else "" for mark, said in turns]
    if sum(map(bool, heads)) < _NEARLY_ALL * len(turns):
        return turns
    return [
        (replace(mark, speaker=head), said[1:]) if head else (mark, said) for (mark, said), head in zip(turns, heads, strict=True)
    ]


def _cues(turns: Sequence[tuple[_Mark, list[str]]], times: Sequence[tuple[float, float | None]]) -> Iterator[Cue]:
    for (mark, said), (start, end) in zip(turns, times, strict=True):
        words = "\n".join(said).replace("[br]", "\n").replace("|", "\n")
        yield Cue(start, end, words, mark.speaker if said else "")  # Meet's "Meeting ended after 00:31:02" is nobody


def _seconds_of(stated: Sequence[tuple[str, ...]], *, by_the_wall: bool) -> list[tuple[float, float | None]]:
    """Return start and end of each turn, in seconds from the start of the video; *by_the_wall* tells times of day."""
    frames = [int(match[2]) for times in stated for time in times if (match := _FRAMES.fullmatch(time))]
    rate = frame_rate(max(frames, default=0))
    read = [tuple(_seconds(time, rate) for time in times) for times in stated]
    first = read[0][0]
    before = first if by_the_wall or re.search(_HALF_DAY, stated[0][0]) else first // _HOUR_S * _HOUR_S if frames else 0.0
    return [(max(0.0, times[0] - before), times[1] - before if len(times) > 1 else None) for times in read]


def _seconds(time: str, rate: int) -> float:
    """Return the seconds of a written time, with *rate* frames a second."""
    if time.endswith("s"):
        return float(time[:-1])
    half = re.search(_HALF_DAY, time)
    clock = re.sub(_HALF_DAY, "", time).strip() if half else time
    if match := _FRAMES.fullmatch(clock):
        return (subtitle_seconds(match[1]) or 0.0) + int(match[2]) / rate
    seconds = subtitle_seconds(clock) or 0.0
    if half is None:
        return seconds
    hours, rest = divmod(seconds * (60 if clock.count(":") == 1 else 1), _HOUR_S)
    return (hours % 12 + (12 if half[0] == "오후" or half[0][0] in "pP" else 0)) * _HOUR_S + rest


def _without_foot(lines: list[str]) -> list[str]:
    """Return *lines* without the address that the writing tool adds at the end."""
    for _ in range(_MOST_FOOT_LINES):
        if lines and _FOOT.fullmatch(lines[-1]):
            lines = lines[:-1]
    return lines


def _with_head(subtitles: VideoContext, lines: Sequence[str]) -> VideoContext:
    """Return *subtitles* with the title and date stated above the first turn.

    The title is a heading, or the first line where another one has the day.
    """
    if len(lines) > _MOST_HEAD_LINES or not lines:
        return subtitles
    dated = next((index for index, line in enumerate(lines) if _DAY.search(line)), -1)
    if dated > 0 or lines[0].startswith("#"):
        subtitles = replace(subtitles, title=subtitles.title or lines[0].lstrip("# "))
    day = _DAY.search(lines[dated])
    return replace(subtitles, published_at=read_date(day[0])) if day else subtitles


def _without_spoken_times(lines: Sequence[str]) -> list[str] | None:
    """Return the *lines* of YouTube's transcript panel without the spoken form behind each time; None for other text."""
    kept, clocks, labels = list[str](), 0, 0
    waiting = deque(lines)
    while waiting:
        line = waiting.popleft()
        match = _PANEL_CLOCK.fullmatch(line)
        if match is None:
            kept.append(line)
            continue
        clocks += 1
        clock, words = line[: match.start(4)].strip(), match[4]
        said = words or (waiting[0] if waiting else "")
        spoken = _SPOKEN_TIME.match(said)
        if spoken and spoken[0] and _numbers(spoken) == _numbers(match):
            labels += 1
            if not words:
                waiting.popleft()
            words = said[spoken.end() :].strip()
        kept.append(f"{clock} {words}".strip())
    return kept if labels > 1 and labels * 2 > clocks else None


def _numbers(match: re.Match[str]) -> list[int]:
    """Return the hours, minutes and seconds in *match*."""
    return [int(number or 0) for number in match.groups()[:3]]


def read_prose(text: str) -> VideoContext:
    """Return the sentences of *text* with times of 0, and a warning about that."""
    bold = Counter(label[1] for line in text.split("\n") if (label := _BOLD_LABEL.match(line)))
    lines = [words for line in text.replace("**", "").split("\n") if (words := " ".join(line.split()))]
    heads = Counter(head for line in lines if (head := head_of(line)) and is_role(head))
    first = next((index for index, line in enumerate(lines) if heads[head_of(line)]), 0) if heads.total() > 1 else 0
    above = lines[:first]
    if heads.total() > 1:
        lines = [line for line in _without_foot(lines[first:]) if not heads[head_of(line)]]
    labels = tuple(bold) if bold.total() > len(bold) else text_labels(lines)
    turns = [without_label(line, labels) for line in lines]
    segments = tuple(TranscriptSegment(0.0, 0.0, piece) for line in turns for piece in _pieces(" ".join(plain_lines(line))))
    subtitles = VideoContext(
        transcript=segments,
        read_as=describe(len(segments), len({*labels, *heads}) if labels or heads.total() > 1 else 0),
        speakers=names_among(labels),
        warnings=(NO_TIMES,),
        transcript_origin=TranscriptOrigin.PLAIN_TEXT,
    )
    return _with_head(subtitles, above)


def _pieces(line: str) -> list[str]:
    """Return the sentences of a paragraph, short ones joined, so that passages stay readable."""
    pieces: list[str] = []
    for start, end in sentence_spans(line):
        sentence = line[start:end]
        if pieces and len(pieces[-1]) + len(sentence) < _SEGMENT_CHARS:
            pieces[-1] = f"{pieces[-1]} {sentence}"
        else:
            pieces.append(sentence)
    return pieces


_SPOKEN_CLOCK = re.compile(
    r"(^[\W_]{0,4}|[\[(（<])(?:(\d{1,2})\s?(?:h|시간)\s?)?(?:(\d{1,3})\s?(?:m|분)\s?)(\d{1,2}(?:\.\d{1,3})?)\s?(?:s|초)(?!\w)"
)
_DECIMAL_TIMES = re.compile(
    r"^([\[(]?)(\d{1,6}\.\d{1,3})(\s{0,4}(?:-{1,2}>|[→⟶]|(?<!\d)-|[–—~])\s{0,4})(\d{1,6}\.\d{1,3})(?=[\])]|:?\s)"
)
"""Two times in seconds without a unit: "[0.00 --> 3.50]"."""
_SIDE_BY_SIDE = re.compile(r"^((?:\d{1,2}:){2}\d\d[:;.,]\d{2,3})\s((?:\d{1,2}:){2}\d\d[:;.,]\d{2,3})$")
"""Two times alone on a line: "00:00:01.20 00:00:03.40"."""
_LEAST_LINES, _CLOCK_LINES = 2, 400
"""Least lines with times in another notation for it to be accepted, and number of lines examined."""
_LOG = re.compile(
    r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE)\b|\w\[\d{1,9}\]:\s|"
    r"\"(?:GET|POST|PUT|HEAD|DELETE|OPTIONS|PATCH) /|\b(?:debug|info|warn(?:ing)?|error)(?=[:\]])|"
    r"^[A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d \S{1,60} \S"
)
_CONSOLE = re.compile(
    r"(?:\w{1,40}_\w{1,60}|main)\s?:.*|.{0,40}\d{1,3}%\|.*|Detect(?:ing|ed) language.*|\[?\d{4}-\d\d-\d\d[T ]\d\d:.*"
)
"""Lines that recognisers print about themselves, such as progress and "Detected language: …"."""
_ARROWS = re.compile(r"\d\s?s?\s{0,4}-{1,2}>\s{0,4}\d")
_TWO_PARTS = re.compile(r"(\d{1,2}):(\d\d)")
_HALF_DAY_CLOCK = re.compile(r"(?:오전|오후|[AaPp]\.?[Mm]\.?)\s?\d{1,2}:\d\d|\d{1,2}:\d\d\s?[AaPp]\.?[Mm]\.?")
"""A time of day with am or pm, as in chats; transcripts have times with seconds instead."""
_FIRST_HOUR, _LAST_HOUR = 6, 24
_ROUND_MINUTES = 5
_FEWEST = 3
_FASTEST = 25.0
"""Letters a second of the fastest possible speech, syllables counted twice."""
_SYLLABLES = "\u1100"
"""Characters from this one on count as whole syllables, as in Hangul, Chinese and Japanese."""
_TITLE_WORDS = 9
_SENTENCE_END = re.compile(r"[.!?。…]$|[다요죠까네]$")
_SENTENCE_SHARE = 0.3
_BACKWARDS_SHARE = 0.2


def write_clocks(lines: Sequence[str]) -> list[str]:
    """Return *lines* with times like ``0h00m03s``, ``00분 03초`` and ``[0.00 --> 3.50]`` in the usual notation.

    Only times at the beginning of lines or in brackets that never go back are rewritten, as prose mentions durations, too.
    """
    for pattern, write in ((_SPOKEN_CLOCK, _clock), (_DECIMAL_TIMES, r"\1\2s\3\4s")):
        matches = [match for line in lines[:_CLOCK_LINES] if (match := pattern.search(line))]
        starts = [_start(match) for match in matches]
        if len(matches) >= max(_LEAST_LINES, len(lines[:_CLOCK_LINES]) / 4) and starts == sorted(starts) and len(set(starts)) > 1:
            lines = [pattern.sub(write, line, count=1) for line in lines]
    return [_SIDE_BY_SIDE.sub(r"\1 - \2", line) for line in lines]


def without_console(lines: Sequence[str]) -> list[str]:
    """Return *lines* without what recognisers print beside captions ("Detected language: …"), if times have arrows."""
    if sum(_ARROWS.search(line) is not None for line in lines) < _LEAST_LINES:
        return list(lines)
    return [line for line in lines if _ARROWS.search(line) or not (_CONSOLE.fullmatch(line) or _LOG.search(line))]


def are_spoken(times: Sequence[str], starts: Sequence[float], words: Sequence[str], *, bare: bool) -> bool:
    """Return whether *times* are those at which *words* are said, and not a timetable's or a chat's.

    *starts* are the times in seconds; *bare* ones have no brackets, roles or recurring names.
    """
    back = sum(later < sooner for sooner, later in pairwise(starts))
    of_the_day = bare and (_are_hours(times) or starts[0] >= _FIRST_HOUR * _HOUR_S)
    if of_the_day:  # titles hold few sentences
        sentences = sum(_SENTENCE_END.search(title) is not None or len(title.split()) > _TITLE_WORDS for title in words)
        of_the_day = sentences < _SENTENCE_SHARE * len(words)
    if of_the_day or all(map(_HALF_DAY_CLOCK.fullmatch, times)) or back > _BACKWARDS_SHARE * len(starts):
        return False
    rounded_s = 1.0 if len(starts) < _FEWEST else 0.0
    return _weight(words[:-1]) <= _FASTEST * (max(starts) - min(starts) + rounded_s)


def _are_hours(times: Sequence[str]) -> bool:
    """Return whether *times* are round times of day from the morning on, as in a timetable ("09:00", "10:30")."""
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
    if match.re is _DECIMAL_TIMES:
        return float(match[2])
    return int(match[2] or 0) * 3600 + int(match[3]) * 60 + float(match[4])
