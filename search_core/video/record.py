"""yt-dlp records (``.info.json``) as videos, and the origins of the captions beside them.

Field names as yt-dlp 2026.10.26 writes them; almost any may be missing or null. A key ``maekrak`` may state speakers,
organizations, events and key terms. Tracks by people are under ``subtitles``, those by machines under ``automatic_captions``:
what the recogniser heard, again with ``-orig`` after its language, and translations of it; the code of a translation of a track
by people ends in that track's language (``ko-en``). An address of a translation has ``tlang``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self
from urllib.parse import parse_qs

from search_core.domain.video import TranscriptOrigin, VideoContext
from search_core.text.dates import read_date
from search_core.video.discovery import chapters_in
from search_core.video.mapping import names_of, read_mapping

_MARKS = ("extractor", "extractor_key", "webpage_url", "upload_date", "automatic_captions", "_type", "maekrak")
_STATED = ("speakers", "organizations", "events", "subject", "key_terms")
_LISTS = frozenset({"playlist", "multi_video"})
NOT_ONE_VIDEO = "영상 하나가 아니라 재생목록의 기록이에요. 영상 하나의 info.json을 쓰면 자막과 날짜까지 읽을 수 있어요."
_ORIGINAL = "-orig"
_FROM_PEOPLE = re.compile(r"[a-z]{2,3}(?:-[A-Z][A-Za-z]{1,3})?-[a-z]{2,3}")
_LANGUAGES = ("ko", "en")
_MAX_TRACKS = 1000
"""Codes of one kind; YouTube has some 160 languages."""
_MAX_ADDRESS_CHARS = 4000


def is_record(mapping: Mapping[str, object]) -> bool:
    """Return whether a JSON object looks like a yt-dlp record."""
    return any(mark in mapping for mark in _MARKS)


def stated_names(mapping: Mapping[str, object]) -> frozenset[str]:
    """Return which kinds of names a JSON object states, even as empty lists; these are not searched for."""
    own = mapping.get("maekrak")
    sources = (mapping, own) if isinstance(own, Mapping) else (mapping,)
    return frozenset(key for key in _STATED for source in sources if source.get(key) is not None)


def read_record(record: Mapping[str, Any]) -> VideoContext:
    """Return the video a yt-dlp record describes, without its transcript."""
    base = read_mapping({key: value for key, value in record.items() if key not in ("transcript", "segments", "url")})
    stated = record.get("maekrak")
    names: dict[str, Any] = (
        {key: names_of(stated[key]) for key in _STATED if key in stated} if isinstance(stated, Mapping) else {}
    )
    published = read_date(record.get("timestamp")) or read_date(record.get("release_timestamp")) or base.published_at
    kind = record.get("_type")
    warnings = (*base.warnings, NOT_ONE_VIDEO) if isinstance(kind, str) and kind in _LISTS else base.warnings
    return replace(
        base,
        published_at=published,
        chapters=base.chapters or chapters_in(base.description),
        warnings=warnings,
        **names,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTracks:
    """The caption tracks in a record, and the video's spoken language."""

    spoken: str = ""
    """Language code; empty when the record does not state it."""
    people: frozenset[str] = frozenset()
    automatic: Mapping[str, TranscriptOrigin] = field(default_factory=dict)
    """How the captions of machines came to be, UNKNOWN where it is not known whether they are translated."""

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return the tracks in *record*; none if it is no yt-dlp record."""
        automatic = _tracks(record.get("automatic_captions"))
        spoken = _spoken(record, automatic)
        kinds = {code: _automatic_origin(code, formats, spoken) for code, formats in automatic.items()}
        return cls(spoken=spoken, people=frozenset(_tracks(record.get("subtitles"))), automatic=kinds)

    def origin(self, code: str, language: str, *, rolling: bool) -> TranscriptOrigin:
        """Return the origin of a subtitle file with *code* in its name and words in *language*.

        If both people and machines have captions in a language, *rolling* lines show the automatic ones. If neither the record
        nor the words tell, it is unknown: a translation is never taken for the original.
        """
        by_machine = self._by_machine(code)
        if code in self.people and not rolling:
            if by_machine is None or (self.spoken and base_language(code) == self.spoken):
                return TranscriptOrigin.PEOPLE
            return TranscriptOrigin.UNKNOWN
        if by_machine is not None and by_machine is not TranscriptOrigin.UNKNOWN:
            return by_machine
        if not rolling:
            return TranscriptOrigin.UNKNOWN
        translated = self.spoken and language and _differ(language, self.spoken)
        return TranscriptOrigin.TRANSLATED if translated else TranscriptOrigin.AUTOMATIC

    def rank(self, code: str) -> tuple[int, int]:
        """Return the rank of the file with *code* in its name among those beside the record; the lowest is best.

        The spoken language comes before translations, tracks by people before those by machines, and Korean before English.
        """
        own = bool(self.spoken) and base_language(code) == self.spoken
        by_machine = self._by_machine(code)
        kept_apart = by_machine is TranscriptOrigin.TRANSLATED and code not in self.people
        place = (0 if by_machine is None or code in self.people else 1) if own else 3 if kept_apart else 2
        language = base_language(code)
        return place, _LANGUAGES.index(language) if language in _LANGUAGES else len(_LANGUAGES)

    def _by_machine(self, code: str) -> TranscriptOrigin | None:
        """Return which kind of machine made the captions of *code*; None if none did."""
        if code.endswith(_ORIGINAL) and len(code) > len(_ORIGINAL):
            return TranscriptOrigin.AUTOMATIC
        return self.automatic.get(code)


NO_TRACKS = RecordedTracks()


def base_language(code: str) -> str:
    """Return the language in a code such as ``pt-BR`` or ``en-orig``."""
    return re.split(r"[-_]", code, maxsplit=1)[0].lower()


def _tracks(value: object) -> dict[str, object]:
    tracks = list(value.items())[:_MAX_TRACKS] if isinstance(value, Mapping) else []
    return {code: formats for code, formats in tracks if isinstance(code, str)}


def _spoken(record: Mapping[str, object], automatic: Mapping[str, object]) -> str:
    """Return the spoken language: the one heard, else the sound track's; a dubbed video has several."""
    heard = {base_language(code) for code in automatic if code.endswith(_ORIGINAL)}
    if len(heard) == 1:
        return heard.pop()
    language = record.get("language")
    if isinstance(language, str) and language:
        return base_language(language)
    return base_language(next(iter(automatic))) if len(automatic) == 1 else ""


def _automatic_origin(code: str, formats: object, spoken: str) -> TranscriptOrigin:
    """Return the origin of automatic captions; UNKNOWN if neither their address nor the language tells."""
    queries = [parse_qs(address.partition("?")[2]) for address in _addresses(formats)]
    if any("tlang" in query for query in queries) or _FROM_PEOPLE.fullmatch(code):
        return TranscriptOrigin.TRANSLATED
    if code.endswith(_ORIGINAL):
        return TranscriptOrigin.AUTOMATIC
    if spoken:
        return TranscriptOrigin.AUTOMATIC if base_language(code) == spoken else TranscriptOrigin.TRANSLATED
    return TranscriptOrigin.AUTOMATIC if any("asr" in query.get("kind", ()) for query in queries) else TranscriptOrigin.UNKNOWN


def _addresses(formats: object) -> list[str]:
    entries = formats if isinstance(formats, list) else []
    urls = [entry.get("url") for entry in entries[:10] if isinstance(entry, Mapping)]
    return [address[:_MAX_ADDRESS_CHARS] for address in urls if isinstance(address, str)]


def _differ(language: str, spoken: str) -> bool:
    """Return whether *language* is not *spoken*; only scripts are distinguished, so all Latin text counts as English."""
    return base_language(language) != spoken and not (language == "en" and spoken not in ("ko", "ja", "zh", "ru", "ar"))
