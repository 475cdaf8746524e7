"""A store of bounded size that drops what was used longest ago."""

from __future__ import annotations

from search_core.runtime import Recent


def test_the_one_used_longest_ago_makes_room():
    """Asking for a value counts as using it."""
    recent: Recent[str, int] = Recent(2)
    recent.put("a", 1)
    recent.put("b", 2)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert [recent.get(key) for key in "abc"] == [1, None, 3]


def test_a_value_put_again_takes_its_room_once():
    """Six letters of room hold three pairs, however often one of them is put."""
    recent: Recent[str, int] = Recent(6, size=len)
    for key in ("aa", "bb", "aa", "cc"):
        recent.put(key, ord(key[0]))
    assert [recent.get(key) for key in ("aa", "bb", "cc")] == [97, 98, 99]
    recent.put("dddd", 100)
    assert [recent.get(key) for key in ("aa", "bb", "cc", "dddd")] == [None, None, 99, 100]


def test_what_takes_more_than_all_the_room_is_not_kept():
    """It pushes nothing out, and what was used last stays when room is made."""
    recent: Recent[str, str] = Recent(10, size=len)
    recent.put("가나다라마", "five")
    recent.put("바사아자", "four")
    recent.put("12345678901", "eleven")
    assert recent.get("가나다라마") == "five"
    recent.put("차카타파", "four more")
    assert [recent.get(key) for key in ("바사아자", "가나다라마", "12345678901")] == [None, "five", None]
