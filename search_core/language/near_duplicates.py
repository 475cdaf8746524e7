"""Finds the same story under different addresses: syndicated news, and copies with another outlet's name in the title.

Two results are one story if their titles have the same numbers and at most one title has words of its own; else the snippets
must agree as well. A missed copy costs a line on the page, but merging two stories hides one, so in doubt they stay apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from rapidfuzz import fuzz

from search_core.domain.result import SearchResult
from search_core.language.web_address import host_name

_PRESS = (
    r"(?:\d?보|종합(?:\s?\d?보)?|속보|긴급|단독|포토|사진|영상|동영상|화보|그래픽|특징주|공식|사설|칼럼|기획|인터뷰|전문|업데이트|수정|"
    r"breaking|updated?|exclusive|video|photos?|watch|live|opinion|analysis)"
)
_MARK = re.compile(rf"^\s*[\[(<【]{_PRESS}[\])>】]\s*(?=\S)|(?<=\S)\s*[\[(<【]{_PRESS}[\])>】]\s*$", re.IGNORECASE)
_SUFFIX = re.compile(r"\s(?:[-–—|·:]|::|<|«)\s+([^|<>«]{1,30})$|\s?\|\s*([^|]{1,30})$")
_OUTLET = re.compile(
    r"(?:일보|신문|뉴스|방송|경제|타임스|타임즈|투데이|통신|저널|매경|한경|헤럴드|프레스|데일리|미디어|닷컴|리포트|비즈|tv|kbs|mbc|sbs|jtbc|ytn|"
    r"news|times|post|herald|today|daily|press|journal|tribune|reuters|ap|bbc|cnn|guardian|bloomberg|verge|gazette|chronicle|wire)$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_NUMBER = re.compile(r"(?<![a-z])[a-z]*\d+(?:[.,]\d+)*")
_LEAST_STEM = 2
"""Letters that two words must share at their beginning to be one word with different endings ("삼성전자", "삼성전자가")."""
ALIKE_TITLES = 75
SELF_EVIDENT_WORDS = 5
"""Equal titles of at least this many words are one story, whatever the snippets say."""
SAME_SNIPPET = 85
MIN_SNIPPET_CHARS = 30
MAX_SNIPPET_CHARS = 400
MAX_APART = timedelta(days=3)
"""Most time between copies of a story; a later result is rather next week's column of the same name."""


@dataclass(frozen=True, slots=True)
class _Entry:
    result: SearchResult
    host: str
    title: str
    """The title's words in lower case, without press marks ("[단독]") and the outlet's name."""
    words: frozenset[str]
    numbers: frozenset[str]
    """Numbers with the Latin letters before them ("hbm3", "3")."""


def near_duplicates(results: Sequence[SearchResult]) -> tuple[tuple[int, ...], ...]:
    """Return the indexes of *results* grouped by story, in order of first appearance; most groups have one."""
    entries = [_entry(result) for result in results]
    groups: dict[frozenset[str], list[list[int]]] = {}
    for index, entry in enumerate(entries):
        of_these_numbers = groups.setdefault(entry.numbers, [])
        group = next((group for group in of_these_numbers if _same_story(entry, entries[group[0]])), None)
        if group is None:
            of_these_numbers.append([index])
        else:
            group.append(index)
    return tuple(sorted(tuple(group) for kind in groups.values() for group in kind))


def _entry(result: SearchResult) -> _Entry:
    host = host_name(result.url)
    title = unicodedata.normalize("NFKC", result.title).strip()
    plain = _THOUSANDS.sub("", _without_marks(_without_outlet(_without_marks(title), f"{host} {result.source}")).casefold())
    words = _WORD.findall(plain)
    numbers = frozenset(number for word in words for number in _NUMBER.findall(word))
    return _Entry(result, host, " ".join(words), frozenset(words), numbers)


def _without_marks(title: str) -> str:
    while (shorter := _MARK.sub("", title)) != title:
        title = shorter
    return title


def _without_outlet(title: str, host: str) -> str:
    """Return *title* without a final part that names the outlet at *host*, or a known outlet."""
    match = _SUFFIX.search(title)
    if not match or match.start() == 0:
        return title
    name = (match[1] or match[2]).strip()
    squeezed = re.sub(r"[^a-z0-9]", "", name.casefold())
    own = len(squeezed) >= 3 and squeezed in re.sub(r"[^a-z0-9]", "", host.casefold())
    return title[: match.start()] if own or _OUTLET.search(name) else title


def _same_story(one: _Entry, other: _Entry) -> bool:
    """Return whether two results with the same numbers in their titles are one story."""
    if one.words.isdisjoint(other.words) or _far_apart(one.result, other.result):
        return False
    if one.title == other.title and one.host != other.host and len(one.words) >= SELF_EVIDENT_WORDS:
        return True
    if not fuzz.token_set_ratio(one.title, other.title, score_cutoff=ALIKE_TITLES):
        return False
    if _stands_alone(one.words, other.words) and _stands_alone(other.words, one.words):
        return False
    return same_snippet(one.result, other.result)


def _far_apart(one: SearchResult, other: SearchResult) -> bool:
    if one.publish_date is None or other.publish_date is None:
        return False
    return abs(one.publish_date - other.publish_date) > MAX_APART


def _stands_alone(words: frozenset[str], others: frozenset[str]) -> bool:
    """Return whether *others* lacks one of *words* in every inflection."""
    return any(not any(_one_word(word, other) for other in others) for word in words - others)


def _one_word(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    return shorter == longer or (len(shorter) >= _LEAST_STEM and longer.startswith(shorter))


def same_snippet(one: SearchResult, other: SearchResult) -> bool:
    """Return whether both snippets are long enough and nearly identical."""
    left, right = one.snippet[:MAX_SNIPPET_CHARS], other.snippet[:MAX_SNIPPET_CHARS]
    if min(len(left), len(right)) < MIN_SNIPPET_CHARS:
        return False
    shorter, longer = sorted((left, right), key=len)
    return bool(fuzz.partial_ratio(shorter, longer, score_cutoff=SAME_SNIPPET))
