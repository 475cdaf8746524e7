"""Vectors of texts and entailment: by the shipped model, another one, or Kiwi's words."""

from search_core.language.vectors import TRAINED, Embedder, TextKind, Vectors
from search_core.models.embedding.embedder import BackgroundEmbedder, KiwiEmbedder
from search_core.models.embedding.host import EmbedderHost
from search_core.models.embedding.model_embedder import Placed
