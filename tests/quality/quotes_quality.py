"""How well the sentences of a talk are quoted that answer a question, and nothing where none does.

Questions are those of ``quote_sets`` that are kept aside, about the sample videos (``samples``), talks (``talks``), reworded ones
(``reworded``), real videos (``videos``) and articles of an encyclopedia read as talks (``articles``); ``_en`` where the talk is
in English. ``found`` is the share of the questions with an answer for which a quoted sentence holds it, ``quiet`` the share of
the others for which nothing is quoted.

``viewers`` are viewers' questions, ``moments`` short ones at moments: ``found`` and ``first`` are the shares for which an
essential sentence is among those quoted, and in the first quotation, ``helpful`` the share of the quotations that help.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from search_core.answers.passages import choose_passages
from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.quotes import said_in
from search_core.domain.video import VideoContext
from search_core.language.korean import has_hangul
from tests.quality.excerpts_quality import question_scorer
from tests.quality.quote_sets import ViewerAsked, articles, at_moments, of_videos, of_viewers, own, parse
from tests.quality.scope import KIWI, Scope
from tests.quality.scorers import LOAD_S, hosts
from tests.quality.sets import share, under
from tests.search_core.answers.asking import best_quotes


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name; those of another scorer than Kiwi bear its name."""
    questions = [each for each in (*own(), *((*of_videos(), *articles()) if scope.reads_development else ())) if each.kept_aside]
    figures: dict[str, float] = {}
    for model, host in hosts(scope):
        embedder = host.wait(LOAD_S)
        place = "quotes" if model == KIWI else f"quotes/{embedder.name}"
        scorer = replace(question_scorer(embedder, host.answer_odds), ends=host.sentence_end_odds)
        outcomes: defaultdict[str, list[bool]] = defaultdict(list)
        for each in questions:
            parsed = parse(each, scorer)
            passages = choose_passages(parsed, each.video, scorer)
            quotes = best_quotes(parsed, passages, scorer)
            sentences = [one.text for one in said_in(parsed, passages, scorer.ends)[0]]
            quoted = [text for text in sentences if any(text in quote.text for quote in quotes)]
            name = _named(each.kind.partition(" ")[0], each.video)
            if each.answered:
                outcomes[f"{name}_found"].append(any(map(each.is_answered_by, (*(quote.text for quote in quotes), *quoted))))
            else:
                outcomes[f"{name}_quiet"].append(not quotes)
        for viewed in (*of_viewers(scope), *at_moments()):
            if viewed.kept_aside:
                _ask_viewer(viewed, scorer, outcomes)
        figures |= under(place, {name: share(right) for name, right in outcomes.items()})
    return figures


def _named(kind: str, video: VideoContext) -> str:
    return kind if has_hangul(video.transcript[-1].text) else f"{kind}_en"


def _ask_viewer(asked: ViewerAsked, scorer: QuestionScorer, outcomes: defaultdict[str, list[bool]]) -> None:
    """Add to *outcomes* whether what is quoted for *asked* answers and helps."""
    parsed = parse(asked, scorer)
    if parsed.whole:
        return
    passages = choose_passages(parsed, asked.video, scorer)
    quotes = best_quotes(parsed, passages, scorer)
    spoken, _ = said_in(parsed, passages, scorer.ends)
    name = _named("moments" if asked.kind == "moments" else "viewers", asked.video)
    if not asked.answered:
        outcomes[f"{name}_quiet"].append(not quotes)
        return
    essential, helping = ([spoken[place].text for place in places(spoken)] for places in (asked.right_among, asked.helping_among))
    hits = [any(text in quote.text for text in essential) for quote in quotes]
    outcomes[f"{name}_found"].append(any(hits))
    outcomes[f"{name}_first"].append(bool(hits) and hits[0])
    outcomes[f"{name}_helpful"] += [any(text in quote.text for text in helping) for quote in quotes]
