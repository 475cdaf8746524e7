"""How well the sentences of a long page are chosen that a language model is given.

Pages are made of web passages in English, one of which answers a question that is asked in Korean (MS MARCO). ``found`` is the
share of questions for which a sentence of that passage is among the 1,200 letters chosen, ``share`` the mean share of its
sentences that are.
"""

from __future__ import annotations

import random
from statistics import fmean

from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.reader import ReadAnswers
from search_core.checking.online_check import add_excerpts
from search_core.domain.result import SearchResult
from search_core.language.sentences import sentences_of
from search_core.language.vectors import Embedder
from search_core.search.ranking.filter import RelevanceFilter
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from tests.quality.scope import Scope
from tests.quality.scorers import figures_of_scorers
from tests.quality.sets import loaders, share

QUESTIONS = 40
PASSAGES = 20
"""Of a page: about 6,500 letters."""
SEED = 7
URL = "https://page.example"


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name, none without the development data."""
    return figures_of_scorers("excerpts", scope, _figures) if scope.reads_development else {}


def _figures(embedder: Embedder) -> dict[str, float]:
    scorer = question_scorer(embedder)
    rng = random.Random(SEED)
    answered = [row for row in loaders().msmarco_ko_en("dev") if row["en_pos"]]
    shares = []
    for row in rng.sample(answered, QUESTIONS):
        others = [other for other in answered if other["_id"] != row["_id"]]
        passages = [row["en_pos"][0], *(other["en_pos"][0] for other in rng.sample(others, PASSAGES - 1))]
        rng.shuffle(passages)
        page = SearchResult(title="", url=URL, snippet="", source="")
        [chosen] = add_excerpts([page], {URL: "\n".join(passages)}, row["ko_query"], None, scorer.model)
        lines = set(chosen.snippet.split("\n"))
        gold = sentences_of(row["en_pos"][0], PASSAGES)
        shares.append(sum(sentence in lines for sentence in gold) / max(1, len(gold)))
    return {"ko_en/found": share(part > 0 for part in shares), "ko_en/share": fmean(shares)}


def question_scorer(embedder: Embedder, answers: ReadAnswers | None = None) -> QuestionScorer:
    """Return what scores texts against questions with *embedder*, and finds in talks what *answers* them."""
    relevance = RelevanceFilter(embedder)
    return QuestionScorer(
        relevance=lambda: relevance, analyzer=QueryIntentAnalyzer(), constructor=QueryConstructor(), answers=answers
    )
