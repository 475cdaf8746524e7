"""Which sources tell one story, and which only repeat the video.

Ten pages that print one wire story are one witness; a page that retells the video is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from search_core.domain import SearchResult, VideoContext
from search_core.merging import near_duplicates
from search_core.video import youtube_video_id

SHINGLE = 5
"""Words in a row that count as copied."""
COPIED = 0.5
"""Share of the shorter text's runs that two copies of a story have in common."""
RETOLD = 0.3
"""Share of a page's runs that come from the transcript when it only retells the video."""
LEAST_RUNS = 6
"""Texts with fewer runs of words are too short to be called copies."""
SAME_NUMBERS = 0.8
"""Share of the numbers of one text that its copy has, too."""
SAME_TITLE = 92
MIN_TITLE_CHARS = 12
MAX_WORDS = 1500
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"(?<![A-Za-z\d.,])\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Standing:
    """How independent a source is."""

    group: int
    """The same number for all sources that tell one story; all that only repeat the video share one."""
    restates_video: bool


def standings(sources: Sequence[SearchResult], texts: Sequence[str], video: VideoContext) -> tuple[Standing, ...]:
    """Return the standing of each source; *texts* are what was read of each, page or snippet."""
    said = _runs(" ".join((video.title, video.description, *(segment.text for segment in video.transcript))), MAX_WORDS * 20)
    runs = [_runs(text, MAX_WORDS) for text in texts]
    retold = [_restates(source, own, said, video) for source, own in zip(sources, runs, strict=True)]
    parents = list(range(len(sources)))
    for group in near_duplicates(sources):
        for place in group[1:]:
            _join(parents, group[0], place)
    numbers_of = [_numbers(text) for text in texts]
    for one, other in _copies(runs):
        if _numbers_agree(numbers_of[one], numbers_of[other]):
            _join(parents, one, other)
    repeating = [place for place, again in enumerate(retold) if again]
    for place in repeating[1:]:
        _join(parents, repeating[0], place)
    roots = [_root(parents, place) for place in range(len(sources))]
    numbers = {root: number for number, root in enumerate(dict.fromkeys(roots))}
    tainted = {roots[place] for place in repeating}
    return tuple(Standing(numbers[root], root in tainted) for root in roots)


def _restates(source: SearchResult, own: frozenset[int], said: frozenset[int], video: VideoContext) -> bool:
    """Tell whether a page is the video itself, has its title, is of its channel, or prints what is said in it."""
    if video.video_id and youtube_video_id(source.url) == video.video_id:
        return True
    channel = video.channel.casefold()
    if len(channel) > 2 and channel in (source.source.casefold(), source.title.rpartition(" - ")[2].casefold()):
        return True
    title, wanted = source.title.casefold(), video.title.casefold()
    telling = min(len(wanted), len(title)) >= MIN_TITLE_CHARS and not video.title_is_file_name
    if telling and (fuzz.ratio(title, wanted) >= SAME_TITLE or wanted in title):
        return True
    return len(own) >= LEAST_RUNS and len(own & said) / len(own) >= RETOLD


def _copies(runs: Sequence[frozenset[int]]) -> list[tuple[int, int]]:
    """Return pairs of texts that are copies, found through the runs they share."""
    first: dict[int, int] = {}
    common: dict[tuple[int, int], int] = {}
    for place, own in enumerate(runs):
        for run in own:
            earlier = first.setdefault(run, place)
            if earlier != place:
                common[earlier, place] = common.get((earlier, place), 0) + 1
    return [
        pair
        for pair, count in common.items()
        if (least := min(len(runs[pair[0]]), len(runs[pair[1]]))) >= LEAST_RUNS and count / least >= COPIED
    ]


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text[: MAX_WORDS * 10]))


def _numbers_agree(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two texts of the same words have their numbers in common, too: another number is another story."""
    least = min(len(one), len(other))
    return least == 0 or len(one & other) / least >= SAME_NUMBERS


def _runs(text: str, most: int) -> frozenset[int]:
    words = [match.group().casefold() for match in _WORD.finditer(text)][:most]
    return frozenset(hash(tuple(words[at : at + SHINGLE])) for at in range(len(words) - SHINGLE + 1))


def _root(parents: list[int], place: int) -> int:
    while parents[place] != place:
        parents[place] = parents[parents[place]]
        place = parents[place]
    return place


def _join(parents: list[int], one: int, other: int) -> None:
    left, right = sorted((_root(parents, one), _root(parents, other)))
    parents[right] = left
