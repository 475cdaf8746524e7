"""The entailment model that a deployment names: its files, and the meaning of its classes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator

_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_FOR = {"bears_out": re.compile(r"^entail"), "silent": re.compile(r"neutral|^not_?entail"), "denies": re.compile(r"^contra")}
"""What the classes of such models are called, in lower case."""


def class_order(labels: Mapping[Any, Any]) -> tuple[int, int | None, int | None]:
    """Return which classes of ``id2label`` support a statement, ignore it and deny it; the last two may be missing.

    Raises ValueError if no class supports, or no other class exists.
    """
    named = {str(label).strip().lower().replace(" ", "_").replace("-", "_"): int(place) for place, label in labels.items()}
    places = {what: next((named[name] for name in named if form.search(name)), None) for what, form in _FOR.items()}
    bears_out = places["bears_out"]
    if bears_out is None or (places["silent"] is None and places["denies"] is None):
        raise ValueError(f"has the classes {', '.join(sorted(named)) or 'none'}, and no entailment with its opposite among them")
    return bears_out, places["silent"], places["denies"]


def _check(value: str) -> str:
    """Return *value* if it is empty, a folder with such a model, or a valid model name."""
    name = value.strip()
    folder = Path(name).expanduser()
    if not name or (not folder.is_dir() and _HUB_NAME.fullmatch(name)):
        return name
    try:
        labels = json.loads((folder / "config.json").read_bytes())["id2label"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ValueError("must be a model's name or a folder with its config.json, which names its classes") from error
    class_order(labels)
    return str(folder.resolve())


EntailmentModelName = Annotated[str, AfterValidator(_check)]
