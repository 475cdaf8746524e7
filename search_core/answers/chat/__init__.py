"""Conversations about a video: asking, checking online, following, stopping and storing answers."""
