"""How DBOS keeps values: as JSON. Its own way is pickle, which runs what whoever can write to the database has planted."""

from __future__ import annotations

from typing import Any

from dbos import Serializer

from search_core.storage.json_codec import json_text, json_value

_ERROR = "\0error"


class StepFailedError(Exception):
    """Says what a step has raised in an earlier life of the process."""


class PlainValues(Serializer):
    """Writes and reads plain JSON values, and errors by their names."""

    def serialize(self, data: Any) -> str:
        """Return *data* as JSON text."""
        if isinstance(data, BaseException):
            data = {_ERROR: type(data).__name__}  # its text may hold what the user asked
        return json_text(data)

    def deserialize(self, serialized_data: str) -> Any:
        """Return what JSON text says; a kept error as StepFailedError."""
        value = json_value(serialized_data)
        if isinstance(value, dict) and _ERROR in value:
            return StepFailedError(value[_ERROR])
        return value

    def name(self) -> str:
        """Return the name by which rows say how they were written."""
        return "maekrak_json"
