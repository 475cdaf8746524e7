"""Files as documents: which there are, what they say, in which encoding."""

from search_core.reading.document import Document
from search_core.reading.document_reading import read_documents
from search_core.reading.documents import FoundFile, find_files, parse_documents

__all__ = ["Document", "FoundFile", "find_files", "parse_documents", "read_documents"]
