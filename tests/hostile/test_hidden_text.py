"""Text that a page hides from its readers does not reach a language model."""

from __future__ import annotations

from search_core.reading.hidden_text import drop_hidden
from search_core.reading.html import parse
from search_core.reading.webpage import read_webpage
from tests.hostile.hiding_techniques import CANARY, SHOWN, HiddenText, techniques

SURVIVING = {"unfolded by a click", "sheet elsewhere"}
"""A reader can unfold it; a sheet of another address is not fetched."""


def test_hidden_text_is_not_read():
    """Whatever hides it, a hidden text is no text of the page, and what stands beside it is."""
    wrong = []
    for hidden in techniques():
        text = read_webpage(hidden.page, "https://example.com/news/1").text
        if (CANARY in text) != (hidden.name in SURVIVING) or SHOWN not in text or "8번째 문단" not in text:
            wrong.append(hidden.name)
    assert wrong == []


VISIBLE = {
    "small type": '<p style="font-size:8px">{}</p>',
    "grey": '<p style="color:#ccc">{}</p>',
    "white on black": '<div style="background-color:#000"><p style="color:white">{}</p></div>',
    "white on a picture": '<div style="background:url(a.png)"><p style="color:white">{}</p></div>',
    "letters cut out of a gradient": '<p style="background:linear-gradient(red,blue) text;color:transparent">{}</p>',
    "type set anew": '<div style="font-size:0"><p style="font-size:16px">{}</p></div>',
    "shown within hidden": '<div style="visibility:hidden"><p style="visibility:visible">{}</p></div>',
    "for print": "<style>@media print{{.x{{display:none}}}}</style><p class='x'>{}</p>",
    "for small screens": "<style>@media (max-width:600px){{.x{{display:none}}}}</style><p class='x'>{}</p>",
    "dark theme": "<style>@media (prefers-color-scheme: dark){{.x{{color:#fff}}}}</style><p class='x'>{}</p>",
    "without programs": "<style>.no-js .x{{display:none}}</style><p class='x'>{}</p>",
    "before an element": "<style>.x::before{{display:none}}</style><p class='x'>{}</p>",
    "overruled": "<style>.x{{display:none}} p.x{{display:block}}</style><p class='x'>{}</p>",
    "moved to the middle": '<p style="position:relative;left:50%;transform:translate(-50%,-50%)">{}</p>',
    "line height in em": '<p style="font-size:1em;line-height:1.6;overflow:hidden">{}</p>',
    "open dialog": "<dialog open><p>{}</p></dialog>",
}


def test_visible_text_is_read():
    """What can be seen is read, also where it looks like a way of hiding."""
    lost = []
    for name, body in VISIBLE.items():
        root = parse(HiddenText(name, "", body.format(CANARY)).page.decode())
        drop_hidden(root)
        if CANARY not in str(root.text_content()):
            lost.append(name)
    assert lost == []
