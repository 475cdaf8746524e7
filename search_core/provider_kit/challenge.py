"""Pages that ask for proof of a human where results should be."""

from __future__ import annotations

CHALLENGE_MARKS = (
    "anomaly-modal",  # DuckDuckGo
    "anomaly.js",
    "challenge-form",  # DuckDuckGo, Cloudflare
    "challenge-platform",  # Cloudflare
    "cf-turnstile",
    "g-recaptcha",
    "/recaptcha/",
    "/sorry/index",  # Google
    "unusual traffic",
    "h-captcha",
    "hcaptcha.com",
    "px-captcha",  # PerimeterX
    "captcha-delivery",  # DataDome
    "awswafcaptcha",
)
"""Parts of the markup of such pages, in lower case; they come with any status, 200 as well."""


def is_challenge(page: str) -> bool:
    """Tell whether *page*, which was found to hold no results, is one of these."""
    lowered = page.lower()
    return any(mark in lowered for mark in CHALLENGE_MARKS)
