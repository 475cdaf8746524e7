"""The tables of a library in PostgreSQL."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, REAL

LIBRARY = MetaData()

FILES = Table(
    "library_files",
    LIBRARY,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("collection", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("mtime_ns", BigInteger, nullable=False),
    Column("size", BigInteger, nullable=False),
    UniqueConstraint("collection", "path"),
)

DOCUMENTS = Table(
    "library_documents",
    LIBRARY,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("file_id", ForeignKey(FILES.c.id, ondelete="CASCADE"), index=True),
    Column("collection", Text, nullable=False),
    Column("url", Text, nullable=False, index=True),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("published", Text),
    Column("language", Text, nullable=False),
    Column("path", Text),
    Column("digest", LargeBinary, nullable=False),
)

SECTIONS = Table(
    "library_sections",
    LIBRARY,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("document_id", ForeignKey(DOCUMENTS.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("passages", JSONB, nullable=False),
    Column("words", ARRAY(Text), nullable=False),  # each once; ``weights`` tells how often, and where
    Column("weights", ARRAY(REAL), nullable=False),
    Column("length", Integer, nullable=False),
    Index("library_sections_by_word", "words", postgresql_using="gin"),
)
