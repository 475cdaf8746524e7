"""Own documents: read, kept and found by words and by meaning."""

from search_core.library.documents import IndexOutcome
from search_core.library.library import Library, index_paths
from search_core.library.meaning import LibraryMeaning, MeaningModel
from search_core.library.postgresql_library import SharedLibraryIndex
from search_core.library.sqlite_library import LibraryIndex
