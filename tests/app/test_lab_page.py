"""The relevance lab shows a newcomer what there is, and what to do next."""

from __future__ import annotations

SCOPE = "lab-scope"


def lab(here):
    here.at.switch_page("pages/lab.py")
    here.look()
    return here


def test_searches_without_labels_are_shown_where_none_is_labelled(visit):
    """Who has searched and judged nothing yet sees the searches, not an empty choice."""
    here = visit()
    here.open_sample()
    here.ask("대역폭이 왜 중요한가요?")
    job = next(iter(here.core.jobs.values()))
    here.core.kept_searches.keep(job.id, "", job.report)  # the page does so, too, and nobody waits for it
    lab(here)
    assert here.at.selectbox(key=SCOPE).value == "all"
    assert "검색 **1건**" in here.texts()
    here.at.selectbox(key=SCOPE).set_value("labelled")
    here.look()
    assert "판정한 검색이 아직 없어요." in here.texts()


def test_nothing_searched_yet_says_so(visit):
    """A fresh installation says where searches come from, and offers samples."""
    here = lab(visit())
    assert "아직 보관한 검색이 없어요." in here.texts()
    assert here.has_button("lab-samples")
