"""Sentences that are worth a check and sentences that are not: the project's own and, where they are, development sets."""

from __future__ import annotations

from dataclasses import dataclass

from tests.quality.sets import loaders, read_rows

_LONG = 25
"""Letters from which on two equal sentences of debates are one and the same, and not "Thank you."."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One sentence and whether it is worth a check."""

    text: str
    worth: bool


def korean(side: str) -> list[Labelled]:
    """Return the project's own sentences of that *side*: "tuned" were learnt from, "held" were not."""
    return [Labelled(text=row["text"], worth=row["worth"]) for row in read_rows("claims_worth") if row["side"] == side]


def claimbuster() -> list[Labelled]:
    """Return sentences of US presidential debates, as annotators of ClaimBuster saw them."""
    return [Labelled(text=row["text"], worth=row["checkworthy"]) for row in loaders().claimbuster("dev")]


def debates() -> list[list[Labelled]]:
    """Return whole debates and speeches, line by line; worth a check is what a newsroom took up, two in a hundred."""
    return [[Labelled(text=line["text"], worth=line["checkworthy"]) for line in row["lines"]] for row in loaders().debates("dev")]


def learnt_from() -> list[Labelled]:
    """Return what the weights are learnt from: nothing that stands in the debates, nothing that was kept aside."""
    measured = {line.text.casefold().strip() for debate in debates() for line in debate if len(line.text) > _LONG}
    return [*(row for row in claimbuster() if row.text.casefold().strip() not in measured), *korean("tuned")]
