"""Asking the providers, and one list of their results: each page and each story once, with all who found it."""
