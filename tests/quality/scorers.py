"""The scorers that quality is measured of: Kiwi alone always, the model that ships where it loads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from search_core.relevance import Embedder, EmbedderHost
from search_core.settings import Settings
from tests.quality.intent_quality import DEVELOPMENT

KIWI = "kiwi"
SHIPPED = str(Settings.model_fields["embedding_model"].default)
SCORERS = (KIWI, SHIPPED)
LOAD_S = 120


def reads_development(model: str, *, everything: bool) -> bool:
    """Tell whether *model* is measured on the development data, where there are any: Kiwi always, others if *everything* is.

    The model that ships embeds some sixteen thousand texts there, which takes minutes.
    """
    return (DEVELOPMENT / "loaders.py").exists() and (everything or model == KIWI)


@contextmanager
def scorer(model: str) -> Iterator[Embedder | None]:
    """Give the embedder of *model*, ready; None where it is not on this machine, which is said."""
    host = EmbedderHost(model=model)
    host.start()
    try:
        embedder = host.wait(LOAD_S)
        if model != KIWI and host.state().state != "ready":
            print(f"{model} is not measured: {host.state().detail}")
            yield None
        else:
            yield embedder
    finally:
        host.close()
