"""All that is stored, on disk, in Redis or in the database: answers, vectors, events, conversations.

``ConversationStore`` is imported from its own module when the first chat begins: it brings SQLAlchemy, which takes 0.2 s.
"""

from search_core.storage.cache_file import FoundClaimsCache, VectorCache, VideoStore
from search_core.storage.database import Database
from search_core.storage.event_log import RedisEventLog, SqliteEventLog
from search_core.storage.redis_connection import RedisConnection
from search_core.storage.reply_cache import DiskReplyCache, RedisReplyCache
