"""A document as PDF whose Korean is text, not pictures: it can be searched, copied, read aloud, and its references lead on."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from fpdf import FPDF
from fpdf.fonts import FontFace

from search_core.presenting.document import blocks as doc
from search_core.shipped_files import shipped_files
from search_core.version import VERSION

FONT = shipped_files("static") / "PretendardVariable.woff2"
REGULAR, BOLD = 400, 700
MISSING = "□"
_ALWAYS = "•□"
"""What the layout itself draws, besides ASCII."""

_READINGS = dict(
    zip(
        "美中日北韓英佛獨露與野靑檢警軍前現新舊故男女大小高低對反親脫無非全總株銀金李朴尹"
        "文朝外內上下南東西亞歐臺印伊弗黨法行年月老亡死生賞戰核車家市道國人重說論初最多再",
        "미중일북한영불독로여야청검경군전현신구고남여대소고저대반친탈무비전총주은금이박윤"
        "문조외내상하남동서아구대인이불당법행년월노망사생상전핵차가시도국인중설논초최다재",
        strict=True,
    )
)
"""Chinese characters of headlines as they are read: the font has none."""
FAMILY = "Pretendard"
_STYLES = {REGULAR: "", BOLD: "B"}
MAX_COLUMNS = 8
"""A table with more is written line by line: a column must have room for a letter."""
_CHANGED = "이 파일의 글꼴에 없는 글자는 □로, 한자는 읽는 소리로 적었어요. 다른 형식의 파일에는 본디 글자가 있어요."
MIN_COLUMN, MAX_COLUMN = 4, 40
"""Letters a column counts with when the width of a table is shared out."""
_SIZES = {1: 19.0, 2: 14.5, 3: 12.5}
_SIZE, _SMALL = 10.5, 9.0
_LINE = 0.6
"""Height of a line in mm for each point of the letters."""
_STEP, _MOST_INDENT = 6.0, 48.0
_INK, _GREY, _BLUE = (31, 35, 40), (87, 96, 106), (11, 92, 173)


def embed(text: str) -> dict[int, bytes]:
    """Return the font with only the letters of *text* as TrueType files, by weight.

    It ships as one variable WOFF2 file. Unpacking that takes some seconds, so it is done once a process; 7 MB stay.
    """
    font = TTFont(io.BytesIO(_whole()), lazy=True)
    options = Options()
    options.layout_features = []
    options.hinting = False
    options.drop_tables += ["GSUB", "GPOS", "GDEF"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=sorted({*map(ord, text), *range(0x20, 0x7F), *map(ord, _ALWAYS)}))
    subsetter.subset(font)
    part = _bytes(font)
    return {weight: _bytes(instantiateVariableFont(TTFont(io.BytesIO(part)), {"wght": weight})) for weight in (REGULAR, BOLD)}


def drawable(text: str) -> str:
    """Return *text* in letters the font has: Chinese characters of headlines as they are read, what is left as boxes."""
    return "".join(char if char == "\n" or ord(char) in _letters() else _substitute(char) for char in text)


def _substitute(char: str) -> str:
    if char.isspace():
        return " "
    if unicodedata.category(char) in ("Mn", "Cf", "Me"):
        return ""
    plain = unicodedata.normalize("NFKC", char)
    if plain != char and all(ord(each) in _letters() for each in plain):
        return plain
    return _READINGS.get(char, MISSING)


@lru_cache(maxsize=1)
def _whole() -> bytes:
    font = TTFont(FONT)
    font.flavor = None
    return _bytes(font)


@lru_cache(maxsize=1)
def _letters() -> frozenset[int]:
    return frozenset(TTFont(io.BytesIO(_whole()), lazy=True).getBestCmap())


def _bytes(font: TTFont) -> bytes:
    file = io.BytesIO()
    font.save(file, reorderTables=False)
    return file.getvalue()


def pdf_file(document: doc.Document, created: datetime) -> bytes:
    """Return *document* as PDF with the letters it uses embedded; a letter the font lacks is a box."""
    blocks = document.blocks
    if any(drawable(text) != text for text in doc.texts_of(blocks)):
        blocks = (*blocks, doc.Paragraph((doc.Run(_CHANGED),)))
    letters = "".join(drawable(text) for text in (document.title, *doc.texts_of(blocks)))
    with TemporaryDirectory(prefix="maekrak-pdf-") as folder:
        pages = _Pages()
        for weight, data in embed(letters).items():
            file = Path(folder) / f"{weight}.ttf"
            file.write_bytes(data)
            pages.add_font(FAMILY, _STYLES[weight], file)
        pages.set_title(document.title)
        pages.set_lang("ko-KR")
        pages.set_creator(f"Maekrak {VERSION}")
        pages.set_creation_date(created)
        pages.add_page()
        _Writer(pages, blocks).blocks(blocks)
        return bytes(pages.output())


class _Pages(FPDF):
    """The paper: A4, numbered at the foot."""

    def footer(self) -> None:
        self.set_y(-15)
        self.set_font(FAMILY, "", _SMALL)
        self.set_text_color(*_GREY)
        self.cell(0, 10, str(self.page_no()), align="C")


class _Writer:
    """Writes blocks onto pages."""

    def __init__(self, pages: FPDF, blocks: Iterable[doc.Block]) -> None:
        self._pages = pages
        self._margin = pages.l_margin
        self._depth = 0
        self._places = {block.number: pages.add_link() for block in blocks if isinstance(block, doc.SourceEntry)}

    def blocks(self, blocks: Iterable[doc.Block]) -> None:
        """Write *blocks*, one below the other."""
        for block in blocks:
            self._block(block)

    def _block(self, block: doc.Block) -> None:
        match block:
            case doc.Heading(level, runs):
                self._heading(level, runs)
            case doc.Paragraph(runs):
                self._flow(runs)
                self._pages.ln(1.5)
            case doc.Quotation(inner):
                self._write_indented(inner)
            case doc.Code(text):
                for line in text.split("\n"):
                    self._flow((doc.Run(line),), size=_SMALL, ink=_GREY)
            case doc.Items(items, start):
                self._items(items, start)
            case doc.Table(rows):
                self._table(rows)
            case doc.SourceEntry():
                self._source(block)

    def _heading(self, level: int, runs: Sequence[doc.Run]) -> None:
        self._pages.ln(0 if level == 1 else 3)
        if self._pages.will_page_break(20):
            self._pages.add_page()
        title = drawable(doc.text_of(runs)).replace("\n", " ").strip()
        if title:
            self._pages.start_section(title, level=level - 1, strict=False)
        self._flow([run._replace(bold=True) for run in runs], size=_SIZES.get(level, 11.0))
        self._pages.ln(1.5)

    def _items(self, items: Sequence[Sequence[doc.Block]], start: int | None) -> None:
        for first, rest in doc.signed_items(items, start):
            self._flow(first)
            self._write_indented(rest)
        self._pages.ln(1.5)

    def _write_indented(self, blocks: Iterable[doc.Block]) -> None:
        self._depth += 1
        self._pages.set_left_margin(self._margin + min(self._depth * _STEP, _MOST_INDENT))
        self.blocks(blocks)
        self._depth -= 1
        self._pages.set_left_margin(self._margin + min(self._depth * _STEP, _MOST_INDENT))
        self._pages.set_x(self._pages.l_margin)

    def _table(self, rows: Sequence[Sequence[Sequence[doc.Run]]]) -> None:
        if any(len(row) > MAX_COLUMNS for row in rows):
            for row in rows:
                self._flow((doc.Run(" | ".join(doc.text_of(cell) for cell in row)),), size=_SMALL)
            return
        pages = self._pages
        pages.set_font(FAMILY, "", _SMALL)
        pages.set_text_color(*_INK)
        with pages.table(
            col_widths=_widths(rows),
            text_align="LEFT",
            line_height=_SMALL * _LINE,
            headings_style=FontFace(emphasis="BOLD"),
            padding=1,
        ) as table:
            for row in rows:
                cells = table.row()
                for runs in row:
                    cells.cell(
                        drawable(doc.text_of(runs)), link=next((self._target(run) for run in runs if self._target(run)), None)
                    )
        pages.ln(3)

    def _source(self, entry: doc.SourceEntry) -> None:
        pages = self._pages
        if pages.will_page_break(15):
            pages.add_page()
        pages.set_link(self._places[entry.number], y=pages.get_y(), page=pages.page_no())
        self._flow((doc.Run(f"[{entry.number}] ", bold=True), entry.title))
        for line in filter(None, (entry.facts, entry.address, *entry.lines)):
            self._flow((doc.Run(line),), size=_SMALL, ink=_GREY)
        pages.ln(2)

    def _flow(self, runs: Iterable[doc.Run], *, size: float = _SIZE, ink: tuple[int, int, int] = _INK) -> None:
        """Write *runs* one behind the other and go to the next line."""
        for run in runs:
            target = self._target(run)
            self._pages.set_font(FAMILY, "B" if run.bold else "", size)
            self._pages.set_text_color(*(_BLUE if target else ink))
            self._pages.write(size * _LINE, drawable(run.text), link=target)
        self._pages.ln(size * _LINE)

    def _target(self, run: doc.Run) -> str | int:
        """Return where *run* leads: to a source in the list, to its address, or nowhere."""
        return self._places.get(run.cites) or run.url


def _widths(rows: Sequence[Sequence[Sequence[doc.Run]]]) -> tuple[int, ...]:
    """Return how wide the columns of a table are against each other, by the longest text of each."""
    columns = zip(*(map(doc.text_of, row) for row in rows), strict=False)
    return tuple(min(MAX_COLUMN, max(MIN_COLUMN, *map(len, column), 0)) for column in columns)
