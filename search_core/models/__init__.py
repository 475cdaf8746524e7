"""Runs models in this app, and asks models behind endpoints."""
