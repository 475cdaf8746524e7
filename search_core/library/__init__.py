"""Own documents: read, kept and found by words and by meaning."""
