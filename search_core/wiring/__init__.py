"""The one place where protocols meet implementations."""
