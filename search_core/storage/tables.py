"""The tables of the database, the same in SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    JSON,
    REAL,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from search_core.storage.json_codec import storable_text

VERSION = 1


class _Words(TypeDecorator[str]):
    """Text for storage and queries, in which characters that no database accepts are replaced."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        return None if value is None else storable_text(value)


class UtcDateTime(TypeDecorator[datetime]):
    """A time with its zone; SQLite stores it as UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time as it is stored."""
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Return the time that is stored."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)  # type: ignore[no-any-return]


_KEPT = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")

METADATA = MetaData()

SCHEMA = Table("maekrak_schema", METADATA, Column("version", Integer, primary_key=True, autoincrement=False))

VIDEOS = Table(
    "videos",
    METADATA,
    Column("id", Text, primary_key=True),  # digest of owner and body: an edited video is another row
    Column("owner", _Words, nullable=False),
    Column("key", Text, nullable=False),
    Column("video_id", _Words, nullable=False),
    Column("title", _Words, nullable=False),
    Column("body", _KEPT, nullable=False),
    Index("videos_by_owner", "owner", "video_id"),
)

CONVERSATIONS = Table(
    "conversations",
    METADATA,
    Column("id", _Words, primary_key=True),
    Column("owner", _Words, nullable=False),
    Column("title", _Words, nullable=False),
    Column("video", ForeignKey(VIDEOS.c.id), index=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Index("conversations_by_owner", "owner", "updated_at"),
)

MESSAGES = Table(
    "messages",
    METADATA,
    Column("conversation", _Words, ForeignKey(CONVERSATIONS.c.id, ondelete="CASCADE"), primary_key=True),
    Column("id", _Words, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("text", _Words, nullable=False),
    Column("spoken", Boolean, nullable=False, default=False),  # of versions in which questions were asked aloud
    Column("about", _Words, nullable=False),
    Column("record", _KEPT),  # of an answer; of a question the moment at which it was asked, if any
    Column("created_at", UtcDateTime, nullable=False),
    Column("alive_at", UtcDateTime, nullable=False),
    UniqueConstraint("conversation", "place"),
    Index("messages_by_state", "state", "alive_at"),
)


class RunTables(NamedTuple):
    """The tables of one kind of run; those of all kinds share the columns of a run."""

    runs: Table
    findings: Table
    commands: Table


def _run_tables(kind: str, *columns: Column[Any]) -> RunTables:
    """Return the tables of the runs of *kind*, with its own *columns*."""
    runs = Table(
        f"{kind}_runs",
        METADATA,
        Column("id", _Words, primary_key=True),
        Column("owner", _Words, nullable=False),
        Column("video_key", Text, nullable=False),
        *columns,
        Column("status", Text, nullable=False),
        Column("request", _KEPT, nullable=False),
        Column("record", _KEPT),  # the whole run once it has ended, or waits with its plan
        Column("legs", _KEPT, nullable=False),  # the workflows that make it, in order
        Column("begun", Integer, nullable=False),  # how many of them have begun
        Column("created_at", UtcDateTime, nullable=False),
        Column("ended_at", UtcDateTime),
        Index(f"{kind}_runs_by_owner", "owner", "created_at"),
    )
    findings = Table(
        f"{kind}_findings",
        METADATA,
        Column("run", _Words, ForeignKey(runs.c.id, ondelete="CASCADE"), primary_key=True),
        Column("key", _Words, primary_key=True),
        Column("body", _KEPT, nullable=False),
    )
    commands = Table(
        f"{kind}_commands",
        METADATA,
        Column("run", _Words, ForeignKey(runs.c.id, ondelete="CASCADE"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("name", Text, nullable=False),
        Column("body", _KEPT, nullable=False, default={}),  # always empty; the tables of earlier versions need a value
    )
    return RunTables(runs, findings, commands)


RESEARCH_TABLES = _run_tables(
    "research",
    Column("conversation", _Words, nullable=False),  # empty outside of one; it may be deleted, the run stays
    Column("question", _Words, nullable=False),
)
CLAIMS_TABLES = _run_tables(
    "claims",
    Column("title", _Words, nullable=False),  # of the video
    Column("claims", Integer, nullable=False),  # how many are checked
    Column("continues", _Words, nullable=False, default=""),  # always empty; the tables of earlier versions need a value
)
RESEARCH_RUNS, CLAIMS_RUNS = RESEARCH_TABLES.runs, CLAIMS_TABLES.runs

RESEARCH_PROCESSES = Table(
    "research_processes",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("machine", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("beat_at", UtcDateTime, nullable=False),
)

SEARCHES = Table(
    "searches",
    METADATA,
    Column("id", _Words, primary_key=True),
    Column("owner", _Words, nullable=False),
    Column("video_key", Text, nullable=False),  # empty without a video
    Column("video_title", _Words, nullable=False),
    Column("query", _Words, nullable=False),
    Column("sample", Boolean, nullable=False, default=False),  # one of the labelled examples that 0.4.0 could load
    Column("body", _KEPT, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Index("searches_by_owner", "owner", "created_at"),
)

SEARCH_LABELS = Table(
    "search_labels",
    METADATA,
    Column("search", _Words, ForeignKey(SEARCHES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("result", Text, primary_key=True),  # digest of the address
    Column("label", Text, nullable=False),
    Column("labelled_by", _Words, nullable=False),
    Column("labelled_at", UtcDateTime, nullable=False),
)


def _library_tables(prefix: str, *of_sections: Column[Any]) -> MetaData:
    """Return the tables of a library with names after *prefix* and further section columns."""
    tables = MetaData()

    def row_id() -> Column[int]:
        return Column("id", BigInteger().with_variant(Integer, "sqlite"), Identity(), primary_key=True)

    def refers(name: str, table: Table, *, nullable: bool = False) -> Column[int]:
        return Column(name, ForeignKey(table.c.id, ondelete="CASCADE"), nullable=nullable, index=True)

    files = Table(
        f"{prefix}files",
        tables,
        row_id(),
        Column("collection", Text, nullable=False),
        Column("path", Text, nullable=False),
        Column("mtime_ns", BigInteger, nullable=False),
        Column("size", BigInteger, nullable=False),
        UniqueConstraint("collection", "path"),
    )
    documents = Table(
        f"{prefix}documents",
        tables,
        row_id(),
        refers("file_id", files, nullable=True),
        Column("collection", Text, nullable=False),
        Column("url", Text, nullable=False, index=True),
        *(Column(name, Text, nullable=False) for name in ("title", "text", "source")),
        Column("published", Text),
        Column("language", Text, nullable=False),
        Column("path", Text),
        Column("digest", LargeBinary, nullable=False),
    )
    sections = Table(
        f"{prefix}sections",
        tables,
        row_id(),
        refers("document_id", documents),
        Column("passages", Text().with_variant(JSONB, "postgresql"), nullable=False),
        *of_sections,
    )
    models = Table(
        f"{prefix}models",
        tables,
        row_id(),
        *(Column(name, Text, nullable=False) for name in ("name", "stamp", "used")),  # the last two are empty now
        Column("probe", LargeBinary, nullable=False),  # the version of its files; of 0.4.0, vectors of a few texts
        sqlite_autoincrement=True,
    )
    Table(
        f"{prefix}vectors",
        tables,
        row_id(),
        refers("model_id", models),
        refers("section_id", sections),
        Column("packed", LargeBinary, nullable=False),
        UniqueConstraint("section_id", "model_id"),
        sqlite_autoincrement=True,
    )
    return tables


FILE_LIBRARY = _library_tables("")
SHARED_LIBRARY = _library_tables(
    "library_",
    Column("words", ARRAY(Text), nullable=False),  # each once
    Column("weights", ARRAY(REAL), nullable=False),  # of each, by how often it is there, and where
    Column("length", Integer, nullable=False),
)
Index("library_sections_by_word", SHARED_LIBRARY.tables["library_sections"].c.words, postgresql_using="gin")
