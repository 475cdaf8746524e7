"""How well the sentences of a talk are quoted that answer a question, and nothing where none does.

Questions are those of ``quote_sets`` that are kept aside: about the sample videos (``samples``), talks (``talks``), reworded ones
(``reworded``), real videos (``videos``) and articles of an encyclopedia read as talks (``articles``); ``_en`` where the talk is
in English. ``found`` is the share of the questions with an answer for which a quoted sentence holds it, ``quiet`` the share of
the others for which nothing is quoted.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from search_core.answers.passages import choose_passages
from search_core.answers.quotes import best_quotes
from search_core.domain import Question
from search_core.text.korean import has_hangul
from tests.quality.passage_quality import question_scorer
from tests.quality.quote_sets import articles, of_videos, own
from tests.quality.scope import ALL, KIWI, Scope
from tests.quality.scorers import LOAD_S, hosts
from tests.quality.sets import share


def measure(scope: Scope = ALL) -> dict[str, float]:
    """Return each figure by name; those of another scorer than Kiwi bear its name."""
    asked = [each for each in (*own(), *((*of_videos(), *articles()) if scope.reads_development else ())) if each.kept_aside]
    figures: dict[str, float] = {}
    for model, host in hosts(scope):
        embedder = host.wait(LOAD_S)
        place = "quotes" if model == KIWI else f"quotes/{embedder.name}"
        scorer = replace(question_scorer(embedder), ends=host.sentence_ends.odds_or_none)
        told: defaultdict[str, list[bool]] = defaultdict(list)
        for each in asked:
            parsed = scorer.parse(Question(text=each.text, video=each.video), of_video=True)
            quotes = best_quotes(parsed, choose_passages(parsed, each.video, scorer), scorer)
            name = each.kind.partition(" ")[0] + ("" if has_hangul(each.video.transcript[-1].text) else "_en")
            if each.holds:
                told[f"{name}_found"].append(any(each.is_answered_by(quote.text) for quote in quotes))
            else:
                told[f"{name}_quiet"].append(not quotes)
        figures |= {f"{place}/{name}": share(right) for name, right in told.items()}
    return figures
