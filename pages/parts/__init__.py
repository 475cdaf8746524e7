"""Parts of pages; none of them searches, they only show and ask the core."""
