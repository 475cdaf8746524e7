"""The claims that were found in videos, so that a list is worked out once and its handles hold."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

from search_core.domain import FoundClaims, VideoContext
from search_core.storage.cache_file import CacheFile
from search_core.storage.json_codec import JsonCodec
from search_core.storage.stored_videos import MAX_AGE_S
from search_core.text.json_slices import read_json, write_json

logger = logging.getLogger(__name__)

MAX_BYTES = 64 << 20
"""On disk: the lists of some hundred long videos, oldest out first."""
_MAX_LIST_BYTES = 4 << 20
_FOUND = JsonCodec(FoundClaims)


class FoundClaimsCache:
    """Keeps lists of claims by what finds them and by what a video says; what cannot be read or written counts as not kept."""

    def __init__(self, folder: Path) -> None:
        """Take a folder; nothing is opened yet."""
        self._file = CacheFile(folder / "claims.sqlite", MAX_BYTES)

    def get(self, video: VideoContext, found_by: str) -> FoundClaims | None:
        """Return the claims that were found in a video of these words, or None."""
        key = _key(video, found_by)
        kept = (self._file.get([key], _MAX_LIST_BYTES) or {}).get(key)
        if kept is None:
            return None
        try:
            found, whole = _FOUND.read(read_json(kept.decode()))
        except (ValueError, RecursionError) as error:
            logger.warning("Kept claims cannot be read: %s", type(error).__name__)
            return None
        return found if whole else None

    def put(self, video: VideoContext, found_by: str, found: FoundClaims) -> None:
        """Keep the claims found in a video, for as long as an opened video is kept."""
        self._file.put({_key(video, found_by): write_json(_FOUND.write(found)).encode()}, MAX_AGE_S)

    def close(self) -> None:
        """Close the file; it opens again when it is used."""
        self._file.close()


def _key(video: VideoContext, found_by: str) -> bytes:
    """Return a key that differs where anything does that decides which claims are found, and how they are worded."""
    digest = hashlib.sha256(f"{found_by}\0{video.title}\0{video.channel}\0{video.published_at}".encode("utf-8", "replace"))
    for segment in video.transcript:
        digest.update(f"\0{segment.start_s} {segment.end_s} {segment.text}".encode("utf-8", "replace"))
    return digest.digest()
