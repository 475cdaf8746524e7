"""How relevant a result is to the question and the video, why, and in which order results are shown."""

from search_core.relevance.arrange import arrange, in_order
from search_core.relevance.cached_embedder import VectorStore
from search_core.relevance.calibration import directions_to
from search_core.relevance.candidates import rank_candidates
from search_core.relevance.embedder import TRAINED, BackgroundEmbedder, Embedder, ScorerLimits, TextKind, Vectors
from search_core.relevance.embedding_prefetch import EmbeddingPrefetch
from search_core.relevance.entailment import Entailment, EntailmentModel
from search_core.relevance.filter import RelevanceFilter, Scored
from search_core.relevance.host import EmbedderHost
from search_core.relevance.kiwi_embedder import KiwiEmbedder
from search_core.relevance.server_embedder import ServerEmbedder

__all__ = [
    "TRAINED",
    "BackgroundEmbedder",
    "Embedder",
    "EmbedderHost",
    "EmbeddingPrefetch",
    "Entailment",
    "EntailmentModel",
    "KiwiEmbedder",
    "RelevanceFilter",
    "Scored",
    "ScorerLimits",
    "ServerEmbedder",
    "TextKind",
    "VectorStore",
    "Vectors",
    "arrange",
    "directions_to",
    "in_order",
    "rank_candidates",
]
