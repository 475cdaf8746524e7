"""``maekrak``, or ``python -m search_core`` where nothing is installed; ``--help`` lists every command."""

from __future__ import annotations

import sys


def run() -> int:
    """Run the command line; an interrupt during its loading ends it as quietly as a later one."""
    try:
        from search_core.commands import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run())
