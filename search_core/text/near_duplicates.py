"""The same story under different addresses: syndicated news, copies with another outlet's name behind the title.

Two titles are held to be one story only when nothing speaks against it: numbers (quarters, episodes, versions, dates) must
agree, words that one title has and the other has not must not stand on both sides (that is how names differ), and where the
titles alone do not settle it the snippets must agree as a second witness. Missing a copy costs a line on the page; merging two
stories hides one, so doubt keeps apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

from rapidfuzz import fuzz

from search_core.domain import SearchResult
from search_core.text.web_address import host_name

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
RARE_WORDS = 4
"""Two titles are compared when they share one of the rarest words of either; a copy shares nearly all its words."""
MAX_BLOCK = 24
"""A word shared by more titles than this distinguishes nothing; the cap keeps the work linear."""
ENDING = re.compile(
    r"(?:은|는|이|가|을|를|의|에|도|로|와|과|만|서|측|들|으로|에서|에게|까지|부터|보다|들이|들은|원|명|개|건|s|es|d|ed)?$"
)
"""What may stand behind a word without making it another one ("삼성전자", "삼성전자가")."""
STRONG_TITLE = 90
MIN_TITLE = 75
SELF_EVIDENT_WORDS = 5
"""Titles of as many equal words are one story without a second witness."""
SAME_SNIPPET = 85
AGREEING_SNIPPET = 60
MIN_SNIPPET_CHARS = 30
MAX_SNIPPET_CHARS = 400
MAX_APART = timedelta(days=3)
"""Copies of a story appear within days; later it is next week's column of the same name."""


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


@dataclass(frozen=True, slots=True)
class _Entry:
    result: SearchResult
    headline: Headline
    host: str


def near_duplicates(results: Sequence[SearchResult]) -> tuple[tuple[int, ...], ...]:
    """Return the indexes of *results* in groups of one story each, in order of first appearance; most groups hold one."""
    entries = [_entry(result) for result in results]
    frequency = Counter(word for entry in entries for word in set(entry.headline.words))
    groups: list[list[int]] = []
    exact: dict[str, list[int]] = defaultdict(list)
    blocks: dict[str, list[int]] = defaultdict(list)
    for index, entry in enumerate(entries):
        words = sorted(set(entry.headline.words), key=lambda word: (frequency[word], word))[:RARE_WORDS]
        group = _group_for(entry, entries, groups, exact[entry.headline.text], [blocks[word] for word in words])
        if group is not None:
            groups[group].append(index)
            continue
        groups.append([index])
        for block in (exact[entry.headline.text], *(blocks[word] for word in words)):
            block.append(len(groups) - 1)
    return tuple(tuple(group) for group in groups)


def _entry(result: SearchResult) -> _Entry:
    host = host_name(result.url)
    return _Entry(result, headline(result.title, f"{host} {result.source}"), host)


def _group_for(
    entry: _Entry,
    entries: Sequence[_Entry],
    groups: Sequence[Sequence[int]],
    exact: Sequence[int],
    blocks: Sequence[Sequence[int]],
) -> int | None:
    """Return the group whose first member tells the same story, or None."""
    seen: set[int] = set()
    for block in (exact, *blocks):
        for group in block[:MAX_BLOCK]:
            if group not in seen and same_story(entry, entries[groups[group][0]]):
                return group
            seen.add(group)
    return None


def same_story(one: _Entry, other: _Entry) -> bool:
    """Return whether two results are one story."""
    left, right = one.headline, other.headline
    if not left.words or not right.words or left.contradicts(right) or _far_apart(one.result, other.result):
        return False
    if left.text == right.text:
        evident = one.host != other.host and len(left.words) >= SELF_EVIDENT_WORDS
        return evident or same_snippet(one.result, other.result)
    similar = _similarity(left, right)
    if not similar:
        return False
    only_left, only_right = _words_without_partner(left.words, right.words), _words_without_partner(right.words, left.words)
    if only_left and only_right:
        return False
    alike = similar >= STRONG_TITLE and len(left.words) >= SELF_EVIDENT_WORDS and not (only_left or only_right)
    return same_snippet(one.result, other.result, AGREEING_SNIPPET if alike else SAME_SNIPPET)


def _similarity(left: Headline, right: Headline) -> float:
    """Return how alike two titles are, 0 to 100; a title that was cut off only has to be found in the other."""
    if left.cut or right.cut:
        return fuzz.partial_ratio(left.text, right.text, score_cutoff=STRONG_TITLE)
    return fuzz.token_sort_ratio(left.text, right.text, score_cutoff=MIN_TITLE)


def _far_apart(one: SearchResult, other: SearchResult) -> bool:
    if one.publish_date is None or other.publish_date is None:
        return False
    return abs(one.publish_date - other.publish_date) > MAX_APART


def _words_without_partner(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the words that *others* do not hold, not even with another ending."""
    known = set(others)
    return [word for word in words if word not in known and not any(_one_word(word, other) for other in others)]


def _one_word(word: str, other: str) -> bool:
    if word[:2] != other[:2]:
        return False
    stem = next((index for index, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    if stem < 2 or any(char.isdigit() for char in word):
        return False
    return all(ENDING.match(rest[stem:]) for rest in (word, other))


def same_snippet(one: SearchResult, other: SearchResult, needed: int = SAME_SNIPPET) -> bool:
    """Return whether both results hold enough text and say the same, letter for letter but for little; *needed* is in percent."""
    left, right = one.snippet[:MAX_SNIPPET_CHARS], other.snippet[:MAX_SNIPPET_CHARS]
    if min(len(left), len(right)) < MIN_SNIPPET_CHARS:
        return False
    shorter, longer = sorted((left, right), key=len)
    return bool(fuzz.partial_ratio(shorter, longer, score_cutoff=needed))
