"""Whether two sentences of the same words say the opposite: one denies what the other asserts, or has the opposite word for it.

Few contradictions are found this way, and nearly all of them are: on pairs of premises and hypotheses 24 of 26.
"""

from __future__ import annotations

import re

from search_core.stance.claim import Claim

_NEGATION = re.compile(r"않|못|없|아니|(?<![가-힣])안\s|\b(?:not|never|no|none|nobody|nothing|neither)\b|n['’]t\b", re.IGNORECASE)
_LIMITED = re.compile(
    r"항상|모두|모든|전부|거의|대부분|완전히|반드시|꼭|뿐|더 이상|아직|이미|보다|처럼|만큼|때문|위해|다\s|만\s"
    r"|[라다냐자](?:고|는)|\b(?:all|always|only|still|already|yet|because|every|fully)\b",
    re.IGNORECASE,
)
"""Words by which a denial reaches a part of a statement alone ("모두 온 것은 아니다"), or is somebody's word."""
_UNDER_CONDITION = re.compile(
    r"(?<![가-힣])만약|(?<![가-힣])만일|[가-힣](?:다면|(?<!따르)(?<!의하)(?<!보)면|거든|어야|아야|여야)(?:[\s,]|만\s)|없이는|경우(?:에는?|,|\s)"
    r"|\b(?:if|unless|provided|would have|without)\b",
    re.IGNORECASE,
)


def is_conditional(text: str) -> bool:
    """Return whether *text* says something only under a condition."""
    return _UNDER_CONDITION.search(text) is not None


def is_limited(text: str) -> bool:
    """Return whether *text* has a word by which a denial would reach a part of it alone."""
    return _LIMITED.search(text) is not None


def denials_in(text: str) -> int:
    """Return how many words of *text* deny something."""
    return len(_NEGATION.findall(text))


def same_event(statement: Claim, web: Claim) -> bool:
    """Return whether both say that the same happened, or that it did not."""
    return bool({(h.axis, h.side) for h in statement.happenings} & {(h.axis, h.side) for h in web.happenings})
