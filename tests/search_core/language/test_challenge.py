"""Telling pages that want proof of a human from pages that merely guard a form or speak of it."""

from __future__ import annotations

import pytest

from search_core.language.challenge import MAX_CHALLENGE_CHARS, is_challenge

TALK = "메모리대역폭이야기"
"""Nine characters; spaces are not counted."""
WIDGET = '<div class="g-recaptcha" data-sitekey="x"></div>'


def said(chars: int) -> str:
    return f"<p>{' '.join([TALK] * (chars // len(TALK)))}{'다' * (chars % len(TALK))}</p>"


@pytest.mark.parametrize(
    "page",
    [
        '<form id="challenge-form"></form>',
        '<DIV CLASS="Anomaly-Modal__title">bots</DIV>',
        '<form id="captcha-form" action="index">',
        "<script>window._cf_chl_opt={}</script>",
        f"{WIDGET}<p>계속하려면 확인해 주세요.</p>",
        "<p>Verify you are human</p>",
        '<noscript><meta content="0;url=/httpservice/retry/enablejs?sei=1"></noscript>',
        "<p>비정상적인 접근이 감지되었습니다.</p>",
    ],
)
def test_short_pages_with_a_mark_are_challenges(page: str):
    """Markup of a challenge, or a guard on a page that says nothing else, makes one, in whatever case it is written."""
    assert is_challenge(page)


def test_a_guard_on_a_page_that_has_something_to_say_is_none():
    """A form with a captcha under an article does not make the article a challenge; one character decides."""
    assert is_challenge(said(MAX_CHALLENGE_CHARS) + WIDGET)
    assert not is_challenge(said(MAX_CHALLENGE_CHARS + 1) + WIDGET)


def test_what_nobody_sees_is_not_said():
    """Scripts, styles, comments and attributes do not count as text, and a page without marks is none, however short."""
    unseen = f"<script>{TALK * 500}</script><style>{TALK * 500}</style><!-- {TALK * 500} --><p title='{TALK * 500}'></p>"
    assert is_challenge(unseen + WIDGET)
    for ordinary in (unseen, "<title>안내</title><p>점검 중이에요.</p>", ""):
        assert not is_challenge(ordinary)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["<script ", "captcha<", "<!--", "<style></style", "< "])
def test_a_page_made_to_take_long_does_not(piece: str):
    """A megabyte of tags that never end is looked at in time linear in its length."""
    assert is_challenge("captcha " + piece * (1_000_000 // len(piece))) in (True, False)
