"""What cannot be seen of a page, beside the ways of hiding that ``tests/hostile/test_hidden_text.py`` tries."""

from __future__ import annotations

from lxml import html

from search_core.reading.hidden_text import drop_hidden


def test_what_holds_most_of_a_page_stays():
    """A program of the page shows it later, though it is hidden as it was sent."""
    root = html.document_fromstring(f'<body><p>머리말</p><div style="display:none">{"<p>정책을 발표했다.</p>" * 9}</div></body>')
    drop_hidden(root)
    assert root.text_content().count("발표했다") == 9
