"""Text that a page hides from its readers does not reach a language model."""

from __future__ import annotations

from search_core.reading.hidden_text import drop_hidden
from search_core.reading.html import parse
from search_core.reading.webpage import read_webpage
from tests.hostile.hiding_techniques import CANARY, SHOWN, HiddenText, techniques

SURVIVING = {"unfolded by a click"}
"""A reader can unfold it."""


def test_hidden_text_is_not_read():
    """Whatever attribute or element hides it, a hidden text is no text of the page, and what stands beside it is."""
    wrong = []
    for hidden in techniques():
        text = read_webpage(hidden.page, "https://example.com/news/1").text
        if (CANARY in text) != (hidden.name in SURVIVING) or SHOWN not in text or "8번째 문단" not in text:
            wrong.append(hidden.name)
    assert wrong == []


VISIBLE = {
    "small type": '<p style="font-size:8px">{}</p>',
    "grey": '<p style="color:#ccc">{}</p>',
    "type set anew": '<div style="font-size:0"><p style="font-size:16px">{}</p></div>',
    "shown within hidden": '<div style="visibility:hidden"><p style="visibility:visible">{}</p></div>',
    "no height, not cut": '<div style="height:0">{}</div>',
    "narrow": '<div style="width:10px;overflow:hidden">{}</div>',
    "left out by screen readers": '<p aria-hidden="true">{}</p>',
    "open dialog": "<dialog open><p>{}</p></dialog>",
}


def test_visible_text_is_read():
    """What can be seen is read, also where it looks like a way of hiding."""
    lost = []
    for name, body in VISIBLE.items():
        root = parse(HiddenText(name, body.format(CANARY)).page.decode())
        drop_hidden(root)
        if CANARY not in str(root.text_content()):
            lost.append(name)
    assert lost == []


def test_what_holds_most_of_a_page_stays():
    """A program of the page shows it later, though it is hidden as it was sent."""
    root = parse(f'<body><p>머리말</p><div style="display:none">{"<p>정책을 발표했다.</p>" * 9}</div></body>')
    drop_hidden(root)
    assert str(root.text_content()).count("발표했다") == 9
