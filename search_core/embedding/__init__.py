"""Vectors of texts and entailment: by the shipped model, another one, or Kiwi's words."""

from search_core.embedding.embedder import BackgroundEmbedder, KiwiEmbedder
from search_core.embedding.host import EmbedderHost
from search_core.embedding.sentence_models import Placed, SentenceEnds
from search_core.text.vectors import TRAINED, Embedder, TextKind, Vectors
