"""Search services that can be asked, one file each; adding a file adds a provider."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

from search_core.errors import SettingsError
from search_core.providers.kit.contract import ConfiguredProvider, DocumentIndex, SearchProvider
from search_core.providers.library import LibraryProvider
from search_core.settings import Settings

__all__ = ["build", "catalogue"]


def catalogue() -> dict[str, type[SearchProvider]]:
    """Return the provider class in each file of this folder, by name."""
    by_name: dict[str, type[SearchProvider]] = {}
    for info in pkgutil.iter_modules(__path__):
        if not info.ispkg:
            module = importlib.import_module(f"{__name__}.{info.name}")
            classes = (
                member for _, member in inspect.getmembers(module, inspect.isclass) if member.__module__ == module.__name__
            )
            (by_name[info.name],) = (member for member in classes if issubclass(member, SearchProvider))
    return by_name


def build(settings: Settings, documents: DocumentIndex) -> dict[str, SearchProvider]:
    """Return the providers in SEARCH_PROVIDERS, in its order; the library searches *documents*. Sends no request.

    A provider whose own settings are missing is among them and says so by ``absent_because``. Raises SettingsError for a name
    that no provider has or that is named twice, and for settings a provider cannot use.
    """
    classes = catalogue()
    names = [name for tier in settings.provider_tiers for name in tier]
    for name in names:
        if name not in classes:
            raise SettingsError(
                f"SEARCH_PROVIDERS names {name!r}, which is no search service; known are {', '.join(sorted(classes))}.",
                korean=f"SEARCH_PROVIDERS에 적힌 {name!r}은(는) 없는 검색 서비스예요. 있는 이름: {', '.join(sorted(classes))}",
            )
        if names.count(name) > 1:
            raise SettingsError(
                f"SEARCH_PROVIDERS names {name!r} more than once.",
                korean=f"SEARCH_PROVIDERS에 {name!r}이(가) 두 번 넘게 적혀 있어요.",
            )
    return {name: _set_up(classes[name], settings, documents) for name in names}


def _set_up(kind: type[SearchProvider], settings: Settings, documents: DocumentIndex) -> SearchProvider:
    if issubclass(kind, ConfiguredProvider):
        return kind(settings)
    if issubclass(kind, LibraryProvider):
        return kind(documents, samples=settings.library_samples)
    raise TypeError(f"{kind.__name__} cannot be set up: it is no ConfiguredProvider.")
