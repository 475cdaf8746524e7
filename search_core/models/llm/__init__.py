"""Language models behind OpenAI-compatible endpoints, and which of their words can be shown."""
