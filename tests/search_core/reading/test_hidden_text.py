"""What a page holds and does not show is not read."""

from __future__ import annotations

import pytest
from lxml import html

from search_core.reading.hidden_text import drop_hidden, visible

ARTICLE = "<p>" + "정부는 오늘 새로운 정책을 발표했다. " * 5 + "</p>"


def read(body: str, head: str = "") -> str:
    root = html.document_fromstring(f"<html><head>{head}</head><body>{ARTICLE}{body}</body></html>")
    drop_hidden(root)
    return str(root.find("body").text_content())


@pytest.mark.parametrize(
    "element",
    [
        "<p hidden>숨긴 글</p>",
        '<p style="display:none">숨긴 글</p>',
        '<p style="color:red; DISPLAY : none !important">숨긴 글</p>',
        '<p style="visibility: hidden">숨긴 글</p>',
        '<p style="font-size:0">숨긴 글</p>',
        '<p style="font-size: 1px; color: white">숨긴 글</p>',
        '<p style="opacity:0">숨긴 글</p>',
        '<p style="position:absolute; left:-9999px">숨긴 글</p>',
        '<p style="text-indent:-9999px">숨긴 글</p>',
        '<div style="display:none"><div><p>숨긴 글</p></div></div>',
    ],
)
def test_hidden_elements_are_dropped(element: str):
    """Attributes and styles that hide take the element with all in it, and what follows stays."""
    text = read(f"{element}<p>보이는 글</p>")
    assert "숨긴" not in text
    assert "보이는 글" in text
    assert "정책을 발표했다" in text


@pytest.mark.parametrize("rule", [".x{display:none}", ".a, .x { color:red; visibility:hidden }", "#y{font-size:0}"])
def test_rules_of_the_page_hide(rule: str):
    """A class or id that the page's own style sheet hides is dropped."""
    assert "숨긴" not in read('<p class="b x" id="y">숨긴 글</p>', f"<style>p{{color:red}} {rule}</style>")


@pytest.mark.parametrize(
    ("head", "element"),
    [
        ("", '<p style="font-size:10px; opacity:0.9; left:-5px">보이는 글</p>'),
        ("<style>@media print{.x{display:none}} .x{color:red}</style>", '<p class="x">보이는 글</p>'),
        ("<style>.no-js .x{display:none}</style>", '<p class="x">보이는 글</p>'),
        ("", f'<div style="opacity:0">{ARTICLE * 3}<p>보이는 글</p></div>'),
    ],
)
def test_what_may_be_seen_stays(head: str, element: str):
    """Small type, rules for print, rules under a condition, and what holds most of the page are kept."""
    assert "보이는 글" in read(element, head)


def test_characters_without_a_picture_are_dropped():
    """Hangul fillers, joiners, directions, tags and controls go; letters, line ends and composed syllables stay."""
    assert visible("가\u3164나\u115f\u1160다\uffa0\u200b라\u202e\u2066\ufeff\U000e0041\x07마\n바\t사") == "가나다라마\n바\t사"
    assert visible("\u1112\u1161\u11ab글") == "한글"
