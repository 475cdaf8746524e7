"""The text of a PDF file, by pypdf."""

from __future__ import annotations

import io
import logging
from typing import NamedTuple

import pypdf

logger = logging.getLogger(__name__)

MAX_PAGES = 2_000


class PdfText(NamedTuple):
    """The text of a PDF file and what it says of itself."""

    title: str
    text: str
    published: str
    """As the file writes it, ``YYYYMMDD``; empty when it names none."""


class LockedPdfError(ValueError):
    """Says that a PDF file needs a password."""


def read_pdf(data: bytes) -> PdfText:
    """Return the text of the PDF file *data*, pages parted by blank lines.

    Raises LockedPdfError when it needs a password, and ValueError when it is damaged or holds no text.
    """
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise LockedPdfError("the PDF file needs a password")
        pages = [reader.pages[number].extract_text() for number in range(min(len(reader.pages), MAX_PAGES))]
        facts = reader.metadata
        title = str(facts.title or "") if facts else ""
        created = str(facts.get("/CreationDate") or "") if facts else ""
    except LockedPdfError:
        raise
    except Exception as error:  # a damaged file makes pypdf raise nearly anything; one file never ends the run
        logger.warning("A PDF file could not be read: %s: %s", type(error).__name__, error)
        raise ValueError(f"the PDF file is damaged: {error}") from error
    text = "\n\n".join(page.strip() for page in pages if page.strip())
    if not text:
        raise ValueError("the PDF file holds no text")
    return PdfText(" ".join(title.split()), text, created.removeprefix("D:")[:8])
