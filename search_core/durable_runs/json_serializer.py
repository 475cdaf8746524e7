"""JSON as the format in which DBOS stores values: its default, pickle, would run code planted in the database."""

from __future__ import annotations

from typing import Any

from dbos import Serializer

from search_core.storage.json_codec import json_text, json_value

_ERROR = "\0error"


class StepFailedError(Exception):
    """Names the error that a step raised before the process was restarted."""


class JsonSerializer(Serializer):
    """Writes and reads plain JSON values, and errors by their names."""

    def serialize(self, data: Any) -> str:
        """Return *data* as JSON text."""
        if isinstance(data, BaseException):
            data = {_ERROR: type(data).__name__}  # its text may hold what the user asked
        return json_text(data)

    def deserialize(self, serialized_data: str) -> Any:
        """Return the value of JSON text; a stored error as StepFailedError."""
        value = json_value(serialized_data)
        if isinstance(value, dict) and _ERROR in value:
            return StepFailedError(value[_ERROR])
        return value

    def name(self) -> str:
        """Return the name by which rows say how they were written."""
        return "maekrak_json"
