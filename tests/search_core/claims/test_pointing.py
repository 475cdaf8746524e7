from __future__ import annotations

from search_core.claims.pointing import pointing_words, put_name, put_year


def test_a_name_that_begins_small_keeps_its_form():
    """A sentence begins with a capital, but for a name with a capital inside; one without a year to put stays as it is."""
    sentence = "It ships in autumn."
    [reference] = pointing_words(sentence)
    assert put_name(sentence, reference, "iOS 11") == "iOS 11 ships in autumn."
    assert put_name(sentence, reference, "a kayak") == "A kayak ships in autumn."
    assert put_year("kbs 뉴스입니다.", 2020) == "kbs 뉴스입니다."
