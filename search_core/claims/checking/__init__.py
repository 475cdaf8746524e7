"""The check of one claim: searching, reading, comparing and weighing."""

from search_core.claims.checking.checker import JUDGEMENTS_PER_CLAIM, SEARCHES_PER_CLAIM, ClaimChecker, LibraryChecker

__all__ = ["JUDGEMENTS_PER_CLAIM", "SEARCHES_PER_CLAIM", "ClaimChecker", "LibraryChecker"]
