"""What is stored, on disk, in Redis or in the database: answers, vectors, the library, search events, conversations.

``ConversationStore`` is imported from its own module when the first chat begins: it brings SQLAlchemy, which takes 0.2 s.
"""

from search_core.storage.acknowledged_alerts import AcknowledgedAlerts
from search_core.storage.database import Database
from search_core.storage.event_log import SqliteEventLog
from search_core.storage.library import Library
from search_core.storage.library_filling import index_paths
from search_core.storage.library_meaning import LibraryMeaning, MeaningModel
from search_core.storage.outcome import IndexOutcome
from search_core.storage.postgresql_library import SharedLibraryIndex
from search_core.storage.redis_connection import RedisConnection
from search_core.storage.redis_event_log import MAX_EVENTS as REDIS_EVENTS
from search_core.storage.redis_event_log import RedisEventLog
from search_core.storage.redis_reply_cache import RedisReplyCache
from search_core.storage.reply_cache import DiskReplyCache
from search_core.storage.sqlite_library import LibraryIndex
from search_core.storage.stored_videos import StoredVideo, VideoStore
from search_core.storage.vector_cache import VectorCache

__all__ = [
    "REDIS_EVENTS",
    "AcknowledgedAlerts",
    "Database",
    "DiskReplyCache",
    "IndexOutcome",
    "Library",
    "LibraryIndex",
    "LibraryMeaning",
    "MeaningModel",
    "RedisConnection",
    "RedisEventLog",
    "RedisReplyCache",
    "SharedLibraryIndex",
    "SqliteEventLog",
    "StoredVideo",
    "VectorCache",
    "VideoStore",
    "index_paths",
]
