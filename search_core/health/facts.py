"""What is known of a search service without looking at its requests."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFacts:
    """Says how a search service is set up and whether it is left alone just now."""

    name: str
    label: str
    """What the page calls it."""
    absent_because: str | None = None
    """Korean sentence why it cannot be asked; None when it can."""
    missing_keys: tuple[str, ...] = ()
    """Names of the settings it lacks, upper case."""
    in_use: bool = True
    """False when SEARCH_PROVIDERS leaves it out."""
    web: bool = True
    """False for the library, which says nothing about the web."""
    wait_s: float = 0.0
    """Seconds it is left alone yet; 0 when it can be asked now."""

    @property
    def usable(self) -> bool:
        """Tell whether a search would ask it, now or after its pause."""
        return self.in_use and self.absent_because is None
