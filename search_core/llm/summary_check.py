"""What a model wrote, let through only when it can be a Korean summary of what it was given.

Instructions hidden in pages are not stopped by asking the model nicely; what the application lets through is the boundary. So a
summary holds no address, no markup, and no Latin word that the page itself does not hold.
"""

from __future__ import annotations

import re
import unicodedata

from search_core.errors import LanguageModelError, LanguageModelFailure
from search_core.korean import detect_language

MAX_SUMMARY_CHARS = 300

_THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
"""Reasoning models of some local servers think aloud first."""
_ADDRESS = re.compile(
    r"[a-z0-9+.-]://|www\.|(?:data|javascript|mailto):|\b[\w-]{1,63}\.(?:com|net|org|io|kr|co|ru|cn|me|app|dev)\b", re.I
)
_MARKUP = re.compile(r"!\[|\]\s*[(\[:]|<[a-z/!]|`|^\s{0,3}(?:#{1,6}\s|[-*+]\s|>|\|)|\[\d+\]", re.I | re.M)
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")
"""Shorter ones ("AI", "TV") are used in Korean sentences as they are."""


def check_summary(answer: str, given: str, fence: str) -> str:
    """Return *answer* on one line when it can be shown as a summary of *given*; raises LanguageModelError otherwise.

    *fence* is the mark around the data in the prompt; an answer that repeats it repeats the prompt.
    """
    text = " ".join(unicodedata.normalize("NFC", _THOUGHTS.sub(" ", answer)).split()).strip("“”\"' ")
    problem = _problem(text, answer, given, fence)
    if problem:
        raise LanguageModelError(
            f"The language model's summary was refused: {problem}.",
            korean="언어 모델이 쓴 요약을 쓸 수 없어요.",
            kind=LanguageModelFailure.UNUSABLE,
        )
    return text


def _problem(text: str, answer: str, given: str, fence: str) -> str | None:
    if not text:
        return "it is empty"
    if len(text) > MAX_SUMMARY_CHARS:
        return f"it is longer than {MAX_SUMMARY_CHARS} characters"
    if fence in text:
        return "it repeats the prompt"
    if detect_language(text) != "ko":
        return "it is not Korean"
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs") for char in text):
        return "it holds invisible characters"
    if _ADDRESS.search(text) and not _only_known_hosts(text, given):
        return "it holds an address"
    if _MARKUP.search(_THOUGHTS.sub(" ", answer).strip()):
        return "it holds markup"
    known = given.casefold()
    known += re.sub(r"[\s-]", "", known)
    if any(word.casefold() not in known for word in _LATIN_WORD.findall(text)):
        return "it holds words the page does not hold"
    return None


def _only_known_hosts(text: str, given: str) -> bool:
    """Return whether all that looks like an address are bare host names that the result itself names."""
    return all("." in found and ":" not in found and found in given for found in (match[0] for match in _ADDRESS.finditer(text)))
