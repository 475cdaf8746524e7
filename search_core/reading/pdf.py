"""PDF files as text, also with Korean, Chinese and Japanese fonts whose character codes pypdf does not know."""

from __future__ import annotations

import io
import logging
import re
import time
import unicodedata
from collections import Counter
from functools import lru_cache

from search_core.errors import DocumentReadError
from search_core.reading.html import ParsedText

logger = logging.getLogger(__name__)

MAX_PAGES = 2_000
READ_S = 40.0
"""Most seconds of processor time; after that, the rest of the pages is left out."""
_CODES = {
    **dict.fromkeys(("KSCms-UHC", "KSCms-UHC-HW"), "cp949"),
    **dict.fromkeys(("KSC-EUC", "KSCpc-EUC"), "euc_kr"),
    "KSC-Johab": "johab",
    **dict.fromkeys(("GBKp-EUC", "GBT-EUC"), "gbk"),
    **dict.fromkeys(("B5pc", "HKscs-B5"), "big5hkscs"),
    **dict.fromkeys(("90msp-RKSJ", "90pv-RKSJ", "83pv-RKSJ", "Ext-RKSJ", "Add-RKSJ"), "cp932"),
    **dict.fromkeys(("EUC", "Ext"), "euc_jp"),
    **dict.fromkeys(("UniKS-UTF16", "UniKS-UCS2"), "utf-16-be"),
}
"""Names of predefined CMaps, without the direction at their end, and the Python codecs for them."""
_OTHER_SCRIPTS = re.compile(r"[\u0530-\u10ff\u1200-\u1cff]")
"""Letters of scripts from Armenian to Vedic, without Hangul; an ordinary text has letters of at most one of these scripts."""
_NO_LETTER = re.compile(r"[\ufffd\u0300-\u036f]")
"""The replacement character and combining marks: glyph numbers of Japanese fonts look like these."""
_LOOKED_AT = 3_000
_SCRIPT_SHARE = 0.03
_NO_LETTER_SHARE = 0.1
SMALLER = "작은 파일로 나눠 주세요."
UNREADABLE = "글꼴에 글자표가 없는 PDF라 글자를 읽지 못했어요. 원본에서 텍스트나 다른 PDF로 저장해서 넣어 주세요."


def read_pdf(data: bytes, *, read_s: float = READ_S) -> ParsedText:
    """Return the text of the PDF file *data*, with blank lines between pages.

    After *read_s* processor seconds further pages are left out; pages of gibberish always are. Raises DocumentReadError if it
    needs a password, is too slow or is only gibberish, and ValueError if it is damaged or has no text.
    """
    if b"%PDF-" not in data[:1024]:
        raise ValueError("not a PDF file")
    import pypdf  # with its fonts a seventh of what every process of the app would import

    _teach_codes()
    begun = time.process_time()
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise DocumentReadError("the PDF file needs a password", korean="암호가 걸린 PDF예요. 암호를 풀고 다시 넣어 주세요.")
        count, pages = len(reader.pages), list[str]()
        while len(pages) < min(count, MAX_PAGES) and time.process_time() - begun < read_s:
            pages.append(reader.pages[len(pages)].extract_text())
        facts = reader.metadata
        title = str(facts.title or "") if facts else ""
        created = str(facts.get("/CreationDate") or "") if facts else ""
    except DocumentReadError:
        raise
    except Exception as error:  # a damaged file makes pypdf raise nearly anything; one file never ends the run
        logger.warning("A PDF file could not be read: %s: %s", type(error).__name__, error)
        raise ValueError(f"the PDF file is damaged: {error}") from error
    texts = [page.strip() for page in pages if page.strip()]
    if not texts and len(pages) < min(count, MAX_PAGES):
        korean = f"파일을 읽는 데 {read_s:g}초가 넘게 걸려서 그만뒀어요. {SMALLER}"
        raise DocumentReadError(f"The first {len(pages)} of {count} pages took {read_s:g} s and hold no text.", korean=korean)
    if not texts:
        raise ValueError("the PDF file holds no text")
    readable = [page for page in texts if not is_gibberish(page)]
    if not readable:
        raise DocumentReadError("the fonts of the PDF file state no characters", korean=UNREADABLE)
    limits = f"PDF 하나는 {MAX_PAGES:,}쪽, {read_s:g}초까지 읽어요."
    omissions = [f"{count:,}쪽 가운데 앞의 {len(pages):,}쪽만 읽었어요. {limits}"] if len(pages) < count else []
    if len(readable) < len(texts):
        omissions.append(f"{len(texts) - len(readable):,}쪽은 글꼴에 글자표가 없어서 뺐어요.")
    return ParsedText(
        "\n\n".join(readable), " ".join(title.split()), published=created.removeprefix("D:")[:8], cut=" ".join(omissions)
    )


def is_gibberish(text: str) -> bool:
    """Return whether *text* mixes scripts as no language does, because glyph numbers were read as characters."""
    letters = [letter for letter in text[:_LOOKED_AT] if letter > "\x7f" or letter.isalpha() or letter < "\t"]
    nothing = sum(
        bool(_NO_LETTER.match(letter)) or unicodedata.category(letter) in ("Cn", "Co", "Cc", "Cs") for letter in letters
    )
    scripts = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in letters if _OTHER_SCRIPTS.match(letter))
    mixed = [script for script, count in scripts.items() if count > _SCRIPT_SHARE * len(letters)]
    return len(mixed) > 1 or nothing > _NO_LETTER_SHARE * len(letters)


@lru_cache(maxsize=1)
def _teach_codes() -> None:
    from pypdf import _cmap

    for name, codec in _CODES.items():
        for direction in ("H", "V"):
            _cmap._predefined_cmap.setdefault(f"/{name}-{direction}", codec)
