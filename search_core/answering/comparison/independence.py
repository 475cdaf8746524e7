"""Which sources tell one story, and which only repeat the video.

Ten pages that print one wire story are one witness; a page that retells the video is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from search_core.answering.comparison.across_languages import Nearness
from search_core.answering.comparison.translations import translated_pairs
from search_core.domain import SearchResult, VideoContext
from search_core.merging import near_duplicates
from search_core.presenting.dates import day_in_korea
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


def standings(
    sources: Sequence[SearchResult], texts: Sequence[str], video: VideoContext, nearness: Nearness | None = None
) -> tuple[Standing, ...]:
    """Return the standing of each source; *texts* are what was read of each, page or snippet.

    *nearness* is asked whether an article is another one in another language. What is older than the video cannot restate it:
    there the video may tell what others wrote, and so may their copies.
    """
    said = _runs_in_video(video)
    runs = [_runs(text, MAX_WORDS) for text in texts]
    older = [_is_older(source, video) for source in sources]
    of_video = [is_of_video(source, video) for source in sources]
    retells = [_retells(own, said) and not old for own, old in zip(runs, older, strict=True)]
    stories = _Stories(len(sources))
    for group in near_duplicates(sources):
        for place in group[1:]:
            stories.join(group[0], place)
    numbers_of = [_numbers(text) for text in texts]
    for one, other in _copies(runs):
        if _numbers_agree(numbers_of[one], numbers_of[other]):
            stories.join(one, other)
    for one, other in translated_pairs(texts, [source.publish_date for source in sources], nearness):
        stories.join(one, other)
    first_told = {stories.root(place) for place, old in enumerate(older) if old}
    of_video_too = {stories.root(place) for place, own in enumerate(of_video) if own}
    copied = {stories.root(place) for place, again in enumerate(retells) if again} - first_told
    repeating = of_video_too | copied
    for root in repeating:
        stories.join(min(repeating), root)
    tainted = {stories.root(root) for root in repeating}
    roots = [stories.root(place) for place in range(len(sources))]
    numbers = {root: number for number, root in enumerate(dict.fromkeys(roots))}
    return tuple(Standing(numbers[root], root in tainted) for root in roots)


def is_of_video(source: SearchResult, video: VideoContext) -> bool:
    """Tell whether a page is the video itself, has its title without being older, or is of its channel."""
    if video.video_id and youtube_video_id(source.url) == video.video_id:
        return True
    channel = video.channel.casefold()
    if len(channel) > 2 and channel in (source.source.casefold(), source.title.rpartition(" - ")[2].casefold()):
        return True
    if _is_older(source, video):
        return False
    title, wanted = source.title.casefold(), video.title.casefold()
    telling = min(len(wanted), len(title)) >= MIN_TITLE_CHARS and not video.title_is_file_name
    return telling and (fuzz.ratio(title, wanted) >= SAME_TITLE or wanted in title)


def _retells(own: frozenset[int], said: frozenset[int]) -> bool:
    """Tell whether a page prints what is said in the video."""
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


@lru_cache(maxsize=4)
def _runs_in_video(video: VideoContext) -> frozenset[int]:
    """Return the runs of words in all that a video says; kept, for the claims of one video are checked one after another."""
    return _runs(" ".join((video.title, video.description, *(segment.text for segment in video.transcript))), MAX_WORDS * 20)


def _runs(text: str, most: int) -> frozenset[int]:
    words = [match.group().casefold() for match in _WORD.finditer(text)][:most]
    return frozenset(hash(tuple(words[at : at + SHINGLE])) for at in range(len(words) - SHINGLE + 1))


def _is_older(source: SearchResult, video: VideoContext) -> bool:
    """Tell whether a page was published on a day before the video's, where both are known."""
    if source.publish_date is None or video.published_at is None:
        return False
    return day_in_korea(source.publish_date) < day_in_korea(video.published_at)


class _Stories:
    """Puts places into groups that tell one story."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def root(self, place: int) -> int:
        while self._parents[place] != place:
            self._parents[place] = self._parents[self._parents[place]]
            place = self._parents[place]
        return place

    def join(self, one: int, other: int) -> None:
        left, right = sorted((self.root(one), self.root(other)))
        self._parents[right] = left
