from __future__ import annotations

from search_core.runs.engine import JsonSerializer, StepFailedError


def test_steps_are_stored_as_json_and_errors_by_name():
    """No value runs code when it is read, and the text of an error, which may hold the question, is not stored."""
    values = JsonSerializer()
    assert values.deserialize(values.serialize({"a": [1, "가", None]})) == {"a": [1, "가", None]}
    written = values.serialize(ValueError("비밀 질문"))
    assert "비밀" not in written
    again = values.deserialize(written)
    assert isinstance(again, StepFailedError)
    assert str(again) == "ValueError"
    assert values.deserialize("gASVCgAAAAAAAACMBm9z") == "gASVCgAAAAAAAACMBm9z"
