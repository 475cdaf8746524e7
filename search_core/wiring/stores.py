"""What is kept of searches, where the settings want it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from search_core.health import EventStore
from search_core.settings import Settings
from search_core.storage import REDIS_EVENTS, DiskReplyCache, RedisConnection, RedisEventLog, RedisReplyCache, SqliteEventLog

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """Holds what is kept of searches: on disk, or in Redis when there is one."""

    replies: DiskReplyCache | RedisReplyCache | None
    """None when the settings turn the cache off."""
    events: EventStore
    """Closed by the recorder that writes them."""
    events_kept: int | None
    """How many events there can be; None when it is the time that bounds them."""

    def close(self) -> None:
        """Close the kept answers."""
        if self.replies is not None:
            self.replies.close()


def make_private(folder: Path) -> None:
    """Make the data folder, for its owner only: it holds what people have asked."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        logger.error(
            "MAEKRAK_DATA_DIR %s cannot be made (%s); nothing is kept and the library is empty", folder, type(error).__name__
        )


def build_stores(settings: Settings) -> Stores:
    """Return what *settings* want kept, and where."""
    folder, keeps_replies = settings.maekrak_data_dir, settings.web_search_cache_ttl > 0
    if settings.redis_url.get_secret_value():
        redis = RedisConnection(settings.redis_url)
        return Stores(
            replies=RedisReplyCache(redis) if keeps_replies else None,
            events=RedisEventLog(redis),
            events_kept=REDIS_EVENTS,
        )
    replies = DiskReplyCache(folder / "replies") if keeps_replies else None
    return Stores(replies=replies, events=SqliteEventLog(folder / "events.sqlite"), events_kept=None)
