"""Files as documents: which there are, what they say, in which encoding."""

from search_core.reading.documents import Document, FoundFile, find_files, parse_document, read_document
