"""Files as videos, also recordings; strangers' files come through ``readers``, in a process that can be killed."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from search_core.domain.transcription import Transcription
from search_core.domain.video import TranscriptOrigin, VideoContext
from search_core.errors import VideoReadError
from search_core.language.dates import clock
from search_core.language.korean import detect_language
from search_core.language.korean.decoding import decode_text
from search_core.package import shipped_files
from search_core.video.address import watch_url
from search_core.video.discovery import discover
from search_core.video.forms import find_json, read_json, read_text, split_title
from search_core.video.limits import limit_video
from search_core.video.mapping import DATES, base_language, is_record, read_mapping, read_record, stated_names
from search_core.video.subtitles import describe
from search_core.video.timed_text import NO_TIMES

MAX_BYTES = 20 * 1024 * 1024
"""Larger files are refused: a day of speech is about 2 MB of subtitles, so nothing of this size is a transcript."""
_VIDEO = "동영상이나 소리 파일이에요. 그 영상의 자막(SRT, VTT)이나 YouTube 주소를 넣어 주세요."
_PICTURE = "그림 파일이에요. 자막(SRT, VTT)이나 텍스트 파일을 올려 주세요."
_DOCUMENT = "문서 파일이에요. 내용을 텍스트(.txt)로 저장해서 올려 주세요."
_PACKED = "압축 파일이거나 오피스 문서예요. 그 안의 자막 파일이나 텍스트(.txt)를 올려 주세요."
_SIGNATURES = {
    _VIDEO: (b"\x1a\x45\xdf\xa3", b"ID3", b"\xff\xfb", b"OggS", b"RIFF", b"fLaC"),
    _PICTURE: (b"\x89PNG", b"\xff\xd8\xff", b"GIF8"),
    _DOCUMENT: (b"%PDF-", b"\xd0\xcf\x11\xe0", b"{\\rtf"),
    _PACKED: (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!"),
}
"""First bytes of files that are no text, by the sentence that the user gets."""
SUBTITLE_ENDINGS = frozenset({".srt", ".vtt", ".smi", ".sami", ".ass", ".ssa", ".ttml", ".dfxp", ".sbv", ".lrc"})
"""Endings of files that hold only captions."""
_TEXT_ENDINGS = frozenset({".txt", ".text", ".md", ".markdown", ".htm", ".html", ".xml", ".csv", ".tsv", ".log", ".json"})
_ENDING = re.compile(r"\.(?=.*[a-z])[a-z0-9]{1,5}")
"""The ending of a file name, but no number (".5") and no end of a title."""
_NAMED_ID = re.compile(r"(?<!\s)\s*+\[([A-Za-z0-9_-]{11})\]$")
_LANGUAGE_ENDING = re.compile(r"\.([a-z]{2})(?:[-_][A-Za-z0-9-]+)?$")
_CAPTION_CODE = re.compile(r"\.([a-z]{2,3}(?:[-_][A-Za-z0-9_-]{1,40})?)$")
_JSON_BEGINS = re.compile(r'\s*[{\[]\s*["{\[]')
_BETWEEN_OBJECTS = re.compile(r"\}\s*+\{")
_ABOUT = ("title", "channel", "uploader", "description", "url", "webpage_url", *DATES)
"""Fields with facts about the video that a recogniser's JSON may have."""
_NO_WORDS = "자막이 없어서 제목과 설명만 읽었어요. 자막 파일(SRT, VTT)을 함께 올리면 영상에서 한 말까지 살펴봐요."
_DAMAGED = "읽을 수 없는 글자가 조금 있어서 �로 표시했어요."
SAMPLES_FOLDER = shipped_files("samples") / "videos"
_MOST_NAMED = 5
"""Most stretches without words that a warning lists."""


def refuse_unreadable(name: str, data: bytes) -> None:
    """Raise VideoReadError if *data* is empty, too large, or obviously no text."""
    if len(data) > MAX_BYTES:
        raise VideoReadError(
            f"{name} has {len(data)} bytes; at most {MAX_BYTES} are read.",
            korean=f"파일이 너무 커요({len(data) / 1024 / 1024:.0f} MB). 20 MB까지 읽어요. 자막만 담긴 파일을 올려 주세요.",
        )
    if not data.strip(b"\x00\t\r\n \xef\xbb\xbf\xff\xfe"):
        raise VideoReadError(f"{name} is empty.", korean="파일이 비어 있어요. 내용이 있는 자막이나 텍스트 파일을 올려 주세요.")
    if data[3:6] == b"STL" and data[:3].isdigit():
        raise VideoReadError(
            f"{name} is an EBU STL file.", korean="EBU STL 형식은 아직 읽지 못해요. SRT나 VTT로 바꿔서 올려 주세요."
        )
    is_mp4 = data[4:8] == b"ftyp"
    hint = _VIDEO if is_mp4 else next((hint for hint, begins in _SIGNATURES.items() if data.startswith(begins)), "")
    if hint:
        raise VideoReadError(f"{name} is a video, a picture, a document or an archive, and no transcript.", korean=hint)


@dataclass(frozen=True, slots=True)
class VideoUpload:
    """An uploaded file."""

    name: str
    data: bytes
    companion: tuple[str, bytes] | None = None
    """The subtitle file of a record, or the record of a subtitle file."""


TEXT_NAME = "video.txt"
"""Name of a text without a file; its format is recognised by its content."""


def without_file_name(video: VideoContext) -> VideoContext:
    """Return *video* without a title taken from a file name, for a text that came without a file."""
    return replace(video, title="", file_title="") if video.title_is_file_name else video


def load_file(path: str | Path) -> VideoUpload:
    """Return the file at *path*, a record with its subtitle file; raises VideoReadError."""
    path = Path(path)
    try:
        beside = _companion_of(path)
        companion = (beside.name, _load_bytes(beside)) if beside else None
        return VideoUpload(path.name, _load_bytes(path), companion)
    except OSError as error:
        raise VideoReadError(
            f"{path.name} cannot be opened: {error.strerror or error}.",
            korean=f"'{path.name}' 파일을 열 수 없어요. 파일이 그 자리에 있는지 확인해 주세요.",
        ) from error


def _load_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def parse_file(given: VideoUpload) -> VideoContext:
    """Return the video in a file, read in this process; what it does not state is found in its words.

    Raises VideoReadError when the file cannot be used. A companion that cannot be used leaves a warning.
    """
    video, stated = parse(given)
    return discover(video, keep=stated)


def parse(given: VideoUpload) -> tuple[VideoContext, frozenset[str]]:
    """Return the video in a file like ``parse_file``, and the names of the fields that the file states."""
    name, companion = given.name, given.companion
    context, stated = _read_one(name, given.data)
    if companion is not None:
        try:
            other, also_stated = _read_one(*companion)
        except VideoReadError as error:
            context = replace(context, warnings=(*context.warnings, f"함께 준 파일을 쓰지 못했어요. {error.korean}"))
        else:
            context = _join(context, other, companion[0]) if _is_json(name) else _join(other, context, name)
            stated |= also_stated
    if not context.transcript:
        context = replace(context, warnings=(*context.warnings, _NO_WORDS))
    elif context.timed and context.duration_s is None:
        context = replace(context, duration_s=max(segment.end_s for segment in context.transcript))
    return limit_video(context), stated


def _join(record: VideoContext, words: VideoContext, words_name: str) -> VideoContext:
    """Return the video of *record* with the *words* of a subtitle file.

    Automatic captions are marked as machine translation if their file name states another language than the record.
    """
    if not words.transcript:
        return replace(record, warnings=(*record.warnings, *words.warnings))
    origin, code = words.transcript_origin, _caption_code(words_name)
    if origin is TranscriptOrigin.AUTOMATIC and code and record.language and base_language(code) != record.language:
        origin = TranscriptOrigin.TRANSLATED
    return _with_words(record, words, origin)


def _with_words(base: VideoContext, words: VideoContext, origin: TranscriptOrigin) -> VideoContext:
    return replace(
        base,
        chapters=base.chapters or words.chapters,
        transcript=words.transcript,
        transcript_origin=origin,
        transcript_model=words.transcript_model,
        read_as=words.read_as,
        speakers=base.speakers or words.speakers,
        language=words.language or base.language,
        warnings=(*base.warnings, *words.warnings),
    )


def _is_json(name: str) -> bool:
    return name.lower().endswith(".json")


def _read_one(name: str, data: bytes) -> tuple[VideoContext, frozenset[str]]:
    """Return the video in one file, and the names of the fields that it states itself."""
    refuse_unreadable(name, data)
    try:
        text, _ = decode_text(data)
    except ValueError:
        raise VideoReadError(
            f"{name} is binary, not text.",
            korean="글자가 아닌 파일이에요. SRT, VTT, 텍스트 파일이나 yt-dlp의 info.json을 올려 주세요.",
        ) from None
    if not text.strip():
        refuse_unreadable(name, b"")
    title, text = split_title(text)
    content = _parse_json(name, text) if _is_json(name) or text.lstrip().startswith(("{", "[")) else None
    if content is not None:
        context, stated = _read_json(name, content)
    else:
        context, stated = _named(name, _read_words(name, text)), frozenset()
    if title:
        context = replace(context, title=title, file_title="")
    if "\ufffd" in text:
        context = replace(context, warnings=(*context.warnings, _DAMAGED))
    return context, stated


def _read_words(name: str, text: str) -> VideoContext:
    ending = Path(name).suffix.lower()
    subtitles = read_text(text, ending)
    if ending in SUBTITLE_ENDINGS and subtitles.warnings == (NO_TIMES,):
        raise VideoReadError(
            f"{name} has no timing line.",
            korean="자막 파일인데 시간이 하나도 없어요. 자막을 다시 내려받거나, 글이라면 .txt로 저장해서 올려 주세요.",
        )
    if subtitles.warnings == (NO_TIMES,) and _ENDING.fullmatch(ending) and ending not in _TEXT_ENDINGS:
        raise VideoReadError(
            f"Neither its ending nor its content says that {name} is a transcript.",
            korean="자막이나 글 파일이 아닌 것 같아요. 자막(SRT, VTT)이나 텍스트(.txt)로 저장해서 올려 주세요.",
        )
    if not subtitles.transcript:
        raise VideoReadError(
            f"{name} holds no words.", korean="파일에 읽을 말이 없어요. 말이 담긴 자막이나 텍스트를 올려 주세요."
        )
    return subtitles


def _parse_json(name: str, text: str) -> object:
    """Return the JSON in *text* (several values become a list), or None for other text."""
    try:
        return json.loads(text)
    except RecursionError:
        korean = "JSON이 너무 깊이 겹쳐 있어요. yt-dlp의 info.json을 다시 받아서 올려 주세요."
        raise VideoReadError(f"{name} is nested too deeply.", korean=korean) from None
    except ValueError as error:
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(f"[{_BETWEEN_OBJECTS.sub('},{', text)}]")
        if _is_json(name) or _JSON_BEGINS.match(text):
            raise VideoReadError(
                f"{name} is not valid JSON: {error}",
                korean="JSON 파일이 깨져 있어요. yt-dlp의 info.json을 다시 받아서 올려 주세요.",
            ) from error
        return None


def _read_json(name: str, content: object) -> tuple[VideoContext, frozenset[str]]:
    mapping = {"transcript": content} if isinstance(content, list) else content
    if not isinstance(mapping, Mapping):
        raise VideoReadError(
            f"{name} holds no JSON object.",
            korean="영상 정보가 담긴 JSON이 아니에요. yt-dlp의 info.json이나 자막 파일을 올려 주세요.",
        )
    about = {key: value for key, value in mapping.items() if key in _ABOUT}
    if is_record(mapping):
        spoken, context, stated = None, read_record(mapping), stated_names(mapping)
    elif (spoken := read_json(content)) is not None:
        context, stated = read_mapping(about), stated_names(about)
    else:
        context, stated = read_mapping(mapping), stated_names(mapping)
        if context.transcript:
            described = describe(len(context.transcript), len(context.speakers))
            context = replace(context, read_as=context.read_as or f"JSON 자막 · {described}")
        elif (spoken := find_json(content) or _untimed(mapping)) is not None:
            context, stated = read_mapping(about), stated_names(about)
    if spoken is not None:
        words = _named(name, spoken)
        context = _with_words(context, words, words.transcript_origin)
    if not (context.title or context.transcript or context.description):
        raise VideoReadError(
            f"{name} has neither title, description nor transcript.",
            korean="JSON에 제목도 설명도 읽을 수 있는 자막도 없어요. 자막이 담긴 파일이면 SRT나 VTT로 저장해서 올려 주세요.",
        )
    return context if context.title else _name_after_file(context, name), stated


def _untimed(mapping: Mapping[str, Any]) -> VideoContext | None:
    """Return the words of a recogniser's answer without times; None if there are none."""
    words = next((mapping[key] for key in ("text", "transcription") if isinstance(mapping.get(key), str)), "")
    return read_text(words) if words.strip() else None


def _named(name: str, video: VideoContext) -> VideoContext:
    """Return *video* with the id, language, origin or title that its file *name* shows ("Title [id].ko.srt")."""
    _, video_id, language = _split_file_name(name)
    spoken = " ".join(segment.text for segment in video.transcript[:200])
    origin = video.transcript_origin
    if origin is TranscriptOrigin.UNKNOWN and _caption_code(name).endswith("-orig"):  # what yt-dlp calls what was heard
        origin = TranscriptOrigin.AUTOMATIC
    video = replace(
        video,
        video_id=video_id,
        url=watch_url(video_id) if video_id else "",
        transcript_origin=origin,
        language=detect_language(spoken) or video.language[:2] or language,
    )
    return video if video.title else _name_after_file(video, name)


def _name_after_file(context: VideoContext, name: str) -> VideoContext:
    """Return *context* with its file name as title, unless yt-dlp's naming shows the true title."""
    title, video_id, _ = _split_file_name(name)
    return replace(context, title=title, file_title="" if video_id else title)


def _split_file_name(name: str) -> tuple[str, str, str]:
    """Return title, video id and language from a file name of yt-dlp (``Title [id].ko.srt``)."""
    stem = re.sub(r"\.(info\.json|[A-Za-z0-9]{2,4})$", "", Path(name).name)
    language = _LANGUAGE_ENDING.search(stem)
    if language:
        stem = stem[: language.start()]
    match = _NAMED_ID.search(stem)
    if match:
        stem = stem[: match.start()]
    return stem.strip(), match[1] if match else "", language[1] if language else ""


def _companion_of(path: Path) -> Path | None:
    """Return the best subtitle file beside a record: in the spoken language (yt-dlp's ``-orig``), else Korean, then English."""
    if not path.name.lower().endswith(".json"):
        return None
    stem = re.sub(r"(\.info)?\.json$", "", path.name, flags=re.IGNORECASE)

    def place(other: Path) -> tuple[bool, int, int, str]:
        code = _caption_code(other.name)
        return not code.endswith("-orig"), {"ko": 0, "en": 1}.get(base_language(code), 2), len(other.name), other.name

    files = (other for other in path.parent.iterdir() if other.name.startswith(f"{stem}.") and other.is_file())
    return min((other for other in files if other.suffix.lower() in SUBTITLE_ENDINGS), key=place, default=None)


def _caption_code(name: str) -> str:
    """Return the language code that yt-dlp puts into a caption file's name (``Title [id].en-orig.vtt``), or an empty text."""
    match = _CAPTION_CODE.search(Path(name).stem)
    return match[1] if match else ""


@lru_cache(maxsize=1)  # a page asks again each time it is drawn
def samples() -> tuple[VideoContext, ...]:
    """Return the sample videos by file name, each marked ``sample``; none when their folder is missing."""
    return tuple(replace(parse_file(load_file(path)), sample=True) for path in sorted(SAMPLES_FOLDER.glob("*.info.json")))


@lru_cache(maxsize=16)
def sample_questions(video_id: str) -> tuple[str, ...]:
    """Return the questions written for the sample video *video_id*, if any."""
    for path in sorted(SAMPLES_FOLDER.glob("*.info.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if record.get("id") == video_id:
            return tuple(record.get("maekrak", {}).get("questions", ()))
    return ()


def transcribed_video(transcription: Transcription, *, name: str = "") -> VideoContext:
    """Return the video of the file called *name*, with the words of *transcription*.

    Raises VideoReadError when it holds no speech, and for more words than are read.
    """
    if not transcription.segments:
        raise VideoReadError(
            "Nothing is said in the sound.",
            korean="소리에서 말을 찾지 못했어요. 말이 나오는 영상인지 확인해 주세요.",
        )
    video = VideoContext(
        transcript=transcription.segments,
        transcript_origin=TranscriptOrigin.RECOGNITION,
        transcript_model=transcription.recogniser.model,
        language=transcription.language,
        duration_s=transcription.duration_s or None,
        warnings=(*transcription.warnings, *_missing_words(transcription)),
    )
    return discover(limit_video(_named(name, video)))


def _missing_words(transcription: Transcription) -> tuple[str, ...]:
    """Return a Korean sentence about stretches of sound without words, or nothing."""
    stretches = transcription.unheard
    if not stretches:
        return ()
    named = ", ".join(f"{clock(start_s)}–{clock(end_s)}" for start_s, end_s in stretches[:_MOST_NAMED])
    more = f" 외 {len(stretches) - _MOST_NAMED}곳" if len(stretches) > _MOST_NAMED else ""
    return (f"받아 적지 못한 곳이 있어요: {named}{more}",)
