"""Vectors of texts and judgements of entailment: the model that ships, another one, or Kiwi's words."""

from search_core.embedding.answering import Placed
from search_core.embedding.embedder import TRAINED, BackgroundEmbedder, Embedder, KiwiEmbedder, TextKind, Vectors
from search_core.embedding.host import EmbedderHost
from search_core.embedding.sentence_ends import SentenceEnds
