"""Whether what is kept can be used: the conversations and the library."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from search_core.errors import StorageError
from search_core.storage import Database
from search_core.storage.database import FILE_KOREAN
from search_core.storage.sqlite_file import FileFault
from search_core.wiring.components import Components

CONVERSATIONS, LIBRARY = "conversations", "library"


def storage_problems(components: Components) -> Mapping[str, str]:
    """Return a Korean sentence for each part of what is kept that cannot be used; empty when all can."""
    problems = {CONVERSATIONS: _conversations(components.database)}
    try:
        components.library.count()
    except StorageError as error:
        problems[LIBRARY] = error.korean
    return MappingProxyType({name: korean for name, korean in problems.items() if korean})


def _conversations(database: Database) -> str:
    """Return what is wrong now, or what was found broken before; a file that is not there yet is made when it is needed."""
    if not database.exists():
        return ""
    try:
        with database.reading():
            pass
    except StorageError as error:
        return error.korean
    return FILE_KOREAN[database.fault] if database.fault not in (None, FileFault.LOCKED) else ""
