"""A whole video checked: what it claims, and how each claim is held against the web."""

from search_core.claims.finder import find_claims, find_in
from search_core.stance.check_worthiness import CHECK_WORTHY, CheckWorthiness, score_check_worthiness

__all__ = ["CHECK_WORTHY", "CheckWorthiness", "find_claims", "find_in", "score_check_worthiness"]
