"""Searches that were made, with the labels of their results, sets of them that have a name, and profiles; each of its owner."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from search_core.domain import (
    Label,
    RankingOptions,
    SearchReport,
    SearchResult,
    StoredSearch,
    StoredSearchEntry,
    result_key,
    video_key,
)
from search_core.domain.report import HASHED
from search_core.domain.text_limits import PROFILE_NAME, SET_NAME
from search_core.errors import check_length
from search_core.storage.database import Database
from search_core.storage.json_codec import JsonCodec
from search_core.storage.tables import RANKING_PROFILES, SEARCH_LABELS, SEARCH_SETS, SEARCHES

logger = logging.getLogger(__name__)

LISTED = 200
"""How many searches a list shows at most."""
_REPORT = JsonCodec(SearchReport)
_LABELS = tuple(label.value for label in Label)
_RANKING = JsonCodec(RankingOptions)


class StoredSearches:
    """Keeps searches; safe to use from many threads and processes. Every method raises StorageError where the database fails.

    A search goes when it is older than the age that was set, unless a result of it is labelled, and when its owner has more than
    the number that was set: then unlabelled ones go first, oldest first.
    """

    def __init__(
        self,
        database: Database,
        *,
        keeps: bool = True,
        days: float,
        most: int,
        storable: Callable[[str], bool] = lambda _: True,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Take the database, whether, how long and how many searches are stored, and of which providers results may be stored."""
        self.keeps = keeps
        self._database, self._storable, self._now = database, storable, now
        self._age, self._most = timedelta(days=days), most

    def keep(self, search_id: str, owner: str, report: SearchReport, *, sample: bool = False) -> None:
        """Keep *report* under *search_id*, in place of what *owner* kept there before; its labels stay.

        Where searches are not stored, only samples are.
        """
        if not (self.keeps or sample):
            return
        video = report.question.video
        values = {
            "video_key": video_key(video) if video else "",
            "video_title": video.title if video else "",
            "query": report.question.text,
            "sample": sample,
            "body": _REPORT.write(_without_what_may_not_be_kept(report, self._storable)),
        }
        mine = (SEARCHES.c.id == search_id, SEARCHES.c.owner == owner)
        with self._database.writing() as connection:
            if connection.execute(update(SEARCHES).where(*mine).values(**values)).rowcount == 0:
                row = {"id": search_id, "owner": owner, "created_at": report.created_at or self._now(), **values}
                connection.execute(insert(SEARCHES).values(**row))
                self._make_room(connection, owner)

    def entries(
        self,
        owner: str,
        *,
        video: str | None = None,
        since: datetime | None = None,
        set_name: str | None = None,
        labelled: bool = False,
        most: int = LISTED,
    ) -> tuple[StoredSearchEntry, ...]:
        """Return at most *most* searches of *owner*, newest first: of the video of this key, of a time, of a set, or all.

        With *labelled* only those of which a result is labelled.
        """
        wanted = _entries().where(SEARCHES.c.owner == owner)
        if video is not None:
            wanted = wanted.where(SEARCHES.c.video_key == video)
        if since is not None:
            wanted = wanted.where(SEARCHES.c.created_at >= since)
        if set_name is not None:
            members = select(SEARCH_SETS.c.search).where(SEARCH_SETS.c.owner == owner, SEARCH_SETS.c.name == set_name)
            wanted = wanted.where(SEARCHES.c.id.in_(members))
        if labelled:
            wanted = wanted.where(SEARCHES.c.id.in_(select(SEARCH_LABELS.c.search)))
        with self._database.reading() as connection:
            rows = connection.execute(wanted.order_by(SEARCHES.c.created_at.desc(), SEARCHES.c.id).limit(most))
            return tuple(map(_entry, rows))

    def count(self, owner: str) -> int:
        """Return how many searches of *owner* are stored."""
        with self._database.reading() as connection:
            return connection.execute(select(func.count()).where(SEARCHES.c.owner == owner)).scalar_one()

    def load(self, search_ids: Collection[str], owner: str) -> tuple[StoredSearch, ...]:
        """Return those of these searches that *owner* has and that can be read, in the order asked for."""
        ids = tuple(search_ids)
        wanted = _entries().add_columns(SEARCHES.c.body).where(SEARCHES.c.owner == owner, SEARCHES.c.id.in_(ids))
        labels: dict[str, dict[str, Label]] = {}
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
            known = SEARCH_LABELS.c.label.in_(_LABELS)
            for row in connection.execute(
                select(SEARCH_LABELS).where(known, SEARCH_LABELS.c.search.in_([row.id for row in rows]))
            ):
                labels.setdefault(row.search, {})[row.result] = Label(row.label)
        found = {}
        for row in rows:
            try:
                report, _ = _REPORT.read(row.body)
            except ValueError as error:
                logger.warning("A kept search cannot be read: %s", type(error).__name__)
                continue
            found[row.id] = StoredSearch(entry=_entry(row), report=report, labels=labels.get(row.id, {}))
        return tuple(found[search_id] for search_id in ids if search_id in found)

    def label(self, search_id: str, owner: str, address: str, label: Label | None) -> bool:
        """Keep what *owner* says of the result at *address*; None takes it back. False where there is no such search."""
        which = (SEARCH_LABELS.c.search == search_id, SEARCH_LABELS.c.result == result_key(address))
        with self._database.writing() as connection:
            mine = select(SEARCHES.c.id).where(SEARCHES.c.id == search_id, SEARCHES.c.owner == owner).with_for_update()
            if connection.execute(mine).first() is None:
                return False
            connection.execute(delete(SEARCH_LABELS).where(*which))
            if label is not None:
                row = {"search": search_id, "result": result_key(address), "label": label.value}
                connection.execute(insert(SEARCH_LABELS).values(**row, labelled_by=owner, labelled_at=self._now()))
            return True

    def labels(self, search_id: str, owner: str) -> Mapping[str, Label]:
        """Return the labels of a search of *owner* by `result_key`; none where there is no such search."""
        wanted = (
            select(SEARCH_LABELS.c.result, SEARCH_LABELS.c.label)
            .join(SEARCHES, SEARCHES.c.id == SEARCH_LABELS.c.search)
            .where(SEARCHES.c.id == search_id, SEARCHES.c.owner == owner, SEARCH_LABELS.c.label.in_(_LABELS))
        )
        with self._database.reading() as connection:
            return {row.result: Label(row.label) for row in connection.execute(wanted)}

    def delete(self, search_ids: Collection[str], owner: str) -> int:
        """Forget these searches of *owner* with their labels and places in sets; return how many there were."""
        with self._database.writing() as connection:
            mine = (SEARCHES.c.id.in_(tuple(search_ids)), SEARCHES.c.owner == owner)
            return connection.execute(delete(SEARCHES).where(*mine)).rowcount

    def put_in_set(self, name: str, owner: str, search_ids: Collection[str]) -> None:
        """Make the set of this name hold these searches of *owner* and no others; without any it is gone.

        Raises TooLongError for too long a name.
        """
        check_length(SET_NAME, name)
        with self._database.writing() as connection:
            connection.execute(delete(SEARCH_SETS).where(SEARCH_SETS.c.owner == owner, SEARCH_SETS.c.name == name))
            mine = select(SEARCHES.c.id).where(SEARCHES.c.owner == owner, SEARCHES.c.id.in_(tuple(search_ids)))
            rows = [{"owner": owner, "name": name, "search": row.id} for row in connection.execute(mine).all()]
            if rows:
                connection.execute(insert(SEARCH_SETS), rows)

    def sets(self, owner: str) -> Mapping[str, int]:
        """Return the names of the sets of *owner*, in order of the alphabet, with how many searches they hold."""
        wanted = select(SEARCH_SETS.c.name, func.count().label("searches")).where(SEARCH_SETS.c.owner == owner)
        with self._database.reading() as connection:
            rows = connection.execute(wanted.group_by(SEARCH_SETS.c.name).order_by(SEARCH_SETS.c.name))
            return {row.name: row.searches for row in rows}

    def put_profile(self, name: str, owner: str, ranking: RankingOptions) -> None:
        """Keep *ranking* as the profile of this name, in place of one that has it; raises TooLongError."""
        check_length(PROFILE_NAME, name)
        with self._database.writing() as connection:
            connection.execute(_profiles_delete(name, owner))
            connection.execute(insert(RANKING_PROFILES).values(owner=owner, name=name, body=_RANKING.write(ranking)))

    def delete_profile(self, name: str, owner: str) -> None:
        """Forget the profile of this name."""
        with self._database.writing() as connection:
            connection.execute(_profiles_delete(name, owner))

    def profiles(self, owner: str) -> Mapping[str, RankingOptions]:
        """Return the profiles of *owner* by name, in order of the alphabet."""
        wanted = select(RANKING_PROFILES).where(RANKING_PROFILES.c.owner == owner).order_by(RANKING_PROFILES.c.name)
        with self._database.reading() as connection:
            return {row.name: _RANKING.read(row.body)[0] for row in connection.execute(wanted)}

    def _make_room(self, connection: Connection, owner: str) -> None:
        labelled = select(SEARCH_LABELS.c.search)
        unlabelled = SEARCHES.c.id.not_in(labelled)
        old = SEARCHES.c.created_at < self._now() - self._age
        connection.execute(delete(SEARCHES).where(old, unlabelled))
        mine = SEARCHES.c.owner == owner
        over = connection.execute(select(func.count()).where(mine)).scalar_one() - self._most
        if over > 0:
            first_to_go = select(SEARCHES.c.id).where(mine).order_by(SEARCHES.c.id.in_(labelled), SEARCHES.c.created_at)
            gone = [row.id for row in connection.execute(first_to_go.limit(over))]
            connection.execute(delete(SEARCHES).where(SEARCHES.c.id.in_(gone)))


def _without_what_may_not_be_kept(report: SearchReport, storable: Callable[[str], bool]) -> SearchReport:
    """Return *report* without its video, and without the texts of results that a service does not let anybody keep."""

    def keep(result: SearchResult) -> SearchResult:
        if all(map(storable, result.providers)):
            return result
        return replace(
            result, title="", url=HASHED + result_key(result.url), snippet="", source="", summary="", summary_origin=""
        )

    def count(results: tuple[SearchResult, ...]) -> tuple[SearchResult, ...]:
        """Replies hold what is in the results already: only its number is stored."""
        return tuple(SearchResult(title="", url="", snippet="", source="") for _ in results)

    return replace(
        report,
        question=replace(report.question, video=None),
        replies=tuple(replace(reply, results=count(reply.results)) for reply in report.replies),
        results=tuple(map(keep, report.results)),
        hidden=tuple(map(keep, report.hidden)),
    )


def _entries() -> Select[Any]:
    labels = select(func.count()).where(SEARCH_LABELS.c.search == SEARCHES.c.id).scalar_subquery()
    columns = [column for column in SEARCHES.c if column.name != "body"]
    return select(*columns, labels.label("labels"))


def _entry(row: Row[Any]) -> StoredSearchEntry:
    return StoredSearchEntry(**{field.name: getattr(row, field.name) for field in fields(StoredSearchEntry)})


def _profiles_delete(name: str, owner: str) -> Any:
    return delete(RANKING_PROFILES).where(RANKING_PROFILES.c.owner == owner, RANKING_PROFILES.c.name == name)
