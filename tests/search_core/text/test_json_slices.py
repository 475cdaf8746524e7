from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.text import json_slices
from search_core.text.json_slices import SLICE, WHOLE_CHARS, read_json, write_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)
SPACES = st.sampled_from(("", " ", "\n\t\r "))


@pytest.fixture
def _all_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_slices, "WHOLE_CHARS", 0)
    monkeypatch.setattr(json_slices, "SLICE", 2)


@pytest.mark.usefixtures("_all_in_slices")
@given(VALUES, SPACES, SPACES)
def test_what_is_read_and_written_in_slices_is_what_json_says(value, before, after):
    """Reading and writing in slices, however small, gives what Python's own reader and writer give, with spaces anywhere."""
    separators = (f"{after},{before}", f"{before}:{after}")
    spread = json.dumps(value, indent=len(before) or None, separators=separators)
    assert read_json(before + spread + after) == value
    assert write_json(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.usefixtures("_all_in_slices")
@given(st.text(alphabet='[]{},:"\\1e-. \ntrufalsn', max_size=40))
def test_what_is_no_json_is_refused_in_slices_as_well(text):
    """A text that Python's reader refuses is refused, and one that it takes is read alike."""
    try:
        value = json.loads(text)
    except ValueError:
        with pytest.raises(json.JSONDecodeError):
            read_json(text)
    else:
        assert read_json(text) == value


def test_a_long_list_is_read_whole():
    """A list far above a slice keeps its order and its last element, in an object and alone."""
    rows = [[number, number + 1, "가"] for number in range(10 * SLICE)]
    assert read_json(write_json({"title": "강연", "transcript": rows})) == {"title": "강연", "transcript": rows}
    text = write_json(rows)
    assert len(text) > WHOLE_CHARS
    assert read_json(text) == rows
