"""Checks of a whole video: which claims it makes, and what the web says about each."""

from search_core.answers.check_worthiness import CHECK_WORTHY, CheckWorthiness, score_check_worthiness
from search_core.checking.claims.finder import find_claims, find_groups

__all__ = ["CHECK_WORTHY", "CheckWorthiness", "find_claims", "find_groups", "score_check_worthiness"]
