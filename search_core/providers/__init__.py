"""Search services that can be asked, one file each; adding a file adds a provider."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable

from search_core.errors import SettingsError
from search_core.providers.kit.contract import ConfiguredProvider, DocumentIndex, SearchProvider
from search_core.settings import Settings

LIBRARY = "library"


def provider_names() -> tuple[str, ...]:
    """Return the names of all providers, which are those of the files in this folder."""
    return tuple(info.name for info in pkgutil.iter_modules(__path__) if not info.ispkg)


def provider_class(name: str) -> type[SearchProvider]:
    """Return the provider class in the file called *name*."""
    module = importlib.import_module(f"{__name__}.{name}")
    classes = (member for _, member in inspect.getmembers(module, inspect.isclass) if member.__module__ == module.__name__)
    (found,) = (member for member in classes if issubclass(member, SearchProvider))
    return found


def build(settings: Settings, documents: Callable[[], DocumentIndex]) -> dict[str, SearchProvider]:
    """Return the providers in SEARCH_PROVIDERS, in its order; the library searches *documents*. Sends no request.

    A provider whose own settings are missing is among them and says so by ``absent_because``. Raises SettingsError for a name
    that no provider has or that is named twice, and for settings a provider cannot use.
    """
    known = provider_names()
    names = [name for tier in settings.provider_tiers for name in tier]
    for name in names:
        if name not in known:
            raise SettingsError(
                f"SEARCH_PROVIDERS names {name!r}, which is no search service; known are {', '.join(known)}.",
                korean=f"SEARCH_PROVIDERS에 적힌 {name!r}은(는) 없는 검색 서비스예요. 있는 이름: {', '.join(known)}",
            )
        if names.count(name) > 1:
            raise SettingsError(
                f"SEARCH_PROVIDERS names {name!r} more than once.",
                korean=f"SEARCH_PROVIDERS에 {name!r}이(가) 두 번 넘게 적혀 있어요.",
            )
    return {name: _set_up(name, settings, documents) for name in names}


def _set_up(name: str, settings: Settings, documents: Callable[[], DocumentIndex]) -> SearchProvider:
    if name == LIBRARY:
        from search_core.providers.library import LibraryProvider

        return LibraryProvider(documents(), samples=settings.library_samples)
    kind = provider_class(name)
    if not issubclass(kind, ConfiguredProvider):
        raise TypeError(f"{kind.__name__} cannot be set up: it is no ConfiguredProvider.")
    return kind(settings)
