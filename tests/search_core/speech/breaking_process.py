"""A process that transcribes and stands still at a named point, to be killed there.

``python -m tests.search_core.speech.breaking_process SOUND FOLDER POINT``; an empty POINT lets it end. It tells
where it stands, and at the end how often its recogniser was asked and what came out.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from search_core.runtime import LoopThread
from search_core.speech.service import TranscriptionService
from search_core.speech.source import SoundFile
from search_core.speech.stored_transcripts import StoredTranscripts
from search_core.speech.transcriber import Transcriber
from search_core.speech.workspace import Workspaces

from .listener import Listener


def main(sound: str, folder: str, point: str) -> None:
    """Transcribe *sound* with everything kept in *folder*."""

    def stand_at(here: str) -> None:
        if here == point:
            print(json.dumps({"stands": here}), flush=True)
            while True:
                time.sleep(3600)

    async def checkpoint(here: str) -> None:
        await asyncio.to_thread(stand_at, here)

    async def fetch(video_id: str, into: Path) -> Path:
        raise AssertionError(f"nobody fetches {video_id} into {into}")

    loop, listener = LoopThread(), Listener(checkpoint=checkpoint)
    workspaces, kept = Workspaces(Path(folder) / "work"), StoredTranscripts(Path(folder) / "kept")
    transcribe = Transcriber(workspaces, kept, fetch, max_bytes=10**8, max_s=3600).transcribe
    service = TranscriptionService(loop, transcribe, (listener,), workspaces, max_bytes=10**8, max_s=3600, youtube=False)
    found = service.start(SoundFile(path=Path(sound), name="talk")).result()
    said = [[segment.start_s, segment.text] for segment in found.segments]
    print(json.dumps({"asked": listener.asked, "said": said}), flush=True)
    service.close()
    loop.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
