"""Videos and recordings that have arrived on the disk and wait for the page that asked for them.

A page finds one by its ticket, which lies in Streamlit's memory in its place. Tickets cannot be guessed, and are good for one
visit once.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from pages.parts.uploads import is_there
from search_core.errors import TranscriptionError

if TYPE_CHECKING:
    from search_core.transcription.source import SoundFile

_MARK = b"maekrak-sound:"
_TICKET_CHARS = 32
TICKET_BYTES = len(_MARK) + _TICKET_CHARS
_TICKET = re.compile(re.escape(_MARK) + rb"([\w-]{%d})" % _TICKET_CHARS)


@dataclass(frozen=True, slots=True)
class _Received:
    visit: str
    outcome: SoundFile | TranscriptionError


class ReceivedSounds:
    """Keeps what has arrived until a page asks for it; safe to use from many threads."""

    def __init__(self) -> None:
        self._kept: dict[str, _Received] = {}
        self._lock = threading.Lock()

    def add(self, visit: str, outcome: SoundFile | TranscriptionError) -> bytes:
        """Keep what came of a file and return the ticket for it."""
        ticket = secrets.token_urlsafe(_TICKET_CHARS * 3 // 4)
        with self._lock:
            self._kept[ticket] = _Received(visit, outcome)
        return _MARK + ticket.encode()

    def holds(self, visit: str) -> bool:
        """Return whether a file of that visit waits to be asked for."""
        with self._lock:
            return any(each.visit == visit for each in self._kept.values())

    def claim(self, visit: str, data: bytes) -> SoundFile | None:
        """Return the file whose ticket *data* is, from now on the caller's; None when it is no ticket of that visit.

        Raises TranscriptionError when the file could not be received.
        """
        found = _TICKET.fullmatch(data)
        ticket = found[1].decode() if found else ""
        with self._lock:
            received = self._kept.pop(ticket, None) if self._is_of(ticket, visit) else None
        if received is None:
            return None
        if isinstance(received.outcome, TranscriptionError):
            raise received.outcome
        return received.outcome

    def take_gone(self) -> tuple[SoundFile, ...]:
        """Return the files of visitors who have left."""
        with self._lock:
            gone = {ticket: each for ticket, each in self._kept.items() if not is_there(each.visit)}
            for ticket in gone:
                del self._kept[ticket]
        return tuple(each.outcome for each in gone.values() if not isinstance(each.outcome, TranscriptionError))

    def _is_of(self, ticket: str, visit: str) -> bool:
        return ticket in self._kept and self._kept[ticket].visit == visit


RECEIVED = ReceivedSounds()


def is_sound(name: str, suffixes: Sequence[str]) -> bool:
    """Return whether a file of that name is one to be listened to."""
    return PurePath(name).suffix.lower() in suffixes
