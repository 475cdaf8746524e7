"""Things used last, kept in memory; the others are forgotten."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Keeps the values used last under their keys, as many as there is *room* for; safe to use from many threads.

    *size* says how much room one takes, by its key; without it each takes 1. What takes more than all the room is not kept.
    """

    def __init__(self, room: int, size: Callable[[K], int] = lambda _: 1) -> None:
        self._room = room
        self._taken = 0
        self._size = size
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Return the value under *key*, which counts as used, or None."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep *value* under *key*, in the place of an earlier one."""
        size = self._size(key)
        if size > self._room:
            return
        with self._lock:
            if key not in self._kept:
                self._taken += size
            self._kept[key] = value
            self._kept.move_to_end(key)
            while self._taken > self._room:
                oldest, _ = self._kept.popitem(last=False)
                self._taken -= self._size(oldest)
