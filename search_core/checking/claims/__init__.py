"""Checks of a whole video: which claims it makes, and what the web says about each."""
