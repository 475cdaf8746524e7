"""The font that PDF files carry: of Pretendard (SIL Open Font License) only the letters a document uses, at the weights it uses.

The font ships as one variable WOFF2 file. Unpacking it takes some seconds, so that is done once a process; 7 MB stay.
"""

from __future__ import annotations

import io
import unicodedata
from functools import lru_cache
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONT = Path(__file__).parents[3] / "static" / "PretendardVariable.woff2"
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


def embed(text: str) -> dict[int, bytes]:
    """Return the font with the letters of *text* as TrueType files, by weight."""
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
