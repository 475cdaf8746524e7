"""What is kept on disk: answers, vectors, the library, search events."""

from search_core.storage.event_log import SqliteEventLog
from search_core.storage.library import LibraryIndex
from search_core.storage.library_filling import index_paths
from search_core.storage.outcome import IndexOutcome
from search_core.storage.reply_cache import DiskReplyCache
from search_core.storage.vector_cache import VectorCache

__all__ = ["DiskReplyCache", "IndexOutcome", "LibraryIndex", "SqliteEventLog", "VectorCache", "index_paths"]
