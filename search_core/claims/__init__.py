"""A whole video checked: what it claims, and how each claim is held against the web."""
