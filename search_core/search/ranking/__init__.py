"""How relevant a result is to the question and the video, why, and the order of results."""

from search_core.search.ranking.filter import RelevanceFilter, arrange, in_order, rank_candidates
from search_core.search.ranking.meaning import directions_to
