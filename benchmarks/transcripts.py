"""Two hours of speech through a loopback endpoint that really listens: moments, requests, time, memory, cancelling.

Tones stand for words. The endpoint decodes and hears in this process, on the same cores, so the wall time is an upper bound; what is
ours is told apart.
"""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psutil

from search_core.core import SearchCore
from search_core.domain.transcription import Transcription
from search_core.settings import Settings
from search_core.speech.service import TranscriptionService
from search_core.speech.source import SoundFile
from tests.loopback import tone_speech
from tests.loopback.language_model import Asked, LanguageModelServer
from tests.loopback.speech_endpoint import hearing, without_moments
from tests.loopback.tone_speech import Sentence
from tests.search_core.speech.media import write

SECONDS = 7200.0
EVERY_S = 8.0


def transcripts() -> None:
    """Print what two hours of speech in a film cost, and how far their moments are off."""
    said = tone_speech.sentences(SECONDS, every_s=EVERY_S)
    samples = tone_speech.speak(SECONDS, said)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        film = SoundFile(path=write(folder / "film.m4a", samples), name="film.m4a")
        del samples
        print(f"{len(said)} sentences in {SECONDS:.0f} s, {film.path.stat().st_size / 1e6:.0f} MB")
        for label, endpoint in (("verbose_json", hearing()), ("json only", without_moments(hearing()))):
            _measure(label, endpoint, film, folder / label, said)
        _measure_cancelling(hearing(), film, folder / "cancelled")


def _measure(label: str, endpoint: Callable[[Asked], object], film: SoundFile, folder: Path, said: list[Sentence]) -> None:
    listened_s = [0.0]

    def timed(asked: Asked) -> object:
        began = time.perf_counter()
        try:
            return endpoint(asked)
        finally:
            listened_s[0] += time.perf_counter() - began

    with LanguageModelServer(hear=timed) as server, closing(_core(server, folder)) as core:
        peak = _Peak()
        began = time.perf_counter()
        job = core.transcription.start(film)
        while not job.wait(0.2):
            peak.look()
        transcription, wall_s = job.result(), time.perf_counter() - began
        sent = sum(len(asked.files[0][1]) for asked in server.asked)
        largest = max(len(asked.files[0][1]) for asked in server.asked)
        began = time.perf_counter()
        core.transcription.start(film).result()
        again_s = time.perf_counter() - began
    print(f"{label}: {len(server.asked)} requests, {sent / 1e6:.1f} MB sent, the largest {largest / 1e6:.2f} MB")
    print(
        f"  wall {wall_s:.0f} s, of which the endpoint listened {listened_s[0]:.0f} s (some at once); kept, again {again_s:.2f} s"
    )
    print(f"  decoding process at most {peak.bytes / 1e6:.0f} MB; this one {_own_mb():.0f} MB with the endpoint in it")
    _print_moments(transcription, said)


def _print_moments(transcription: Transcription, said: list[Sentence]) -> None:
    texts, expected = [each.text for each in transcription.segments], [each.text for each in said]
    if texts != expected:
        print(f"  {len(texts)} segments for {len(expected)} sentences")
        return
    off = [abs(a.start_s - b.start_s) for a, b in zip(transcription.segments, said, strict=True)]
    print(f"  every sentence once; moments off by {statistics.median(off):.3f} s (median), {max(off):.3f} s (worst)")


def _measure_cancelling(endpoint: Callable[[Asked], object], film: SoundFile, folder: Path) -> None:
    """Print how long it takes from cancelling amid a request until nothing is left."""
    with LanguageModelServer(hear=endpoint) as server, closing(_core(server, folder)) as core:
        server.released.clear()
        service: TranscriptionService = core.transcription
        job = service.start(film)
        server.arrived.wait(60)
        began = time.perf_counter()
        job.cancel()
        job.wait(60)
        print(f"cancelled amid a request: nothing left after {1000 * (time.perf_counter() - began):.0f} ms")


def _core(server: LanguageModelServer, folder: Path) -> SearchCore:
    return SearchCore.from_settings(
        Settings(
            openai_base_url=server.url,
            openai_transcription_model="hears",
            maekrak_data_dir=folder,
            embedding_model="kiwi",
            library_samples=False,
            search_providers="library",
        )
    )


class _Peak:
    """Remembers the most memory that the decoding process had."""

    def __init__(self) -> None:
        self.bytes = 0

    def look(self) -> None:
        """Look at the processes that there are now."""
        for child in psutil.Process().children():
            try:
                if "sound_worker" in " ".join(child.cmdline()):
                    self.bytes = max(self.bytes, child.memory_info().rss)
            except psutil.Error:  # it has just ended
                continue


def _own_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
