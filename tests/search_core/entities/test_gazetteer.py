from __future__ import annotations

from search_core.entities.gazetteer import fold_name, known_by_name, known_names


def test_every_known_thing_has_a_name() -> None:
    """Each row names something, and every name leads to a row."""
    assert all(known.korean or known.english for known in known_names())
    assert len(known_names()) > 300
    assert known_by_name()[fold_name("sk hynix")].korean == ("SK하이닉스",)
