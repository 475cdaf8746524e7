"""Asks the providers and merges their results into one list: each page and each story once, with all providers that found it."""
