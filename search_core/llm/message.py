"""What is said to a model."""

from __future__ import annotations

from typing import Literal, NamedTuple


class ChatMessage(NamedTuple):
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str
