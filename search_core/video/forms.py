"""The formats of transcripts, one entry each: how to recognise it, and how to read it.

A format is recognised by the text, not by the name of the file, even below a title; the first entry that fits reads it. Known
formats that are not read are refused with advice, never taken for prose.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from xml.etree.ElementTree import ParseError

from search_core.domain.video import TranscriptOrigin, VideoContext
from search_core.errors import VideoReadError
from search_core.language.captions import YOUTUBE_ROOTS, Cue, holds_captions, is_cue_line, is_webvtt, read_foreign
from search_core.video.json_transcript import JsonForm, find_cues, load_forms, read_form
from search_core.video.subtitles import arrange, read_subtitles
from search_core.video.timed_text import TimedText, read_prose

_HEAD_CHARS = 600
_LOOKED_AT = 200
"""Number of lines from which a format is recognised."""
_MOST_TITLE_CHARS = 300
_TEAMS_CUE = re.compile(r"^[0-9a-f]{8}-[0-9a-f-]{27}(?:/[\d-]{1,20})?$", re.MULTILINE)
_ZOOM_CUE = re.compile(r"^\d{1,6}\n[\d:.]{9,13} --> [\d:.]{9,13}\n[^\n:]{1,60}: ", re.MULTILINE)
_PLACED = re.compile(r"\b(?:X1|line|position|align|size|region|vertical):\S", re.IGNORECASE)
"""A cue's position on the screen, which SubRip and WebVTT write after its times."""
_FRAMED = re.compile(r"\{\d{1,8}\}\{\d{0,8}\}|\[\d{1,8}\]\[\d{0,8}\]")
"""Frame numbers that open a caption of MicroDVD or MPL2."""
_SBV_LINE = re.compile(r"\d{1,2}:\d\d:\d\d\.\d{3},\d{1,2}:\d\d:\d\d\.\d{3}")
_DECIMAL_COMMA = re.compile(r"(?<!\d)(\d{1,6}),(\d{1,3})(?=;)")
_NUMBERED_SHARE = 0.5
_FEW_WORDS = 20
_DIARISED = re.compile(r"SPEAKER \S{1,200} \d{1,3} \d{1,6}\.\d{1,6} ")
_SAVE_AS = "SRT나 VTT로 바꿔서 올려 주세요."
_NO_WORDS = "영상에서 한 말이 담긴 자막이나 글을 올려 주세요."


class RawTranscript:
    """A text with the properties that reveal its format."""

    def __init__(self, text: str, ending: str = "") -> None:
        self.text = text.lstrip("\ufeff \r\n\t")
        self.ending = ending
        self.head = self.text[:_HEAD_CHARS].lower()

    @cached_property
    def lines(self) -> list[str]:
        """Return the first lines that are not empty."""
        return [line.strip() for line in self.text[: _LOOKED_AT * 400].split("\n") if line.strip()][:_LOOKED_AT]

    @cached_property
    def timed(self) -> TimedText:
        """Return the text with the times in its lines."""
        return TimedText(self.text)

    @cached_property
    def root(self) -> str:
        """Return the name of the outermost element in lower case; empty without markup."""
        match = re.search(r"<(?:[a-z]\w{0,20}:)?([a-z][\w.-]{0,40})[\s>/]", self.head)
        return match[1] if match and self.head.startswith("<") else ""

    @cached_property
    def table(self) -> list[dict[str, str]]:
        """Return the rows of a table of times and words, by column names; none if it is no such table."""
        return _read_table(self.text)

    @cached_property
    def has_words_beside_times(self) -> bool:
        """Return whether words are on the lines of their times, as recognisers print them."""
        behind = [re.split(r"-->?|→|⟶", line, maxsplit=1)[-1] for line in self.lines if is_cue_line(line)]
        spoken = [rest for rest in behind if any(letter.isalpha() for letter in rest) and not _PLACED.search(rest)]
        return len(spoken) * 2 > len(behind)


@dataclass(frozen=True, slots=True)
class Format:
    """A format with its recogniser and its reader."""

    name: str
    tells: Callable[[RawTranscript], bool]
    reads: Callable[[RawTranscript], VideoContext] | None = None
    """Reads the format; None for a known format that is not supported."""
    opens: bool = False
    """Whether the beginning of the text is enough to recognise it, even below a title."""
    advice: str = ""
    """Advice to the user about a format that is not supported."""


def read_text(text: str, ending: str = "") -> VideoContext:
    """Return the subtitles in a transcript, with their format; raises VideoReadError for an unsupported one."""
    source = RawTranscript(text, ending)
    forms = (*(form for form in FORMS if form.opens), *UNREAD_FORMS, *(form for form in FORMS if not form.opens), _PROSE)
    form = next(form for form in forms if form.tells(source))
    if form.reads is None:
        korean = f"{form.name} 형식은 아직 읽지 못해요. {form.advice}"
        raise VideoReadError(f"{ending or 'This form'} is not read.", korean=korean)
    try:
        subtitles = form.reads(source)
    except (ValueError, ParseError) as error:
        raise VideoReadError(
            f"{ending or 'The file'} is broken: {error}", korean=f"{form.name} 파일이 깨져 있어요. {_SAVE_AS}"
        ) from error
    return replace(subtitles, read_as=f"{form.name} · {subtitles.read_as}")


def _foreign(format_name: str) -> Callable[[RawTranscript], VideoContext]:
    return lambda source: arrange(read_foreign(source.text, format_name))


def _captions(source: RawTranscript) -> VideoContext:
    return read_subtitles(source.text)


def read_json(content: object) -> VideoContext | None:
    """Return the transcript in a known JSON format of a recogniser or platform, or None."""
    for form in JSON_FORMS:
        if cues := read_form(content, form):
            return _from_json(form.name, cues, recognised=form.recognised)
    return None


def find_json(content: object) -> VideoContext | None:
    """Return the transcript in any JSON, found by the names and types of its fields, or None."""
    cues = find_cues(content)
    return _from_json("JSON 자막", cues, recognised=False) if cues else None


def _from_json(name: str, cues: list[Cue], *, recognised: bool) -> VideoContext:
    parsed = arrange(cues, ends_known=any(cue.end_s is not None for cue in cues))
    origin = TranscriptOrigin.RECOGNITION if recognised else parsed.transcript_origin
    return replace(parsed, transcript_origin=origin, read_as=f"{name} · {parsed.read_as}")


def split_title(text: str) -> tuple[str, str]:
    """Return the title above a text of a known format, and the text; no title if the format begins at once."""
    title, _, rest = text.strip().partition("\n\n")
    if _opens_form(text) or "\n" in title or len(title) > _MOST_TITLE_CHARS or not _opens_form(rest):
        return "", text
    return title.strip(), rest.strip()


def _opens_form(text: str) -> bool:
    source = RawTranscript(text[: _LOOKED_AT * 400])
    return source.head.startswith(('{"', "{\n", "[{", "[\n")) or any(form.opens and form.tells(source) for form in FORMS)


def _read_table(text: str) -> list[dict[str, str]]:
    delimiter = next((sign for sign in "\t;," if sign in text.partition("\n")[0]), "")
    if not delimiter:
        return []
    text = _DECIMAL_COMMA.sub(r"\1.\2", text) if delimiter == ";" else text
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        first, second = next(rows), next(rows, [])
        named = dict(zip((cell.strip() for cell in first), second, strict=False))
        table = list[dict[str, str]]()
        if read_form([named], _TABLE):
            table = [named, *(dict(zip(named, row, strict=False)) for row in rows)]
    except (StopIteration, csv.Error):
        return []
    words = " ".join(cue.raw for cue in read_form(table[:_LOOKED_AT], _TABLE)).split()
    is_prose = bool(words) and _share_of_numbers(words) < _NUMBERED_SHARE  # no measured values or codes
    return table if is_prose else []


def _read_named_table(source: RawTranscript) -> VideoContext:
    cues = read_form(source.table, _TABLE)
    return arrange(cues, ends_known=any(cue.end_s is not None for cue in cues))


def _is_mostly_numbers(source: RawTranscript) -> bool:
    """Return whether half of the words contain digits, as in codes and unknown time formats."""
    words = " ".join(source.lines).split()
    return len(words) > _FEW_WORDS and _share_of_numbers(words) > _NUMBERED_SHARE


def _share_of_numbers(words: list[str]) -> float:
    return sum(any(map(str.isdigit, word)) for word in words) / len(words)


def _timed(source: RawTranscript) -> VideoContext:
    return source.timed.read()


def _timed_file(source: RawTranscript) -> VideoContext:
    return replace(source.timed.read(), transcript_origin=TranscriptOrigin.UNKNOWN)


FORMS = (
    Format("SAMI 자막", lambda s: s.root == "sami" or s.ending in (".smi", ".sami"), _foreign("sami"), opens=True),
    Format("TTML 자막", lambda s: s.root == "tt" or s.ending in (".ttml", ".dfxp", ".itt"), _foreign("xml"), opens=True),
    Format("YouTube XML 자막", lambda s: s.root in YOUTUBE_ROOTS, _foreign("xml"), opens=True),
    Format("ASS 자막", lambda s: s.head.startswith("[script info]") or s.ending in (".ass", ".ssa"), _foreign("ass"), opens=True),
    Format("Teams 자막", lambda s: is_webvtt(s.text) and bool(_TEAMS_CUE.search(s.text, 0, 2_000)), _captions, opens=True),
    Format("Zoom 자막", lambda s: is_webvtt(s.text) and len(_ZOOM_CUE.findall(s.text, 0, 2_000)) > 1, _captions, opens=True),
    Format("WebVTT 자막", lambda s: is_webvtt(s.text), _captions, opens=True),
    Format("YouTube SBV 자막", lambda s: bool(s.lines) and bool(_SBV_LINE.fullmatch(s.lines[0])), _timed_file, opens=True),
    Format("표로 된 자막", lambda s: bool(s.table), _read_named_table, opens=True),
    Format("SRT 자막", lambda s: holds_captions(s.text) and not s.has_words_beside_times, _captions),
    Format("YouTube 스크립트", lambda s: s.timed.is_timed and s.timed.is_panel, _timed),
    Format("음성 인식 출력", lambda s: s.timed.is_timed and s.timed.has_arrows, _timed),
    Format("LRC 가사", lambda s: s.timed.is_timed and (bool(s.timed.facts) or s.ending == ".lrc"), _timed),
    Format("클로바노트", lambda s: s.timed.is_timed and "clovanote.naver.com" in s.text, _timed),
    Format("Otter 기록", lambda s: s.timed.is_timed and "otter.ai" in s.text, _timed),
    Format("시간이 적힌 글", lambda s: s.timed.is_timed, _timed),
    Format("숫자와 부호로 된 자막", _is_mostly_numbers, advice=_SAVE_AS),
)
"""All text formats in the order in which they are tried; those recognised by their beginning come first."""
UNREAD_FORMS = (
    Format("MicroDVD나 MPL2", lambda s: bool(_FRAMED.match(s.text)), advice=_SAVE_AS),
    Format("SCC", lambda s: s.head.startswith("scenarist_scc"), advice=_SAVE_AS),
    Format("MCC", lambda s: s.head.startswith("file format=maccaption"), advice=_SAVE_AS),
    Format("RTTM", lambda s: bool(_DIARISED.match(s.text)), advice=f"말이 없는 화자 표시예요. {_SAVE_AS}"),
    Format("CUE", lambda s: "track 01 audio" in s.head, advice=_NO_WORDS),
    Format("FFMETADATA", lambda s: s.head.startswith(";ffmetadata"), advice=_NO_WORDS),
    Format(
        "VobSub",
        lambda s: s.head.startswith("# vobsub"),
        advice="그림으로 된 자막이에요. 글자로 된 자막(SRT, VTT)을 올려 주세요.",
    ),
    Format("편집 목록(EDL)", lambda s: s.head.startswith("title:") and "fcm:" in s.head, advice=_SAVE_AS),
    Format("Praat TextGrid", lambda s: s.head.startswith('file type = "oo'), advice=_SAVE_AS),
    Format("CHAT", lambda s: s.head.startswith(("@utf8", "@begin")), advice=_SAVE_AS),
    Format("HTML", lambda s: s.root == "html" or s.head.startswith("<!doctype html"), advice="본문을 복사해서 붙여 넣어 주세요."),
    Format("XML", lambda s: s.head.startswith(("<?xml", f"<{s.root or '?'}")) and s.text.rstrip().endswith(">"), advice=_SAVE_AS),
)
_PROSE = Format("글", lambda _: True, lambda s: read_prose(s.text))

_TABLE = JsonForm(path="*")
JSON_FORMS = load_forms()
"""JSON formats in the order in which they are tried; if none fits, any list of times and words is read (``find_json``)."""
