"""The check of one claim: searched, read, compared with what sources say, and weighed."""

from search_core.claims.checking.checker import SEARCHES_PER_CLAIM, ClaimChecker, ClaimOutcome, ClaimSearch
from search_core.claims.checking.own_documents import OwnDocuments

__all__ = ["SEARCHES_PER_CLAIM", "ClaimChecker", "ClaimOutcome", "ClaimSearch", "OwnDocuments"]
