"""Subtitles and plain texts as transcript segments, and transcripts as subtitle files.

Cues are put in order of time, broken times put right, and the doubled lines of automatic captions said once. Plain texts are
read as bare prose, and in the timed forms people paste: YouTube's transcript panel (``0:05`` on a line of its own, or before
the words), and speech notes that put a speaker and a time above each turn (``김하나 00:12``). What is written keeps where the
words are from and which of them are uncertain (WebVTT only).

Who speaks is told by the names that stand before turns ("최영란: …", "[최영란] …", "JANE DOE: …").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from search_core.domain import TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.text.captions import Cue, is_webvtt, plain_lines, protect_words, read_cues, voices
from search_core.text.entities import EntityKind, find_entities
from search_core.text.sentences import sentence_spans
from search_core.text.video_time import CLOCK, clock_seconds
from search_core.video.discovery import is_korean_name
from search_core.video.limits import check_cues

RECOGNISED_NOTE = "NOTE Speech recognition:"
"""What ``write_vtt`` puts above the captions of a recogniser, its model behind it."""
_RECOGNISED = re.compile(rf"^{RECOGNISED_NOTE} ?([^\n]{{0,200}})$", re.MULTILINE)
UNCERTAIN = "<c.uncertain>"
"""The class it gives to what may not have been said."""
_HEADER_CHARS = 500
_HEADER_LANGUAGE = re.compile(r"^Language:\s*([A-Za-z]{2,3})", re.MULTILINE)
_ROLLING_SHARE = 0.3  # automatic captions repeat a line in nearly every cue, people in few
_TOUCHING_S = 0.2
_MOST_REPEATED = 8  # lines; screens have room for two or three
_SLIPS = 0.02  # a few reversed cues are slips of the typist and change nothing for the reader
_LEADING_TIME = re.compile(rf"^\s*[\[(]?({CLOCK})(?:[.,]\d{{1,3}})?[\])]?(?:\s+|$)(.*)$")
_SPEAKER_TIME = re.compile(rf"^\s*+(\S(?:.{{0,27}}?\S)?)\s++[\[(]?({CLOCK})[\])]?\s*+$")
_TIMED_LINES = 3
_TIMED_SHARE = 0.25
_SEGMENT_CHARS = 200  # about what is said in ten seconds of a subtitle pair
NO_TIMES = "시간 정보가 없는 글이라 장면으로 바로 이동할 수는 없어요."
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

_ROLE = re.compile(
    r"(?:참석자|화자|발화자|발언자|진행자|사회자|기자|앵커|질문|답변|speaker|person|unknown|host|moderator|interviewer|guest|q|a|"
    r"question|answer)\s*\d*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:[-–—]\s?)?(?:\[(?P<bracketed>[^\W\d_][^\[\]:：.,!?;()]{0,38})\]\s?[:：]?"
    r"|(?P<bare>[^\W\d_](?:[^:：.,!?;()\[\]]{0,38}[^\s:：.,!?;()\[\]])?)\s?[:：])(?:\s+(?=\S)|$)"
)
"""What stands before the words of a turn."""
_LABEL_WORDS = 4
_MOST_LABELS = 200
"""Labels of a text that are looked at; people in it are fewer."""
_LABELLED_SHARE = 0.5
_LATIN_NAME = re.compile(r"(?:[A-Z][\w.'’-]+ ){1,3}[A-Z][\w.'’-]+|[A-Z][A-Z .'’-]+")
_HANGUL_NAME = re.compile(r"[가-힣]{3,4}")
_HANGUL_LABEL = re.compile(r"[가-힣]{3,4}(?:\s?[가-힣]{1,6}){0,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subtitles:
    """What a subtitle file says: segments in order of time, the speakers it names, and what was wrong with it."""

    segments: tuple[TranscriptSegment, ...]
    speakers: tuple[str, ...] = ()
    language: str = ""
    warnings: tuple[str, ...] = ()
    rolling: bool = False
    """True where each caption repeats the line before, as a recogniser's do."""
    origin: TranscriptOrigin = TranscriptOrigin.UNKNOWN
    model: str = ""
    """The model that recognised the speech, where the file names one."""


def read_subtitles(text: str) -> Subtitles:
    """Return the cues of an SRT or WebVTT file that hold words, ordered by time."""
    if not is_webvtt(text):
        return arrange(list(read_cues(text)))
    head = text[:_HEADER_CHARS]
    language, recognised = _HEADER_LANGUAGE.search(head), _RECOGNISED.search(head)
    found = arrange(list(read_cues(text)), language[1].lower() if language else "")
    return replace(found, origin=TranscriptOrigin.RECOGNITION, model=recognised[1].strip()) if recognised else found


def arrange(cues: list[Cue], language: str = "") -> Subtitles:
    """Return *cues* without markup and doubled lines, in order of time, with a warning for each thing put right.

    Raises VideoReadError when there are more than are read.
    """
    check_cues(len(cues))
    speakers = dict.fromkeys(name for cue in cues for name in voices(cue.raw))
    lines, labelled = _without_labels([plain_lines(cue.raw) for cue in cues])
    timed, warnings = _repair_times(cues)
    rolling = _is_rolling(timed, lines)
    if rolling:
        segments = _unroll(timed, lines)
    else:
        segments = [
            TranscriptSegment(start, end, " ".join(words), UNCERTAIN in cue.raw)
            for cue, (start, end), words in zip(cues, timed, lines, strict=True)
            if words
        ]
    segments = list(dict.fromkeys(segments))  # streams cut into pieces repeat the cue that crosses a cut
    ordered = sorted(segments, key=lambda segment: segment.start_s)
    if ordered != segments:
        warnings.append("자막의 시간 순서가 뒤섞여 있어서 시간순으로 다시 늘어놓았어요.")
    return Subtitles(
        segments=tuple(ordered),
        speakers=tuple(dict.fromkeys((*speakers, *labelled))),
        language=language,
        warnings=tuple(warnings),
        rolling=rolling,
        origin=TranscriptOrigin.AUTOMATIC if rolling else TranscriptOrigin.UNKNOWN,
    )


def _without_labels(lines: list[tuple[str, ...]]) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Return the *lines* of each cue without the names that open turns, and these names."""
    labels = _speaker_labels([line for said in lines for line in said], timed=True)
    if not labels:
        return lines, ()
    return [tuple(words for line in said if (words := _without_label(line, labels))) for said in lines], _names_of_speakers(
        labels
    )


def _speaker_labels(lines: Sequence[str], *, timed: bool) -> tuple[str, ...]:
    """Return who opens turns, in order, roles ("진행자") among them.

    In captions, which are *timed*, a turn goes on over many lines: a label there is the full name of a Korean person, or comes
    back and is written like a name or a role. In a text, where colons are in prose, too, it comes back or is in capitals and
    half of the lines have one, or it is the full name with which the text begins.
    """
    found = Counter(label for line in lines if (label := _label_of(line)) and len(label.split()) <= _LABEL_WORDS)
    opened = dict(islice(found.items(), _MOST_LABELS))
    if timed:
        return tuple(label for label, turns in opened.items() if _full_name(label) or (turns > 1 and _is_like_a_name(label)))
    labels = [label for label, turns in opened.items() if turns > 1 or (len(label) > 1 and label.isascii() and label.isupper())]
    if sum(opened[label] for label in labels) >= _LABELLED_SHARE * len(lines):
        return tuple(labels)
    return tuple(label for label in opened if label == _label_of(lines[0]) and _full_name(label))


def _names_of_speakers(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the names among *labels*, in order, without roles, titles and doubles."""
    return tuple(dict.fromkeys(_full_name(label) or label for label in labels if not _is_role(label)))


def _without_label(line: str, labels: Collection[str]) -> str:
    """Return *line* without the label that opens it, where that is one of *labels*."""
    found = _LABEL.match(line)
    return line[found.end() :] if found and (found["bracketed"] or found["bare"]).strip() in labels else line


def _is_role(label: str) -> bool:
    """Return whether *label* is a role, and no name."""
    return _ROLE.fullmatch(label) is not None


def _label_of(line: str) -> str:
    found = _LABEL.match(line)
    return (found["bracketed"] or found["bare"]).strip() if found else ""


def _is_like_a_name(label: str) -> bool:
    return _is_role(label) or _LATIN_NAME.fullmatch(label) is not None or is_korean_name(label, expected=True)


def _full_name(label: str) -> str:
    """Return the full name of a Korean person that *label* is, without the title behind it; nothing for another label."""
    if not _HANGUL_LABEL.fullmatch(label) or _is_role(label):
        return ""
    named = [entity for entity in find_entities(label) if entity.kind is EntityKind.PERSON]
    return named[0].text if named and named[0].start == 0 and _HANGUL_NAME.fullmatch(named[0].text) else ""


def _repair_times(cues: list[Cue]) -> tuple[list[tuple[float, float]], list[str]]:
    """Return start and end of each cue, broken ones filled in from their neighbours, and warnings about them."""
    times: list[tuple[float, float]] = []
    unreadable = backwards = 0
    for cue, following in zip(cues, _starts_after(cues), strict=True):
        start, end = cue.start_s, cue.end_s
        if start is None or end is None:
            unreadable += 1
        if start is None:
            start = times[-1][1] if times else 0.0
        if end is None or end < start:
            backwards += end is not None
            end = following if following is not None and following > start else start
        times.append((start, end))
    warnings = []
    if unreadable:
        warnings.append(f"시간을 읽지 못한 자막이 {unreadable}개 있어서 앞뒤 자막에 맞춰 넣었어요.")
    if backwards > _SLIPS * len(cues):
        warnings.append(f"끝나는 시간이 시작보다 빠른 자막이 {backwards}개 있어서 고쳐 읽었어요.")
    return times, warnings


def _starts_after(cues: Sequence[Cue]) -> list[float | None]:
    """Return for each cue the next start that can be read, from the end on, so that a long file takes no longer a cue."""
    starts: list[float | None] = []
    following = None
    for cue in reversed(cues):
        starts.append(following)
        following = following if cue.start_s is None else cue.start_s
    return starts[::-1]


def _is_rolling(times: list[tuple[float, float]], lines: list[tuple[str, ...]]) -> bool:
    """Return whether cues keep repeating the last line of the cue they follow on, as automatic captions do."""
    pairs = [(i - 1, i) for i in range(1, len(lines)) if lines[i - 1] and lines[i]]
    rolled = sum(
        lines[before][-1] == lines[here][0] and times[here][0] - times[before][1] <= _TOUCHING_S for before, here in pairs
    )
    return rolled >= 2 and rolled >= _ROLLING_SHARE * len(pairs)


def _unroll(times: list[tuple[float, float]], lines: list[tuple[str, ...]]) -> list[TranscriptSegment]:
    """Return the segments with each repeated line only where it is first said."""
    segments: list[TranscriptSegment] = []
    shown: tuple[str, ...] = ()
    for (start, end), words in zip(times, lines, strict=True):
        if not words:
            continue
        repeated = next((n for n in range(min(len(shown), len(words), _MOST_REPEATED), 0, -1) if shown[-n:] == words[:n]), 0)
        new = words[repeated:]
        if new:
            segments.append(TranscriptSegment(start, end, " ".join(new)))
        elif segments:
            last = segments[-1]
            segments[-1] = TranscriptSegment(last.start_s, max(last.end_s, end), last.text)
        shown = words
    return segments


def read_plain_text(text: str) -> Subtitles:
    """Return the sentences of *text*; untimed prose has 0 for every time, and a warning saying so."""
    lines = [words for line in text.split("\n") if (words := " ".join(line.split()))]
    marks = [_mark(line) for line in lines]
    timed = sum(mark is not None for mark in marks)
    if timed >= _TIMED_LINES and timed >= _TIMED_SHARE * len(lines):
        return _read_turns(lines, marks)
    labels = _speaker_labels(lines, timed=False)
    said = [_without_label(line, labels) for line in lines]
    segments = tuple(TranscriptSegment(0.0, 0.0, piece) for line in said for piece in _pieces(" ".join(plain_lines(line))))
    return Subtitles(
        segments=segments, speakers=_names_of_speakers(labels), warnings=(NO_TIMES,), origin=TranscriptOrigin.PLAIN_TEXT
    )


def _mark(line: str) -> tuple[float, str, str] | None:
    """Return (seconds, speaker, words) of a line that opens a timed turn."""
    if found := _LEADING_TIME.match(line):
        seconds = clock_seconds(found[1])
        return None if seconds is None else (seconds, "", found[2])
    if found := _SPEAKER_TIME.match(line):
        seconds = clock_seconds(found[2])
        return None if seconds is None else (seconds, found[1].strip(" :-"), "")
    return None


def _read_turns(lines: list[str], marks: list[tuple[float, str, str] | None]) -> Subtitles:
    turns: list[tuple[float, list[str]]] = []
    speakers: dict[str, None] = {}
    for line, mark in zip(lines, marks, strict=True):
        if mark is None:
            if turns:
                turns[-1][1].append(line)
            continue
        seconds, speaker, words = mark
        if speaker and not _is_role(speaker):
            speakers[speaker] = None
        turns.append((seconds, [words] if words else []))
    said_lines, labelled = _without_labels([tuple(said) for _, said in turns])
    turns = [(start, list(said)) for (start, _), said in zip(turns, said_lines, strict=True)]
    turns.sort(key=lambda turn: turn[0])
    ends = [start for start, _ in turns[1:]] + [turns[-1][0]]
    segments = [
        TranscriptSegment(start, end, text)
        for (start, said), end in zip(turns, ends, strict=True)
        if (text := " ".join(plain_lines("\n".join(said))))
    ]
    named = tuple(dict.fromkeys((*speakers, *labelled)))
    return Subtitles(segments=tuple(segments), speakers=named, origin=TranscriptOrigin.PLAIN_TEXT)


def _pieces(line: str) -> list[str]:
    """Return the sentences of a paragraph, short ones together, so that a passage stays readable."""
    pieces: list[str] = []
    for start, end in sentence_spans(line):
        sentence = line[start:end]
        if pieces and len(pieces[-1]) + len(sentence) < _SEGMENT_CHARS:
            pieces[-1] = f"{pieces[-1]} {sentence}"
        else:
            pieces.append(sentence)
    return pieces


def write_vtt(video: VideoContext) -> str:
    """Return the transcript of *video* as WebVTT that this app reads back to the same one."""
    head = ["WEBVTT", "Kind: captions", *([f"Language: {video.language}"] if video.language else [])]
    if video.transcript_origin is TranscriptOrigin.RECOGNITION:
        head += ["", f"{RECOGNISED_NOTE} {_one_line(video.transcript_model)}".strip()]
    cues = (f"{_times(segment, '.')}\n{_marked(segment)}" for segment in video.transcript)
    return "\n\n".join(("\n".join(head), *cues)) + "\n"


def write_srt(video: VideoContext) -> str:
    """Return the transcript of *video* as SubRip, which has no place for where it is from."""
    cues = (
        f"{number}\n{_times(segment, ',')}\n{_one_line(segment.text)}" for number, segment in enumerate(video.transcript, start=1)
    )
    return "\n\n".join(cues) + "\n"


def _marked(segment: TranscriptSegment) -> str:
    text = _one_line(segment.text).translate(_ENTITIES)
    return f"{UNCERTAIN}{text}</c>" if segment.uncertain else text


def _one_line(text: str) -> str:
    return protect_words(" ".join(text.split()).replace("-->", "→"))  # other readers take any such arrow for that of a time


def _times(segment: TranscriptSegment, point: str) -> str:
    return f"{_clock(segment.start_s, point)} --> {_clock(segment.end_s, point)}"


def _clock(seconds: float, point: str) -> str:
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    minutes, second = divmod(whole, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02}{point}{milliseconds:03}"
