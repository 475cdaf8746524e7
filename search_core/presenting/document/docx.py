"""A document as DOCX with styles of its own, references that lead to the list of sources, and addresses only there."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import docx
from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor
from docx.text.paragraph import Paragraph as WordParagraph
from docx.text.run import Run as WordRun

from search_core.presenting.document import blocks as doc

FONT = "Malgun Gothic"
"""Every Windows and every Word in Korean has it; others take their own Hangul font."""
_STEP_MM, _MOST_DEPTH = 6, 8
_BLUE, _GREY = RGBColor(11, 92, 173), RGBColor(87, 96, 106)


def docx_file(document: doc.Document, created: datetime) -> bytes:
    """Return *document* as DOCX."""
    word = docx.Document()
    _prepare(word, document, created)
    _Writer(word, document).blocks(document.blocks)
    file = io.BytesIO()
    word.save(file)
    return file.getvalue()


def _prepare(word: WordDocument, document: doc.Document, created: datetime) -> None:
    """Set fonts and what the file says of itself."""
    for style in word.styles:
        if getattr(style, "font", None) is not None:
            style.font.name = FONT
            style.element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), FONT)
    word.core_properties.title = document.title[:255]
    word.core_properties.author = "Maekrak"
    word.core_properties.comments = ""
    word.core_properties.language = "ko-KR"
    word.core_properties.created = created.astimezone(UTC).replace(tzinfo=None)


class _Writer:
    """Writes blocks into a Word document."""

    def __init__(self, word: WordDocument, document: doc.Document) -> None:
        self._word = word
        self._known = frozenset(block.number for block in document.blocks if isinstance(block, doc.SourceEntry))

    def blocks(self, blocks: Iterable[doc.Block], depth: int = 0) -> None:
        """Write *blocks*, one below the other, *depth* steps from the margin."""
        for block in blocks:
            self._block(block, depth)

    def _block(self, block: doc.Block, depth: int) -> None:
        match block:
            case doc.Heading(level, runs):
                self._write(self._word.add_paragraph(style="Title" if level == 1 else f"Heading {level - 1}"), runs)
            case doc.Paragraph(runs):
                self._write(self._paragraph(depth), runs)
            case doc.Quotation(inner):
                self.blocks(inner, depth + 1)
            case doc.Code(text):
                self._paragraph(depth + 1).add_run(text).font.size = Pt(9)
            case doc.Items(items, start):
                self._items(items, start, depth)
            case doc.Table(rows):
                self._table(rows)
            case doc.SourceEntry():
                self._source(block)

    def _paragraph(self, depth: int) -> WordParagraph:
        paragraph = self._word.add_paragraph()
        paragraph.paragraph_format.left_indent = Mm(_STEP_MM * min(depth, _MOST_DEPTH))
        return paragraph

    def _items(self, items: Sequence[Sequence[doc.Block]], start: int | None, depth: int) -> None:
        for first, rest in doc.signed_items(items, start):
            self._write(self._paragraph(depth + 1), first)
            self.blocks(rest, depth + 1)

    def _table(self, rows: Sequence[Sequence[Sequence[doc.Run]]]) -> None:
        table = self._word.add_table(rows=0, cols=max(map(len, rows)), style="Table Grid")
        for place, row in enumerate(rows):
            for cell, runs in zip(table.add_row().cells, row, strict=False):
                self._write(cell.paragraphs[0], [run._replace(bold=run.bold or place == 0) for run in runs])
        self._word.add_paragraph()

    def _source(self, entry: doc.SourceEntry) -> None:
        paragraph = self._paragraph(0)
        _bookmark(paragraph, entry.number)
        self._write(paragraph, (doc.Run(f"[{entry.number}] ", bold=True), entry.title))
        for line in filter(None, (entry.facts, entry.address, *entry.lines)):
            paragraph_below = self._paragraph(1)
            run = paragraph_below.add_run(line)
            run.font.size, run.font.color.rgb = Pt(9), _GREY
            paragraph_below.paragraph_format.space_after = Pt(2)

    def _write(self, paragraph: WordParagraph, runs: Iterable[doc.Run]) -> None:
        for run in runs:
            written = paragraph.add_run(run.text)
            written.bold, written.italic, written.font.strike = run.bold or None, run.italic or None, run.struck or None
            if run.cites in self._known:
                _make_link(paragraph, written, anchor=_name(run.cites))
            elif run.url:
                _make_link(paragraph, written, url=run.url)


def _make_link(paragraph: WordParagraph, run: WordRun, *, url: str = "", anchor: str = "") -> None:
    """Make *run* a link to an address, or to a bookmark of the document."""
    link = OxmlElement("w:hyperlink")
    if anchor:
        link.set(qn("w:anchor"), anchor)
    else:
        link.set(qn("r:id"), paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    run.font.color.rgb, run.font.underline = _BLUE, not anchor
    paragraph._p.append(link)
    link.append(run._r)


def _bookmark(paragraph: WordParagraph, number: int) -> None:
    for tag in ("w:bookmarkStart", "w:bookmarkEnd"):
        mark = OxmlElement(tag)
        mark.set(qn("w:id"), str(number))
        if tag == "w:bookmarkStart":
            mark.set(qn("w:name"), _name(number))
        paragraph._p.append(mark)


def _name(number: int) -> str:
    return f"source_{number}"
