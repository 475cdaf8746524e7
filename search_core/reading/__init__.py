"""Files as documents: finding them, their text and their encoding."""

from search_core.reading.documents import Document, FoundFile, find_files, parse_document, read_document
