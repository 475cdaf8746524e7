"""Three videos with labelled claims and the pages that a search for them finds: a world that nothing was made on.

``claim_world.jsonl`` was written for this project by somebody who had looked neither at the judge nor at what it makes of this:
a regional news programme as a speech recogniser gives it (without punctuation, segments cut where time is up), a lecture and a
talk show as captions. All is invented, or general knowledge. Rows are of three kinds:

* ``video``: ``transcript`` as it was given;
* ``page``: an article, a release, a paragraph of an encyclopedia or a blog post;
* ``claim``: what was ``said`` and when, the ``claim`` as it is understood in its video, the ``verdict`` that the pages of its
  search come to, and for each of these pages what it ``says`` and the sentence it rests on (``quote``). ``must_not_decide`` marks
  look-alikes: another town, lake, person, year, month or generation; ``quote`` is then the sentence that tempts.

A page that a claim does not name is beside its point, or says no more than one that it names. The third video is kept aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from search_core.domain.result import SearchResult
from search_core.domain.video import VideoContext
from tests.quality.sets import read_day, read_rows, segments_of

Row = Mapping[str, Any]


def labelled_videos() -> dict[str, VideoContext]:
    """Return the three videos by name."""
    return {
        name: VideoContext(
            title=row["title"],
            channel=row["channel"],
            published_at=read_day(row["date"]),
            transcript=segments_of(row["transcript"]),
        )
        for name, row in _rows("video").items()
    }


def claim_worlds(side: str) -> list[dict[str, Any]]:
    """Return the claims of a *side* (``tuned`` or ``held``) with their pages, in the form of ``worlds.jsonl``."""
    videos, pages = _rows("video"), _rows("page")
    return [
        {
            **claim,
            "title": videos[claim["video"]]["title"],
            "date": videos[claim["video"]]["date"],
            "pages": [{**pages[found["page"]], **found} for found in claim["pages"]],
        }
        for claim in _rows("claim").values()
        if videos[claim["video"]]["aside"] is (side == "held")
    ]


def pages_found(pages: Sequence[Row]) -> list[SearchResult]:
    """Return *pages* as a search finds them."""
    return [
        SearchResult(
            title=page.get("title", ""),
            url=f"https://{host}/{number}",
            snippet=page["text"],
            source=host,
            publish_date=read_day(page["date"]),
        )
        for number, page in enumerate(pages)
        for host in [page.get("host") or urlsplit(page["url"]).netloc]
    ]


@cache
def _rows(record: str) -> dict[str, Row]:
    return {row["id"]: row for row in read_rows("claim_world") if row["record"] == record}
