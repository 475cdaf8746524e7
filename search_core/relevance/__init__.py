"""How relevant a result is to the question and the video, why, and in which order results are shown."""

from search_core.relevance.cached_embedder import EmbeddingPrefetch, VectorStore
from search_core.relevance.embedder import TRAINED, BackgroundEmbedder, Embedder, KiwiEmbedder, ScorerLimits, TextKind, Vectors
from search_core.relevance.entailment import Entailment, EntailmentModel
from search_core.relevance.filter import RelevanceFilter, Scored, arrange, in_order, rank_candidates
from search_core.relevance.host import EmbedderHost
from search_core.relevance.meaning import directions_to
from search_core.relevance.server_embedder import ServerEmbedder
