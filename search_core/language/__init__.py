"""What texts are made of: Korean morphemes, names, sentences, dates, addresses, invisible characters."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of *text*, which are split by white space."""
    return frozenset(text.split())
