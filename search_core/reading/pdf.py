"""The text of a PDF file, by pypdf."""

from __future__ import annotations

import io
import logging
import time
from typing import NamedTuple

logger = logging.getLogger(__name__)

MAX_PAGES = 2_000
READ_S = 40.0
"""Of a processor; the pages that were read by then are kept."""


class PdfText(NamedTuple):
    """The text of a PDF file and what it says of itself."""

    title: str
    text: str
    published: str
    """As the file writes it, ``YYYYMMDD``; empty when it names none."""
    cut: str
    """A Korean sentence about pages that were left out; empty when all were read."""


class LockedPdfError(ValueError):
    """Says that a PDF file needs a password."""


class SlowPdfError(ValueError):
    """Says that the time for a PDF file was over before a page with text was read."""


def read_pdf(data: bytes, *, read_s: float = READ_S) -> PdfText:
    """Return the text of the PDF file *data*, pages parted by blank lines.

    After *read_s* seconds of a processor the other pages are left out.
    Raises LockedPdfError when it needs a password, SlowPdfError, and ValueError when it is damaged or holds no text.
    """
    import pypdf  # with its fonts a seventh of what every process of the app would import

    begun = time.process_time()
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise LockedPdfError("the PDF file needs a password")
        count, pages = len(reader.pages), list[str]()
        while len(pages) < min(count, MAX_PAGES) and time.process_time() - begun < read_s:
            pages.append(reader.pages[len(pages)].extract_text())
        facts = reader.metadata
        title = str(facts.title or "") if facts else ""
        created = str(facts.get("/CreationDate") or "") if facts else ""
    except LockedPdfError:
        raise
    except Exception as error:  # a damaged file makes pypdf raise nearly anything; one file never ends the run
        logger.warning("A PDF file could not be read: %s: %s", type(error).__name__, error)
        raise ValueError(f"the PDF file is damaged: {error}") from error
    text = "\n\n".join(page.strip() for page in pages if page.strip())
    if not text and len(pages) < min(count, MAX_PAGES):
        raise SlowPdfError(f"the first {len(pages)} of {count} pages took {read_s:g} s and hold no text")
    if not text:
        raise ValueError("the PDF file holds no text")
    limits = f"PDF 하나는 {MAX_PAGES:,}쪽, {read_s:g}초까지 읽어요."
    cut = f"{count:,}쪽 가운데 앞의 {len(pages):,}쪽만 읽었어요. {limits}" if len(pages) < count else ""
    return PdfText(" ".join(title.split()), text, created.removeprefix("D:")[:8], cut)
