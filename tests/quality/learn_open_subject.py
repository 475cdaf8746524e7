"""Learns which Korean questions leave to the video what they are about: ``python -m tests.quality.learn_open_subject``.

Writes ``search_core/search/intent/data/open_subject.json``. Learnt from questions about talks written for this project, of which
``data/elliptical.jsonl`` names those that no search answers without the video, from short ones on anything else there, and from
some of SQuARe's and MIRACL's, which stand alone. A fifth is kept aside, by question.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from search_core.search.intent import open_subject
from search_core.search.intent.analyzer import specific_terms
from search_core.search.intent.open_subject import NAMES, read_question
from search_core.text.korean import has_hangul, morphemes
from search_core.text.korean.content import content_terms
from tests.quality.learn_claim_weights import fit_scaled
from tests.quality.sets import loaders, read_rows

TARGET = Path(open_subject.__file__).parent / "data" / "open_subject.json"
OF_SETS = 800
"""Questions of SQuARe, and of MIRACL."""
TRUST = {"open": 2.0, "own": 1.0, "general": 0.6, "sets": 0.7}
SEED = 1


class Labelled(NamedTuple):
    """A question, where it is from and whether it leaves its subject open."""

    text: str
    kind: str

    @property
    def kept_aside(self) -> bool:
        """Return whether this is measured by and not learnt from."""
        return zlib.crc32(self.text.encode()) % 5 == 0


def own() -> Iterator[Labelled]:
    """Yield the project's own questions."""
    labelled = {row["question"]: row["open"] for row in read_rows("elliptical")}
    yield from (Labelled(text, "open" if is_open else "general") for text, is_open in labelled.items())
    asked = dict.fromkeys(row["question"] for row in read_rows("quotes"))
    yield from (Labelled(text, "own") for text in asked if has_hangul(text) and text not in labelled)


def sets() -> Iterator[Labelled]:
    """Yield questions of SQuARe and MIRACL."""
    load, rng = loaders(), random.Random(SEED)
    for texts in (
        [row["text"] for row in load.miracl_mrtydi_queries("dev")],
        [row["text"] for row in load.square_questions("dev")],
    ):
        yield from (Labelled(text, "sets") for text in rng.sample(texts, OF_SETS))


def main() -> None:
    """Learn and write."""
    rows = [row for row in (*own(), *sets()) if not row.kept_aside]
    read = np.array([list(_read(row.text).values()) for row in rows], dtype=np.float64)
    trust = np.array([TRUST[row.kind] for row in rows])
    learnt = fit_scaled(read, np.array([row.kind == "open" for row in rows]), trust)
    named = {name: round(float(weight), 3) for name, weight in zip(NAMES, learnt.weights, strict=True)}
    stored = {"bias": round(learnt.bias, 3), "weights": named}
    TARGET.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _read(text: str) -> dict[str, float]:
    terms = content_terms(text)
    return read_question(text, morphemes(text), specific_terms(terms), sum(term.attribute for term in terms))


if __name__ == "__main__":
    main()
