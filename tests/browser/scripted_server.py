"""The app over a scripted core, for one browser: ``python -m tests.browser.scripted_server PORT``.

Each look of the page takes answers, research and checks some events further, so that nothing in a test depends on the clock.
"""

from __future__ import annotations

import sys

import uvicorn

from pages.parts.shared import services
from tests.app.core_double import CoreDouble


def core() -> CoreDouble:
    """Return a core whose answers, research and checks take their time."""
    double = CoreDouble()
    double.research.slow, double.research.pace = True, 6
    double.claims.slow, double.claims.pace = True, 3
    double.chat.slow = True
    return double


if __name__ == "__main__":
    services.provide(core)
    from app import app

    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="info", access_log=False)
