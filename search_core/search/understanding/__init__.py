"""Understands a question about a video: its intent, what it leaves unsaid, and its query."""
