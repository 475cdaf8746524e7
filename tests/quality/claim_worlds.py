"""Three videos with labelled claims and the pages that a search for them finds: a world that nothing was made on.

``claim_world.jsonl`` was written for this project by somebody who had looked neither at the judge nor at what it makes of this:
a regional news programme as a speech recogniser gives it (without punctuation, segments cut where time is up), a lecture and a
talk show as captions. All is invented, or general knowledge. Rows are of three kinds:

* ``video``: ``transcript`` as it was given, and each of its ``sentences``, with ``worth``: true for a statement of fact that is
  worth a check, false for others, null where either is right;
* ``page``: an article, a release, a paragraph of an encyclopedia or a blog post;
* ``claim``: what was ``said`` and when, the ``claim`` as it is understood in its video, the ``verdict`` that the pages of its
  search come to, and for each of these pages what it ``says`` and the sentence it rests on (``quote``). ``must_not_decide`` marks
  look-alikes: another town, lake, person, year, month or generation; ``quote`` is then the sentence that tempts.

A page that a claim does not name is beside its point, or says no more than one that it names. The third video is kept aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Self
from urllib.parse import urlsplit

from search_core.domain.video import TranscriptSegment, VideoContext
from tests.quality.sets import read_day, read_rows

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """A sentence of a video, and whether it is worth a check; None where either is right."""

    start_s: float
    end_s: float
    text: str
    worth: bool | None


@dataclass(frozen=True, slots=True)
class LabelledVideo:
    """A video and what in it is worth a check."""

    name: str
    kept_aside: bool
    context: VideoContext
    sentences: tuple[SpokenSentence, ...]

    @classmethod
    def of(cls, row: Row) -> Self:
        """Return the video of *row*."""
        context = VideoContext(
            title=row["title"],
            channel=row["channel"],
            published_at=read_day(row["date"]),
            transcript=tuple(TranscriptSegment(float(start), float(end), text) for start, end, text in row["transcript"]),
        )
        told = (SpokenSentence(each["start_s"], each["end_s"], each["text"], each["worth"]) for each in row["sentences"])
        return cls(row["id"], row["aside"], context, tuple(told))


def labelled_videos() -> list[LabelledVideo]:
    """Return the three videos."""
    return [LabelledVideo.of(row) for row in _rows("video").values()]


def claim_worlds() -> list[dict[str, Any]]:
    """Return the claims with their pages, as rows of ``worlds.jsonl`` are; the side of what is kept aside is held."""
    videos, pages = _rows("video"), _rows("page")
    return [
        {
            **claim,
            "side": "held" if videos[claim["video"]]["aside"] else "tuned",
            "languages": "ko-ko",
            "title": videos[claim["video"]]["title"],
            "date": videos[claim["video"]]["date"],
            "pages": [{**pages[found["page"]], "host": _host(pages[found["page"]]), **found} for found in claim["pages"]],
        }
        for claim in _rows("claim").values()
    ]


def pages_of(video: str) -> list[Row]:
    """Return all pages about what is said in *video*, for a search among them."""
    return [page for page in _rows("page").values() if page["video"] == video]


def _host(page: Row) -> str:
    return urlsplit(page["url"]).netloc


@cache
def _rows(record: str) -> dict[str, Row]:
    return {row["id"]: row for row in read_rows("claim_world") if row["record"] == record}
