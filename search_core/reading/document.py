"""A document as it goes into the library."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text with what is known of it."""

    title: str
    text: str
    """Plain text; blank lines part paragraphs."""
    url: str
    """Its own address, or ``library:`` and its path below the folder that was given, which stays the same from run to run."""
    source: str = ""
    """Who published it; empty when unknown."""
    published: datetime | None = None
    """Time zone aware."""
    language: str = ""
    """ISO 639-1 code; empty when unknown."""
    cut: str = ""
    """A Korean sentence about what was left out of it; empty when nothing was."""
    path: Path | None = None
    """The file it was read from."""
