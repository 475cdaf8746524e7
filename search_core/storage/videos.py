"""Opened videos and the claims found in them, each in a cache file of its own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import orjson

from search_core.domain.claim import FoundClaims
from search_core.domain.video import VideoContext, video_key
from search_core.storage.cache_file import CacheFile
from search_core.storage.json_codec import JsonCodec, json_text

MAX_CLAIMS_BYTES = 64 << 20
"""Bytes on disk for the claims of some hundred long videos; the oldest are deleted first."""
_MAX_LIST_BYTES = 4 << 20
MAX_VIDEOS_BYTES = 256 << 20
"""Bytes on disk for some thousand videos of an hour; those opened longest ago are deleted first."""
_MAX_VIDEO_BYTES = 16 << 20
MAX_AGE_S = 90 * 86_400.0
RECENT = 5
_VIDEO = JsonCodec(VideoContext)
_FOUND = JsonCodec(FoundClaims)


class FoundClaimsCache(CacheFile):
    """Stores lists of claims by finder and content of a video; unreadable or unwritable ones count as missing."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "claims.sqlite", MAX_CLAIMS_BYTES)

    def get(self, video: VideoContext, found_by: str) -> FoundClaims | None:
        """Return the claims that the finder *found_by* found in *video*, or None."""
        key = _claims_key(video, found_by)
        record = self.read_json(key, _MAX_LIST_BYTES)
        if record is None:
            return None
        claims, whole = _FOUND.read(record)
        return claims if whole else None

    def put(self, video: VideoContext, found_by: str, claims: FoundClaims) -> None:
        """Store the claims that the finder *found_by* found in *video*, as long as opened videos."""
        self.write({_claims_key(video, found_by): json_text(_FOUND.write(claims)).encode()}, MAX_AGE_S)


def _claims_key(video: VideoContext, found_by: str) -> bytes:
    """Return a key over everything that decides which claims are found and how they are worded."""
    digest = hashlib.sha256(f"{found_by}\0{video.title}\0{video.channel}\0{video.published_at}".encode("utf-8", "replace"))
    for segment in video.transcript:
        digest.update(f"\0{segment.start_s} {segment.end_s} {segment.text}".encode("utf-8", "replace"))
    return digest.digest()


@dataclass(frozen=True, slots=True)
class StoredVideo:
    """An opened video, as listed."""

    key: str
    title: str


class VideoStore(CacheFile):
    """Stores opened videos, so that addresses lead back to them and recent ones can be offered."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "videos.sqlite", MAX_VIDEOS_BYTES)

    def keep(self, video: VideoContext, owner: str) -> str:
        """Store *video* as *owner*'s latest and return its key; empty if that fails."""
        key = video_key(video)
        older = [[video.key, video.title] for video in self.recent(owner) if video.key != key]
        listed = orjson.dumps([[key, video.title], *older][:RECENT])
        records = {_video_key(owner, key): json_text(_VIDEO.write(video)).encode(), _video_key(owner): listed}
        return key if self.write(records, MAX_AGE_S) else ""

    def open(self, key: str, owner: str) -> VideoContext | None:
        """Return *owner*'s video stored under *key*, or None."""
        record = self.read_json(_video_key(owner, key), _MAX_VIDEO_BYTES)
        return None if record is None else _VIDEO.read(record)[0]

    def recent(self, owner: str) -> tuple[StoredVideo, ...]:
        """Return *owner*'s recently opened videos, newest first."""
        return tuple(StoredVideo(*entry) for entry in self.read_json(_video_key(owner), _MAX_VIDEO_BYTES) or ())


def _video_key(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).digest()
