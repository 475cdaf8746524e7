from __future__ import annotations

import pytest

from tests.quality.gate import CHEAPEST, STAGES, below, floors, measure, raised, stages_of
from tests.quality.scope import KIWI, Scope


def test_a_figure_below_its_floor_is_named():
    """Only figures that were measured and are lower than their floor fail."""
    assert below({"a": 0.50, "b": 0.90}, {"a": 0.51, "b": 0.90, "c": 1.0}) == ["a: 0.5000 is below its floor 0.5100"]


def test_floors_rise_and_do_not_fall():
    """An update keeps a floor that is higher than the new figure unless lowering is allowed."""
    assert raised({"a": 0.705, "b": 0.405}, {"a": 0.6, "b": 0.5}, lower=False) == {"a": 0.7, "b": 0.5}
    assert raised({"a": 0.705, "b": 0.405}, {"a": 0.6, "b": 0.5}, lower=True) == {"a": 0.7, "b": 0.4}


@pytest.mark.parametrize(
    ("changed", "moved", "unmoved"),
    [
        ("search_core/search/ranking/evaluation.py", ["threshold"], ["entities", "ranking"]),
        ("search_core/answers/data/worth.json", ["claims"], ["ranking"]),
        ("search_core/language/data/dictionary.txt", ["ranking", "quotes"], ["entities"]),
        ("requirements.txt", list(STAGES), []),
        ("README.md", [], list(STAGES)),
    ],
)
def test_a_change_moves_the_stages_that_read_it(changed: str, moved: list[str], unmoved: list[str]):
    """The code and the data of a stage, however far down, choose it; files it does not read do not."""
    stages = stages_of([changed])
    assert set(moved) <= set(stages)
    assert not set(unmoved) & set(stages)


@pytest.mark.quality
@pytest.mark.timeout(300)
@pytest.mark.parametrize("stage", CHEAPEST)
def test_quality_is_not_below_the_floors(stage: str):
    """The cheapest stages reach their floors by rules alone."""
    measured = measure(stage, Scope(models=(KIWI,), everything=False))
    least = floors()
    assert any(name in least for name in measured)
    assert below(measured, least) == []
