"""Vectors of texts and judgements of entailment: the model that ships, another one, or Kiwi's words."""

from search_core.embedding.answering import AnsweringModel, Placed
from search_core.embedding.cached_embedder import VectorStore
from search_core.embedding.embedder import TRAINED, BackgroundEmbedder, Embedder, KiwiEmbedder, ScorerLimits, TextKind, Vectors
from search_core.embedding.entailment import Entailment, EntailmentModel
from search_core.embedding.host import EmbedderHost
from search_core.embedding.sentence_ends import SentenceEnds
