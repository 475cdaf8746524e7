"""PDF files, read back by pypdf."""

from __future__ import annotations

import io
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from pypdf import PdfReader
from pypdf.generic import NameObject

from search_core.presenting.document.font import embed
from search_core.research.export import export_run
from tests.search_core.research.report_material import run, source

from .exported import LINKED, hostile, whole


def opened(data: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(data), strict=True)


def text_of(reader: PdfReader) -> str:
    return "\n".join(page.extract_text() for page in reader.pages)


def notes(reader: PdfReader) -> list[Any]:
    return [note.get_object() for page in reader.pages for note in page.get("/Annots", [])]


def addresses(reader: PdfReader) -> list[str]:
    return [note["/A"]["/URI"] for note in notes(reader) if "/A" in note]


def names(reader: PdfReader) -> set[str]:
    """Every name in the file's objects; the bytes of a compressed font may spell any of them by chance."""
    found: set[str] = set()
    waiting: list[Any] = [reader.trailer, *(reader.get_object(number) for number in range(1, reader.trailer["/Size"]))]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting.extend([*each.keys(), *each.values()])
        elif isinstance(each, list):
            waiting.extend(each)
        elif isinstance(each, NameObject):
            found.add(str(each))
    return found


def outline(entries: list[Any]) -> list[Any]:
    return [outline(each) if isinstance(each, list) else each["/Title"] for each in entries]


@pytest.fixture(scope="module")
def reader() -> PdfReader:
    return opened(export_run(whole(), "pdf").data)


def test_korean_is_text(reader: PdfReader):
    """Sentences, tables, sources and the ledger can be read out of the file word for word."""
    text = text_of(reader)
    for wanted in (
        "한빛전자의 매출과 새 메모리 양산 시기를 알려줘",
        "한빛전자의 2025년 매출은 66조원이었어요 [1][2]. 새 메모리 양산은 2026년 2월에 시작했어요 [3].",
        "이 문장은 출처에 없어요 [3]. (출처에서 확인하지 못한 문장)",
        "2025년 66조원 [1]",
        "site1.example · 2026년 1월 20일 · 본문을 읽음",
        "영상 01:15: “매출이 크게 늘었다고 합니다”",
        "출처 3개 중 3개는 본문을 읽었어요.",
    ):
        assert wanted in text


def test_the_font_is_in_the_file(reader: PdfReader):
    """Both weights are embedded as parts of Pretendard with a way back from letters to text."""
    fonts = [font.get_object() for font in reader.pages[0]["/Resources"]["/Font"].get_object().values()]
    assert len(fonts) == 2
    for font in fonts:
        [inner] = font["/DescendantFonts"]
        assert "+Pretendard" in font["/BaseFont"]
        assert "/FontFile2" in inner.get_object()["/FontDescriptor"].get_object()
        assert "/ToUnicode" in font


def test_citations_lead_to_sources_and_sources_to_the_web(reader: PdfReader):
    """Seven references lead to places in the file, three sources to their addresses, and headings make the outline."""
    assert addresses(reader) == [f"https://site{n}.example/{n}" for n in (1, 2, 3)]
    assert sum("/Dest" in note for note in notes(reader)) == 7
    assert outline(reader.outline) == [
        "한빛전자의 매출과 새 메모리 양산 시기를 알려줘",
        ["조사 계획", "보고서", ["요약", ["자세한 내용"]], "출처", ["사이트별 출처"], "어디까지 조사했나요", "걸린 시간"],
    ]
    assert reader.metadata.title == "한빛전자의 매출과 새 메모리 양산 시기를 알려줘"
    assert reader.trailer["/Root"]["/Lang"] == "ko-KR"


def test_hostile_text_shows_and_does_nothing():
    """Nothing runs, opens or loads; links lead to sources on the web only."""
    reader = opened(export_run(hostile(), "pdf").data)
    assert not names(reader) & {"/JavaScript", "/JS", "/AA", "/Launch", "/EmbeddedFile", "/XObject"}
    assert {"/URI", "/Annot", "/FontFile2"} <= names(reader)  # the search for names finds what is there
    assert isinstance(reader.trailer["/Root"]["/OpenAction"], list)  # a place to open at, not an action
    assert set(addresses(reader)) == LINKED | {f"https://site.example/{n}" for n in range(8)}
    assert "<script>fetch(" in text_of(reader).replace("\n", "")


def test_letters_the_font_lacks_are_mentioned(reader: PdfReader):
    """Chinese characters of headlines are written as they are read, others as boxes, and the file says so; else it does not."""
    odd = source(1, "美 반도체 规 😀️ ㎏ é", "요약")
    text = text_of(opened(export_run(run("글이에요 [1].", (odd,)), "pdf").data))
    assert "[1] 미 반도체 □ □ ㎏ é" in text or "[1] 미 반도체 □ □ kg é" in text
    assert "이 파일의 글꼴에 없는 글자는 □로" in text
    assert "□로" not in text_of(reader)


def test_only_the_letters_in_use_are_taken():
    """A part of the font holds the letters of the text at two weights, and is small."""
    parts = embed("가나다")
    assert sorted(parts) == [400, 700]
    for data in parts.values():
        letters = TTFont(io.BytesIO(data)).getBestCmap()
        assert {ord(char) for char in "가나다A9[]•□"} <= letters.keys()
        assert ord("라") not in letters
        assert len(data) < 60_000
    assert parts[400] != parts[700]
