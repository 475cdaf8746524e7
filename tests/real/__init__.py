"""What only real models show: ``make real`` fetches a recogniser and language models, and walks the product with them.

Nothing of it ships, and CI does not run it: it fetches 1 GB and takes half an hour on two cores.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("data")


def read_json_lines(path: Path) -> list[dict[str, Any]]:
    """Return the rows of *path*."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
