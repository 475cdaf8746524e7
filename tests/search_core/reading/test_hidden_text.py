"""What cannot be seen of a page, beside the ways of hiding that ``tests/hostile/test_hidden_text.py`` tries."""

from __future__ import annotations

from lxml import html

from search_core.reading.hidden_text import drop_hidden, visible


def test_what_holds_most_of_a_page_stays():
    """A program of the page shows it later, though it is hidden as it was sent."""
    root = html.document_fromstring(f'<body><p>머리말</p><div style="display:none">{"<p>정책을 발표했다.</p>" * 9}</div></body>')
    drop_hidden(root)
    assert root.text_content().count("발표했다") == 9


def test_characters_without_a_picture_are_dropped():
    """Hangul fillers, joiners, directions, tags and controls go; letters, line ends and composed syllables stay."""
    assert visible("가\u3164나\u115f\u1160다\uffa0\u200b라\u202e\u2066\ufeff\U000e0041\x07마\n바\t사") == "가나다라마\n바\t사"
    assert visible("\u1112\u1161\u11ab글") == "한글"
