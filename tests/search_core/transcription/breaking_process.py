"""A process that transcribes and stands still at a named point, to be killed there.

``python -m tests.search_core.transcription.breaking_process SOUND FOLDER POINT``; an empty POINT lets it end. It tells
where it stands, and at the end how often its recogniser was asked and what came out.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from search_core.runtime import LoopThread
from search_core.transcription.service import TranscriptionService
from search_core.transcription.source import SoundFile
from search_core.transcription.stored_transcripts import StoredTranscripts
from search_core.transcription.transcriber import Limits, Transcriber
from search_core.transcription.workspace import Workspace, Workspaces

from .listener import Listener


def stand_at(point: str, here: str) -> None:
    """Stand still for ever where *here* is *point*."""
    if here == point:
        print(json.dumps({"stands": here}), flush=True)
        while True:
            time.sleep(3600)


class _Kept(StoredTranscripts):
    point = ""

    def whole(self, key):
        stand_at(self.point, "digest is known")
        return super().whole(key)

    def keep_piece(self, key, number, part, found):
        super().keep_piece(key, number, part, found)
        stand_at(self.point, f"kept {number + 1}")

    def keep_whole(self, key, transcription):
        stand_at(self.point, "all is heard")
        super().keep_whole(key, transcription)
        stand_at(self.point, "all is kept")


class _Workspaces(Workspaces):
    point = ""

    def open(self) -> Workspace:
        workspace = super().open()
        stand_at(self.point, "workspace is open")
        return workspace


def main(sound: str, folder: str, point: str) -> None:
    """Transcribe *sound* with everything kept in *folder*."""

    async def checkpoint(here: str) -> None:
        await asyncio.to_thread(stand_at, point, here)

    async def fetch(video_id: str, into: Path) -> Path:
        raise AssertionError(f"nobody fetches {video_id} into {into}")

    loop, listener = LoopThread(), Listener(checkpoint=checkpoint)
    workspaces, kept = _Workspaces(Path(folder) / "work"), _Kept(Path(folder) / "kept")
    workspaces.point = kept.point = point
    transcriber = Transcriber(workspaces, kept, Limits(max_bytes=10**8, max_s=3600), fetch)
    service = TranscriptionService(
        loop, transcriber.transcribe, (listener,), workspaces, max_bytes=10**8, max_s=3600, youtube=False
    )
    job = service.start(SoundFile(path=Path(sound), name="talk"))
    texts = [[segment.start_s, segment.text] for segment in job.result().segments]
    print(json.dumps({"asked": listener.asked, "kept": job.progress.pieces_kept, "said": texts}), flush=True)
    service.close()
    loop.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
