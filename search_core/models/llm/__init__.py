"""Language models behind OpenAI-compatible endpoints, and making their answers safe to show."""
