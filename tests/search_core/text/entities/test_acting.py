from __future__ import annotations

import pytest

from search_core.text.entities.acting import acting_names

LECTURE = (
    "배터리를 가장 많이 만드는 회사는 VGTL입니다. QFP는 철과 인으로 만든 양극재이고 값이 쌉니다. "
    "VGTL은 닝더에 본사를 두고 있습니다. QFP가 더 무겁습니다. KVS는 직원이 천 명이고, KVS가 올해 공장을 하나 더 세웁니다. "
    "QFP를 VGTL이 먼저 팔았습니다."
)
KEYNOTE = (
    "VGTL ships the new chip in volume. The QFP is the unit of the data center. Our partners at KVS supply the memory, "
    "and KVS has a new fab in Arizona. VGTL bought a startup. QFP runs in every rack. "
    "Randolph sold his house and Randolph said so. "
    "Our own company Kestrelion builds engines."
)


@pytest.mark.parametrize(
    ("text", "names"),
    [(LECTURE, ("VGTL", "KVS")), (KEYNOTE, ("VGTL", "KVS", "Kestrelion")), ("VGTL이 값을 밝혔습니다. VGTL은 셀입니다.", ())],
)
def test_what_is_said_of_a_name_tells_an_organisation(text: str, names: tuple[str, ...]):
    """Twice told to sell, build or employ, or called a company, a name is an organisation's; a part or a person is none."""
    assert acting_names(text, ("VGTL", "QFP", "KVS", "Randolph", "Kestrelion")) == names


def test_what_is_told_of_another_name_does_not_count():
    """What stands behind the next name is that one's, also where that is none of those asked for."""
    assert acting_names("QFP는 엔비디아가 출시했습니다. QFP는 엔비디아가 팝니다.", ("QFP",), ("엔비디아",)) == ()
    assert acting_names("아무 이름도 없습니다.", ()) == ()
