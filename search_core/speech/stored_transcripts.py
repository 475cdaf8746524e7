"""What was recognised, stored by the sound and whoever recognised it, piece by piece: a transcription that broke off goes on."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from search_core.domain import Recogniser, Transcription
from search_core.speech.recognised import Recognised

logger = logging.getLogger(__name__)

T = TypeVar("T")
VERSION = 3
"""Of how sound is cut and joined: what another version kept is not taken."""
MAX_KEPT = 200
"""Sounds; those used longest ago make room. Two hours of speech are some 200 KB."""
MAX_AGE_S = 90 * 86_400.0
_KEY = re.compile(r"[0-9a-f]{32}")
_WHOLE = "whole"
_PIECE: TypeAdapter[Recognised] = TypeAdapter(Recognised)
_TRANSCRIPTION: TypeAdapter[Transcription] = TypeAdapter(Transcription)


def key_of(digest: str, recogniser: Recogniser, piece_s: float, language: str) -> str:
    """Return the key under which the sound of that *digest* is stored as *recogniser* hears it."""
    named = (str(VERSION), digest, recogniser.kind, recogniser.model, f"{piece_s:g}", language)
    return hashlib.sha256("\0".join(named).encode("utf-8", "replace")).hexdigest()[:32]


class StoredTranscripts:
    """Keeps pieces and whole transcripts as files; safe to use from many threads and processes.

    What cannot be written is not stored, and what cannot be read is missing: both only cost recognising it again.
    """

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.time, most: int = MAX_KEPT) -> None:
        self._folder, self._now, self._most = folder, now, most

    def keep_piece(self, key: str, number: int, found: Recognised) -> None:
        """Keep what was recognised in piece *number*."""
        self._write(key, f"{number:04d}", _PIECE.dump_json(found))

    def piece(self, key: str, number: int) -> Recognised | None:
        """Return what was recognised in piece *number*."""
        return self._read(key, f"{number:04d}", _PIECE)

    def keep_whole(self, key: str, transcription: Transcription) -> None:
        """Keep a finished *transcription*, in place of its pieces."""
        if self._write(key, _WHOLE, _TRANSCRIPTION.dump_json(transcription)):
            for piece in (self._folder / key).glob("[0-9]*.json"):
                piece.unlink(missing_ok=True)

    def whole(self, key: str) -> Transcription | None:
        """Return the finished transcript, or None."""
        return self._read(key, _WHOLE, _TRANSCRIPTION)

    def sweep(self) -> None:
        """Remove what is too old, and what was used longest ago beyond the limit."""
        try:
            ages = sorted(
                ((path.stat().st_mtime, path) for path in self._folder.iterdir() if _KEY.fullmatch(path.name)), reverse=True
            )
        except OSError:  # nothing is stored yet, or another process sweeps
            return
        for place, (used_at, path) in enumerate(ages):
            if place >= self._most or used_at < self._now() - MAX_AGE_S:
                shutil.rmtree(path, ignore_errors=True)

    def _write(self, key: str, name: str, data: bytes) -> bool:
        folder = self._folder / key
        fresh = folder / f".{name}-{secrets.token_hex(4)}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh.write_bytes(data)
            fresh.replace(folder / f"{name}.json")
            os.utime(folder, (self._now(), self._now()))
        except OSError as error:
            logger.warning("A transcript cannot be kept: %s", type(error).__name__)
            with suppress(OSError):
                fresh.unlink()
            return False
        return True

    def _read(self, key: str, name: str, kind: TypeAdapter[T]) -> T | None:
        path = self._folder / key / f"{name}.json"
        try:
            read = kind.validate_json(path.read_bytes())
            os.utime(path.parent, (self._now(), self._now()))
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            logger.warning("A kept transcript cannot be read: %s", type(error).__name__)
            return None
        return read
