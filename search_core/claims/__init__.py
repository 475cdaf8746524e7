"""A whole video checked: what it claims, and how each claim is held against the web."""

from search_core.claims.finder import find_claims, find_in
from search_core.claims.rewriting import rewrite_claims
from search_core.claims.worth import WORTH_CHECKING, Worth, score_worth

__all__ = ["WORTH_CHECKING", "Worth", "find_claims", "find_in", "rewrite_claims", "score_worth"]
