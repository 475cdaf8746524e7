"""Vectors of texts and entailment: by the shipped model, another one, or Kiwi's words."""
