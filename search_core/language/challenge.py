"""Detects pages that ask visitors to prove they are human instead of showing results or a text."""

from __future__ import annotations

CHALLENGE_MARKS = (
    "anomaly-modal",  # DuckDuckGo
    "challenge-form",  # DuckDuckGo, Cloudflare
    "error-lite@duckduckgo.com",  # DuckDuckGo, in place of results for clients it does not like
    "_cf_chl_opt",  # Cloudflare
    "/sorry/index",  # Google
    'id="captcha-form"',
    "our systems have detected unusual traffic",
    "px-captcha",  # PerimeterX
    "captcha-delivery",  # DataDome
    "awswafcaptcha",
    "_incapsula_resource?swudnsai",  # Imperva
    "wappass.baidu.com",  # Baidu
)
"""Markup that only such pages have, in lower case; the HTTP status tells nothing, as it may be 200."""
SUSPICIOUS_MARKS = (
    "captcha",  # reCAPTCHA, hCaptcha and the rest guard the comments of many an ordinary page, too
    "challenge-platform",
    "cf-turnstile",
    "challenges.cloudflare.com",
    "anomaly.js",
    "unusual traffic",
    "automated queries",
    "automated requests",
    "are you a robot",
    "not a robot",
    "verify you are human",
    "verifying you are human",
    "verify that you are human",
    "confirm you are human",
    "checking your browser",
    "enable javascript and cookies to continue",
    "pardon our interruption",
    "unable to process request at this time",  # Yahoo, with its status 999
    "httpservice/retry/enablejs",  # Google, instead of results; stands beside them as well
    "trouble accessing google search",
    "emsg=sg_rel",
    "자동입력 방지",
    "보안문자",
    "로봇이 아닙",
    "비정상적인 접근",
    "비정상적인 검색",
    "자동화된 요청",
)
"""Marks in lower case that ordinary pages may have or mention, too; those have far more text than a challenge."""
MAX_CHALLENGE_CHARS = 1_000
"""A challenge has at most this much visible text, without spaces; articles have more."""
_UNSEEN = ("script", "style", "noscript", "template", "svg")


def is_challenge(page: str) -> bool:
    """Return whether *page*, in which no results were found, asks visitors to prove they are human."""
    lowered = page.lower()
    if any(mark in lowered for mark in CHALLENGE_MARKS):
        return True
    return any(mark in lowered for mark in SUSPICIOUS_MARKS) and not _says_more_than(MAX_CHALLENGE_CHARS, lowered)


def _says_more_than(chars: int, lowered: str) -> bool:
    """Return whether more than *chars* characters of *lowered* are visible text, in linear time."""
    place = 0
    while place < len(lowered):
        tag = lowered.find("<", place)
        chars -= len("".join(lowered[place : tag if tag >= 0 else len(lowered)].split()))
        if chars < 0 or tag < 0:
            break
        place = _after(tag, lowered)
    return chars < 0


def _after(tag: int, lowered: str) -> int:
    """Return where the tag or comment at *tag* ends; for an invisible element (``<script>``), where its content ends."""
    name = lowered[tag + 1 : tag + 10]
    unseen = next((element for element in _UNSEEN if name.startswith(element)), None)
    close = "-->" if name.startswith("!--") else f"</{unseen}" if unseen else ">"
    end = lowered.find(close, tag + 1)
    return len(lowered) if end < 0 else end + len(close)
