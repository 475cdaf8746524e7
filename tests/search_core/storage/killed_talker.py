"""A process that writes messages until it is killed: ``python killed_talker.py CONVERSATION PREFIX``.

The address of the database is the first line it reads. It says each id in a line once the message is kept.
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from search_core.storage import Database
from search_core.storage.conversations import ConversationStore
from tests.search_core.storage.sample_records import answer


def main(conversation: str, prefix: str) -> None:
    address = sys.stdin.readline().strip()
    store = ConversationStore(Database(address if "://" in address else Path(address)))
    for number in count():
        name = f"{prefix}-{number}"
        store.put(conversation, "me", answer(name))
        print(name, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
