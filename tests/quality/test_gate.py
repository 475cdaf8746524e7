from __future__ import annotations

import pytest

from tests.quality.gate import QUICK, below, floors, raised


def test_a_figure_below_its_floor_is_named():
    """Only figures that were measured and are lower than their floor fail."""
    assert below({"a": 0.50, "b": 0.90}, {"a": 0.51, "b": 0.90, "c": 1.0}) == ["a: 0.5000 is below its floor 0.5100"]


def test_floors_rise_and_do_not_fall():
    """An update keeps a floor that is higher than the new figure unless lowering is allowed."""
    assert raised({"a": 0.705, "b": 0.405}, {"a": 0.6, "b": 0.5}, lower=False) == {"a": 0.7, "b": 0.5}
    assert raised({"a": 0.705, "b": 0.405}, {"a": 0.6, "b": 0.5}, lower=True) == {"a": 0.7, "b": 0.4}


@pytest.mark.quality
@pytest.mark.timeout(900)
@pytest.mark.parametrize("stage", QUICK)
def test_quality_is_not_below_the_floors(stage: str):
    """What ships with the tests, and the development data where it is present, is handled no worse than the floors say."""
    measured = QUICK[stage]()
    least = floors()
    assert any(name in least for name in measured)
    assert below(measured, least) == []
