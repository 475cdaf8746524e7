"""What a headline says, without what outlets put around it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_MAX_TITLES = 4096
_LEADING_MARK = re.compile(r"^\s*+[\[(<〈【「『《]\s*+([^\])>〉】」』》]{1,14}?)\s*+[\])>〉】」』》]\s*+")
_TRAILING_MARK = re.compile(r"(?<!\s)\s*+[\[(<〈【]\s*+([^\])>〉】]{1,14}?)\s*+[\])>〉】]\s*+$")
_PRESS_MARK = re.compile(
    r"^(?:\d?보|종합(?:\s?\d?보)?|속보|긴급|단독|포토|사진|영상|동영상|화보|그래픽|특징주|공식|사설|칼럼|기획|인터뷰|전문|업데이트|수정|풀영상|현장영상|자막뉴스|"
    r"breaking|update|updated|exclusive|video|photos?|watch|live|opinion|analysis)$",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?<!\s)\s++(?:[-–—|·:]|::|<|«)\s++([^|<>«]{1,30})$|(?<!\s)\s*+\|\s*+([^|]{1,30})$")
_OUTLET = re.compile(
    r"(?:일보|신문|뉴스|방송|경제|타임스|타임즈|투데이|통신|저널|매경|한경|헤럴드|프레스|데일리|미디어|닷컴|리포트|비즈|tv|kbs|mbc|sbs|jtbc|ytn|"
    r"news|times|post|herald|today|daily|press|journal|tribune|reuters|ap|bbc|cnn|guardian|bloomberg|verge|gazette|chronicle|wire)$",
    re.IGNORECASE,
)
_CUT = re.compile(r"(?:…|(?<!\.)\.{2,}+)\s*+$")
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*", re.UNICODE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_NUMBER = re.compile(r"(?<![a-z])([a-z]*+)(\d+(?:[.,]\d+)*)")
_OPPOSITES = """
상반기/하반기 상승/하락 급등/급락 증가/감소 인상/인하 전편/후편 상편/하편 오전/오후 찬성/반대 승인/거부 합격/불합격
흑자/적자 개막/폐막 시작/종료 남자/여자 북한/남한 첫/두 구속/석방 유죄/무죄
win/lose rise/fall rises/falls up/down first/second
"""
_SIDES = {word: (index, side) for index, pair in enumerate(_OPPOSITES.split()) for side, word in enumerate(pair.split("/"))}


@dataclass(frozen=True, slots=True)
class Headline:
    """A title made comparable."""

    text: str
    """NFKC, lower case, words joined by single spaces, without marks of the press and the outlet's name."""
    words: tuple[str, ...]
    numbers: frozenset[str]
    """Numbers with the Latin letters before them ("hbm3", "3")."""
    sides: frozenset[tuple[int, int]]
    """Which words of opposite pairs it holds."""
    cut: bool
    """True when the title ends in an ellipsis."""

    def contradicts(self, other: Headline) -> bool:
        """Return whether numbers or opposite words show that the two are about different things."""
        mine, theirs = dict(self.sides - other.sides), dict(other.sides - self.sides)
        if mine.keys() & theirs.keys():
            return True
        if self.cut or other.cut:
            return bool(self.numbers - other.numbers and other.numbers - self.numbers)
        return self.numbers != other.numbers


@lru_cache(maxsize=_MAX_TITLES)
def headline(title: str, host: str = "") -> Headline:
    """Return *title* made comparable; a last part that names the outlet at *host* or any known outlet is left out."""
    plain = unicodedata.normalize("NFKC", title).replace("…", "...").strip()
    plain = _without_outlet(_without_marks(plain), host)
    plain = _THOUSANDS.sub("", _without_marks(plain).casefold())
    cut = _CUT.search(plain) is not None
    words = tuple(_WORD.findall(plain))
    numbers = frozenset(prefix + figure for word in words for prefix, figure in _NUMBER.findall(word))
    sides = frozenset(_SIDES[word] for word in words if word in _SIDES)
    return Headline(" ".join(words), words, numbers, sides, cut)


def _without_marks(plain: str) -> str:
    while (found := _LEADING_MARK.match(plain)) and _PRESS_MARK.match(found[1]) and found.end() < len(plain):
        plain = plain[found.end() :]
    while (found := _TRAILING_MARK.search(plain)) and _PRESS_MARK.match(found[1]) and found.start() > 0:
        plain = plain[: found.start()]
    return plain


def _without_outlet(plain: str, host: str) -> str:
    found = _SUFFIX.search(plain)
    if not found or found.start() == 0:
        return plain
    name = (found[1] or found[2]).strip()
    squeezed = re.sub(r"[^a-z0-9]", "", name.casefold())
    if _OUTLET.search(name) or (len(squeezed) >= 3 and squeezed in re.sub(r"[^a-z0-9]", "", host.casefold())):
        return plain[: found.start()]
    return plain
