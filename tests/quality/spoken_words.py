"""Transcripts of people as words without their signs, and behind which word a sentence ends.

Learnt from are transcripts of Changelog's podcasts (https://github.com/thechangelog/transcripts, CC BY-SA 4.0) and development
transcripts of videos; whole videos are kept aside to measure by and to choose the threshold by.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.korean import has_hangul
from search_core.video.sentences import plain_word, without_noise
from tests.quality import claim_videos

KEPT_ASIDE = (
    "2018/turbulence", "2020/ldm-trigonometry", "2024/attention", "2024/gpt", "en_2016_105", "en_2018_103", "en_2019_101",
    "20160414_9dem.tsv", "20170216_trump_press.tsv", "20190108_oval_office.tsv",
)  # fmt: skip
"""Videos to measure by."""
CHOSEN_BY = ("2021/shadows", "2023/some3", "en_2017_102", "20161010_2pres.tsv")
"""Videos the threshold is chosen by."""
UNKNOWN = -1
"""Of a word behind which three full stops stand: a pause, or an end."""
_END = re.compile(r"[.?!]+[\"”’'»)\]*_]*$")
_OPEN = re.compile(r"(?:\.{2,}|…|[-–—]+)[\"”’')\]*_?]*$")
_SHORT = re.compile(
    r"^\W*(?:[A-Z]|(?:[A-Za-z]\.)+[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|Sen|Gov|vs|Inc|Corp|Ltd|Jr|Sr|No|e\.g|i\.e|etc)\.\W*$"
)
_EDGES = re.compile(r"^[^\w$€£%#@+]+|[^\w%$€£#+]+$")
_SPEAKER = re.compile(r"^\*\*[^*\n]{1,80}:\*\*\s*", re.MULTILINE)
_MARKUP = re.compile(
    r"\\?\[[\d:.]+\\?\]|\*\\?\[[^\]]*\\?\]\*|\\?\[(?:laugh|unintel|crosstalk|music)[^\]]*\\?\]|`|\*+|(?<!\w)_+|_+(?!\w)|^#.*$|^>.*$|<[^<>\n]{0,200}>",
    re.MULTILINE | re.IGNORECASE,
)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_JOINED = re.compile(r"(?<=[a-z]{2})([.?!])(?=[A-Z][a-z])|\s*(?:--+|—|–)\s*|(?<=\w)\.{3,}(?=\w)|…(?=\w)")


@dataclass(frozen=True, slots=True)
class Word:
    """One word as it is written, without the signs at its edges."""

    text: str
    ends: int
    """1 where a sentence ends behind it, 0 where none does, or UNKNOWN."""
    opens: bool
    """True for the first word of a sentence."""


def without_signs(caption: TranscriptSegment) -> TranscriptSegment:
    """Return a *caption* as a machine writes English down: in small letters, without signs at the edges of words."""
    return replace(caption, text=" ".join(map(plain_word, without_noise(caption.text).split())))


def words_of(paragraphs: Iterable[str]) -> list[Word]:
    """Return the words of *paragraphs*; each paragraph ends a sentence."""
    found: list[Word] = []
    opens = True
    for paragraph in paragraphs:
        text_said = _JOINED.sub(lambda sign: f"{sign[1]} " if sign[1] else f"{sign[0].strip()} ", paragraph)
        start = len(found)
        for token in text_said.split():
            text = _EDGES.sub("", token)
            ends = UNKNOWN if _OPEN.search(token) else int(bool(_END.search(token)) and not _SHORT.match(token))
            if any(map(str.isalnum, text)):
                found.append(Word(text, ends, opens))
                opens = ends == 1
            elif found and ends and len(found) > start:
                found[-1] = Word(found[-1].text, ends, found[-1].opens)
                opens = ends == 1
        if len(found) > start and found[-1].ends == 0:
            found[-1] = Word(found[-1].text, 1, found[-1].opens)
        opens = True
    return found


def podcasts(folder: Path, most: int, chance: random.Random) -> Iterator[list[Word]]:
    """Yield the words of *most* episodes in *folder*, drawn by *chance*."""
    files = sorted(file for file in folder.glob("*/*.md") if file.parent.name != "bigtent")
    for file in chance.sample(files, min(most, len(files))):
        text = _LINK.sub(r"\1", _SPEAKER.sub("\n\n", file.read_text(encoding="utf-8", errors="replace")))
        yield words_of(_MARKUP.sub(" ", text).split("\n\n"))


@cache
def english_videos() -> dict[str, VideoContext]:
    """Return the English development transcripts by name."""
    return {
        name: video
        for name, video in claim_videos.videos().items()
        if video.transcript and not has_hangul(video.transcript[0].text)
    }


def video_words(name: str) -> list[Word]:
    """Return the words of a development transcript."""
    captions = [without_noise(cue.text) for cue in english_videos()[name].transcript]
    return words_of(captions) if name.endswith(".tsv") else words_of([" ".join(captions)])
