"""Stored searches with the labels of their results, each for its owner."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from search_core.domain.report import HASHED, Label, SearchReport, StoredSearch, result_key
from search_core.domain.result import SearchResult
from search_core.domain.video import video_key
from search_core.storage.database import Database
from search_core.storage.json_codec import JsonCodec
from search_core.storage.tables import SEARCH_LABELS, SEARCHES

logger = logging.getLogger(__name__)

DAYS = 90
"""Days after which a search without labels is deleted."""
MOST = 10_000
"""Searches kept for one owner; beyond that the oldest are deleted."""
_REPORT = JsonCodec(SearchReport)
_LABELS = tuple(label.value for label in Label)
_READ = (SEARCHES.c.id, SEARCHES.c.video_key, SEARCHES.c.body)
_LABELLED = select(SEARCH_LABELS.c.search)


@dataclass(frozen=True, slots=True)
class StoredSearches:
    """Stores searches; thread- and process-safe. Every method raises StorageError if the database fails.

    A search without labels is deleted after `DAYS`. If an owner has more than *most*, unlabelled ones are deleted first, oldest
    first.
    """

    database: Database
    keeps: bool = True
    most: int = MOST
    storable: Callable[[str], bool] = lambda _: True
    """Returns whether the results of a service may be stored."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def keep(self, search_id: str, owner: str, report: SearchReport) -> None:
        """Store *report* under *search_id*, replacing *owner*'s earlier one; its labels stay."""
        if not self.keeps:
            return
        video = report.question.video
        values = {
            "video_key": video_key(video) if video else "",
            "video_title": video.title if video else "",
            "query": report.question.text,
            "body": _REPORT.write(_storable_part(report, self.storable)),
        }
        owned = (SEARCHES.c.id == search_id, SEARCHES.c.owner == owner)
        with self.database.writing() as connection:
            if connection.execute(update(SEARCHES).where(*owned).values(**values)).rowcount == 0:
                row = {"id": search_id, "owner": owner, "created_at": report.created_at or self.now(), **values}
                connection.execute(insert(SEARCHES).values(**row))
                self._make_room(connection, owner)

    def load(self, search_id: str, owner: str) -> StoredSearch | None:
        """Return *owner*'s search with this id, or None if missing or unreadable."""
        query = select(*_READ).where(SEARCHES.c.id == search_id, SEARCHES.c.owner == owner)
        return next(iter(self._read(query)), None)

    def labelled(self, owner: str | None = None, *, most: int) -> tuple[StoredSearch, ...]:
        """Return the newest *most* searches of *owner*, or of everybody, with a labelled result."""
        query = select(*_READ).where(SEARCHES.c.id.in_(_LABELLED), ~SEARCHES.c.sample)
        if owner is not None:
            query = query.where(SEARCHES.c.owner == owner)
        return self._read(query.order_by(SEARCHES.c.created_at.desc(), SEARCHES.c.id).limit(most))

    def _read(self, query: Select[Any]) -> tuple[StoredSearch, ...]:
        """Return the readable searches of these rows, with their labels."""
        labels: dict[str, dict[str, Label]] = {}
        with self.database.reading() as connection:
            rows = connection.execute(query).all()
            labelled = SEARCH_LABELS.c.label.in_(_LABELS)
            for row in connection.execute(
                select(SEARCH_LABELS).where(labelled, SEARCH_LABELS.c.search.in_([row.id for row in rows]))
            ):
                labels.setdefault(row.search, {})[row.result] = Label(row.label)
        searches = []
        for row in rows:
            try:
                report, _ = _REPORT.read(row.body)
            except ValueError as error:
                logger.warning("A kept search cannot be read: %s", type(error).__name__)
                continue
            searches.append(StoredSearch(id=row.id, video_key=row.video_key, report=report, labels=labels.get(row.id, {})))
        return tuple(searches)

    def label(self, search_id: str, owner: str, address: str, label: Label | None) -> bool:
        """Store *owner*'s label of the result at *address*, None to remove it; False if there is no such search."""
        which = (SEARCH_LABELS.c.search == search_id, SEARCH_LABELS.c.result == result_key(address))
        with self.database.writing() as connection:
            query = select(SEARCHES.c.id).where(SEARCHES.c.id == search_id, SEARCHES.c.owner == owner).with_for_update()
            if connection.execute(query).first() is None:
                return False
            connection.execute(delete(SEARCH_LABELS).where(*which))
            if label is not None:
                row = {"search": search_id, "result": result_key(address), "label": label.value}
                connection.execute(insert(SEARCH_LABELS).values(**row, labelled_by=owner, labelled_at=self.now()))
            return True

    def labels(self, search_id: str, owner: str) -> Mapping[str, Label]:
        """Return the labels of *owner*'s search by `result_key`; none if there is no such search."""
        query = (
            select(SEARCH_LABELS.c.result, SEARCH_LABELS.c.label)
            .join(SEARCHES, SEARCHES.c.id == SEARCH_LABELS.c.search)
            .where(SEARCHES.c.id == search_id, SEARCHES.c.owner == owner, SEARCH_LABELS.c.label.in_(_LABELS))
        )
        with self.database.reading() as connection:
            return {row.result: Label(row.label) for row in connection.execute(query)}

    def delete(self, search_id: str, owner: str) -> None:
        """Delete this search of *owner* with its labels."""
        with self.database.writing() as connection:
            connection.execute(delete(SEARCHES).where(SEARCHES.c.id == search_id, SEARCHES.c.owner == owner))

    def _make_room(self, connection: Connection, owner: str) -> None:
        unlabelled = SEARCHES.c.id.not_in(_LABELLED)
        old = SEARCHES.c.created_at < self.now() - timedelta(days=DAYS)
        connection.execute(delete(SEARCHES).where(old, unlabelled))
        owned = SEARCHES.c.owner == owner
        over = connection.execute(select(func.count()).where(owned)).scalar_one() - self.most
        if over > 0:
            first_to_go = select(SEARCHES.c.id).where(owned).order_by(SEARCHES.c.id.in_(_LABELLED), SEARCHES.c.created_at)
            surplus = [row.id for row in connection.execute(first_to_go.limit(over))]
            connection.execute(delete(SEARCHES).where(SEARCHES.c.id.in_(surplus)))


def _storable_part(report: SearchReport, storable: Callable[[str], bool]) -> SearchReport:
    """Return *report* without its video, and without texts of results that a service forbids to store."""

    def keep(result: SearchResult) -> SearchResult:
        if all(map(storable, result.providers)):
            return result
        return replace(
            result, title="", url=HASHED + result_key(result.url), snippet="", source="", summary="", summary_origin=""
        )

    def count(results: tuple[SearchResult, ...]) -> tuple[SearchResult, ...]:
        """Return as many empty results, because the report has the results already and only their number is needed."""
        return tuple(SearchResult(title="", url="", snippet="", source="") for _ in results)

    return replace(
        report,
        question=replace(report.question, video=None),
        replies=tuple(replace(reply, results=count(reply.results)) for reply in report.replies),
        results=tuple(map(keep, report.results)),
        hidden=tuple(map(keep, report.hidden)),
    )
