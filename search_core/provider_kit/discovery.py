"""Finding providers: the files of a folder are the catalogue."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from types import ModuleType

from search_core.provider_kit.contract import SearchProvider


def discover(package: ModuleType) -> dict[str, type[SearchProvider]]:
    """Return the provider class of each file of *package* by name.

    Raises TypeError when a file does not define exactly one SearchProvider, and ValueError when its ``name`` is not the file's.
    """
    found: dict[str, type[SearchProvider]] = {}
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        classes = [
            member
            for _, member in inspect.getmembers(module, inspect.isclass)
            if issubclass(member, SearchProvider) and member.__module__ == module.__name__
        ]
        if len(classes) != 1:
            raise TypeError(f"{module.__name__} must define exactly one SearchProvider, not {len(classes)}.")
        if getattr(classes[0], "name", None) != info.name:
            raise ValueError(f"{module.__name__}.{classes[0].__name__} must have the name {info.name!r}.")
        found[info.name] = classes[0]
    return found
