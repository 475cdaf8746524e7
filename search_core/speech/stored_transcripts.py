"""What was recognised, stored by the sound and whoever recognised it, piece by piece: a transcription that broke off goes on."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from search_core.domain import Recogniser, Transcription
from search_core.speech.recognised import Recognised

logger = logging.getLogger(__name__)

T = TypeVar("T")
VERSION = 4
"""Of how sound is cut and joined: what another version kept is not taken."""
_PIECE: TypeAdapter[Recognised] = TypeAdapter(Recognised)
_TRANSCRIPTION: TypeAdapter[Transcription] = TypeAdapter(Transcription)


def key_of(digest: str, recogniser: Recogniser, piece_s: float, language: str) -> str:
    """Return the key under which the sound of that *digest* is stored as *recogniser* hears it."""
    named = (str(VERSION), digest, recogniser.kind, recogniser.model, f"{piece_s:g}", language)
    return hashlib.sha256("\0".join(named).encode("utf-8", "replace")).hexdigest()[:32]


class StoredTranscripts:
    """Keeps pieces and whole transcripts; what cannot be read is missing, which only costs recognising it again."""

    def __init__(self, recall: Callable[[str], bytes | None], keep: Callable[[str, bytes], object]) -> None:
        """Take what gives the bytes that are kept under a key, and what keeps some; neither raises."""
        self._recall, self._keep = recall, keep

    def keep_piece(self, key: str, number: int, found: Recognised) -> None:
        """Keep what was recognised in piece *number*."""
        self._keep(f"{key} {number}", _PIECE.dump_json(found))

    def piece(self, key: str, number: int) -> Recognised | None:
        """Return what was recognised in piece *number*."""
        return self._read(f"{key} {number}", _PIECE)

    def keep_whole(self, key: str, transcription: Transcription) -> None:
        """Keep a finished *transcription*."""
        self._keep(key, _TRANSCRIPTION.dump_json(transcription))

    def whole(self, key: str) -> Transcription | None:
        """Return the finished transcript, or None."""
        return self._read(key, _TRANSCRIPTION)

    def _read(self, name: str, kind: TypeAdapter[T]) -> T | None:
        kept = self._recall(name)
        try:
            return None if kept is None else kind.validate_json(kept)
        except ValidationError as error:
            logger.warning("A kept transcript cannot be read: %s", type(error).__name__)
            return None
