"""The searches that are kept, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from search_core.wiring.components import Components

if TYPE_CHECKING:
    from search_core.storage.stored_searches import StoredSearches


def build_stored_searches(components: Components) -> StoredSearches:
    """Return the searches of the database; where keeping is off none is added."""
    from search_core.storage.stored_searches import StoredSearches  # brings SQLAlchemy, which takes 0.2 s to import

    settings, providers = components.settings, components.providers
    return StoredSearches(
        components.database,
        keeps=settings.search_history,
        days=settings.search_history_days,
        most=settings.search_history_max,
        storable=lambda name: name not in providers or providers[name].storable,
    )
