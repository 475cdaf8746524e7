"""One question from its words to scored results: intent, query, gathering, and the pipeline that joins them."""
