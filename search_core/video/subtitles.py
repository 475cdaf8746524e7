"""Captions as transcript segments, repaired and in one language, and transcripts as WebVTT files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from search_core.domain.video import TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.language.captions import Cue, in_one_language, is_webvtt, plain_lines, protect_words, read_cues, voices
from search_core.video.limits import check_cues
from search_core.video.speakers import is_role, names_among, take_labels

RECOGNISED_NOTE = "NOTE Speech recognition:"
"""Note that ``write_vtt`` puts above recognised captions, followed by the recogniser's name."""
_RECOGNISED = re.compile(rf"^{RECOGNISED_NOTE} ?([^\n]{{0,200}})$", re.MULTILINE)
UNCERTAIN = "<c.uncertain>"
"""CSS class of uncertain words."""
_HEADER_CHARS = 500
_HEADER_LANGUAGE = re.compile(r"^Language:\s*([A-Za-z]{2,3})", re.MULTILINE)
_ROLLING_SHARE = 0.3  # automatic captions repeat a line in nearly every cue, people in few
_TOUCHING_S = 0.2
_MOST_REPEATED = 8  # lines; screens have room for two or three
_SLIPS = 0.02  # a few reversed cues are slips of the typist and change nothing for the reader
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def read_subtitles(text: str) -> VideoContext:
    """Return a video with the cues of an SRT or WebVTT file that have words, in order of time."""
    if not is_webvtt(text):
        return arrange(list(read_cues(text)))
    head = text[:_HEADER_CHARS]
    language, recognised = _HEADER_LANGUAGE.search(head), _RECOGNISED.search(head)
    subtitles = arrange(list(read_cues(text)), language[1].lower() if language else "")
    return (
        replace(subtitles, transcript_origin=TranscriptOrigin.RECOGNITION, transcript_model=recognised[1].strip())
        if recognised
        else subtitles
    )


def arrange(cues: list[Cue], language: str = "", *, ends_known: bool = True) -> VideoContext:
    """Return a video of *cues* in order of time, without markup and repeated lines, with a warning for each kind of repair.

    Without *ends_known* each cue lasts until the next. Raises VideoReadError when there are more than are read.
    """
    check_cues(len(cues))
    cues, languages = in_one_language(cues)
    lines, labels = take_labels([plain_lines(cue.raw) for cue in cues])
    speakers = dict.fromkeys(who for cue in cues for who in (*voices(cue.raw), cue.speaker) if who)
    timed, warnings = _repair_times(cues, ends_known=ends_known)
    if len(languages) > 1:
        name = {"ko": "한국어", "en": "영어"}.get(languages[0], "첫 언어")
        warnings.insert(0, f"자막에 언어가 {len(languages)}가지 있어서 {name} 자막만 읽었어요.")
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
    return VideoContext(
        transcript=tuple(ordered),
        read_as=describe(len(ordered), len({*speakers, *labels})),
        speakers=tuple(dict.fromkeys((*(who for who in speakers if not is_role(who)), *names_among(labels)))),
        language=language,
        warnings=tuple(warnings),
        transcript_origin=TranscriptOrigin.AUTOMATIC if rolling else TranscriptOrigin.UNKNOWN,
    )


def describe(captions: int, voices: int) -> str:
    """Return the number of captions and of speakers, as "42개 · 화자 3명"; speakers named by role or number count, too."""
    return f"{captions:,}개" + (f" · 화자 {voices}명" if voices else "")


def _repair_times(cues: list[Cue], *, ends_known: bool) -> tuple[list[tuple[float, float]], list[str]]:
    """Return start and end of each cue, with broken ones estimated from their neighbours, and warnings."""
    times: list[tuple[float, float]] = []
    unreadable = backwards = 0
    for cue, following in zip(cues, _starts_after(cues), strict=True):
        start, end = cue.start_s, cue.end_s
        if start is None or (end is None and ends_known):
            unreadable += 1
        if start is None:
            start = times[-1][1] if times else 0.0
        if end is None or end < start:
            backwards += end is not None
            end = following if following is not None and following > start else start
        times.append((round(start, 3), round(end, 3)))
    warnings = []
    if unreadable:
        warnings.append(f"시간을 읽지 못한 자막이 {unreadable}개 있어서 앞뒤 자막에 맞춰 넣었어요.")
    if backwards > _SLIPS * len(cues):
        warnings.append(f"끝나는 시간이 시작보다 빠른 자막이 {backwards}개 있어서 고쳐 읽었어요.")
    return times, warnings


def _starts_after(cues: Sequence[Cue]) -> list[float | None]:
    """Return for each cue the next readable start, computed from the end in linear time."""
    starts: list[float | None] = []
    following = None
    for cue in reversed(cues):
        starts.append(following)
        following = following if cue.start_s is None else cue.start_s
    return starts[::-1]


def _is_rolling(times: list[tuple[float, float]], lines: list[tuple[str, ...]]) -> bool:
    """Return whether cues keep repeating the last line of the cue before, as automatic captions do."""
    pairs = [(i - 1, i) for i in range(1, len(lines)) if lines[i - 1] and lines[i]]
    rolled = sum(
        lines[before][-1] == lines[here][0] and times[here][0] - times[before][1] <= _TOUCHING_S for before, here in pairs
    )
    return rolled >= 2 and rolled >= _ROLLING_SHARE * len(pairs)


def _unroll(times: list[tuple[float, float]], lines: list[tuple[str, ...]]) -> list[TranscriptSegment]:
    """Return the segments with repeated lines only at their first occurrence."""
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


def write_vtt(video: VideoContext) -> str:
    """Return the transcript of *video* as WebVTT that reads back identically."""
    head = ["WEBVTT", "Kind: captions", *([f"Language: {video.language}"] if video.language else [])]
    if video.transcript_origin is TranscriptOrigin.RECOGNITION:
        head += ["", f"{RECOGNISED_NOTE} {_one_line(video.transcript_model)}".strip()]
    cues = (f"{_clock(cue.start_s)} --> {_clock(cue.end_s)}\n{_marked(cue)}" for cue in video.transcript)
    return "\n\n".join(("\n".join(head), *cues)) + "\n"


def _marked(segment: TranscriptSegment) -> str:
    text = _one_line(segment.text).translate(_ENTITIES)
    return f"{UNCERTAIN}{text}</c>" if segment.uncertain else text


def _one_line(text: str) -> str:
    return protect_words(" ".join(text.split()).replace("-->", "→"))  # other readers take any such arrow for a timing line


def _clock(seconds: float) -> str:
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    minutes, second = divmod(whole, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02}.{milliseconds:03}"
