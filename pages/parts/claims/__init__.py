"""The check of a whole video."""
