"""Stores on disk, in Redis or in the database: answers, vectors, events, conversations.

``ConversationStore`` is imported from its own module when the first chat begins: it brings SQLAlchemy, which takes 0.2 s.
"""
