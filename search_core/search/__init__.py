"""One question from words to scored results: intent, query, gathering, and the pipeline around them."""
