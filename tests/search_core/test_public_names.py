"""What ``import search_core`` offers."""

from __future__ import annotations

import pytest

import search_core


def test_each_public_name_leads_to_its_class():
    """Every name of ``__all__`` can be taken from the package itself; any other is an attribute error."""
    assert [name for name in search_core.__all__ if getattr(search_core, name).__name__ != name] == []
    with pytest.raises(AttributeError, match="Oracle"):
        _ = search_core.Oracle
