"""How well the passages of a transcript are chosen for a question.

The sample videos are asked always, the English one also in Korean and shortly (``across``: questions written before anything was
measured, half of them for tuning and half not, and half of each without an answer in the video), talks made of an encyclopedia's
articles where the development sets are. English talks are asked in Korean there, too: lectures by the translation of one of their
sentences (``lectures``), talks made of web passages by the translation of a web question (``web``).
Short talks with their own questions (``reworded``) are asked in other words than theirs: another form of the verb, another verb,
a year for what is said of a year; half of the talks were not looked at while the code was written (``held``); ``quoted`` is the
share whose answer is quoted, ``stated`` the share of quotations that ask nothing.

``recall1`` and ``recall6`` are the shares of questions whose answer stands in the first, and in one, of the passages chosen.
``bears`` is the share of questions with an answer for which a passage that holds it counts as near enough to answer;
``quiet`` the share of questions without one for which none does. Unanswered questions of the samples are about their subject, as
those of people who watched are; those of the articles (``other_quiet``) are about other articles, and those about the talk's own
article whose paragraph was left out (``left_out_quiet``) are the hardest: their words are all over the talk.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from search_core.answers.passages import choose_passages, relevant_passages
from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.quotes import best_quotes
from search_core.answers.reader import ReadAnswers
from search_core.domain.report import Question
from search_core.domain.video import TranscriptPassage, TranscriptSegment, VideoContext
from search_core.embedding import Embedder
from search_core.ranking import RelevanceFilter
from search_core.search.understanding import QueryConstructor, QueryIntentAnalyzer
from search_core.video import samples
from search_core.video.sentences import without_noise
from tests.quality.quote_sets import ACROSS_VIDEO, as_said, split_text
from tests.quality.scope import ALL, KIWI, Scope
from tests.quality.scorers import scorers
from tests.quality.sets import loaders, read_rows, share

QUESTIONS = 150
LEAST_PARAGRAPHS = 6
"""Articles with fewer make no talk."""
FOREIGN_QUESTIONS = 80
"""Of each kind of English talk."""
TALKS = 5
"""English talks that the questions of a kind are about."""
LEAST_SENTENCE = 60
"""Letters of an English sentence that tells enough to be asked for."""
SEED = 7


class Chosen(NamedTuple):
    """What was chosen for one question, and the words of its answer; None when the video holds none."""

    question: str
    holds: tuple[str, ...] | None
    passages: tuple[TranscriptPassage, ...]


def measure(scope: Scope = ALL) -> dict[str, float]:
    """Return each figure by name; those of another scorer than Kiwi bear its name."""
    figures: dict[str, float] = {}
    for model, embedder in scorers(scope):
        place = "passages" if model == KIWI else f"passages/{embedder.name}"
        found = figures_of(embedder, development=scope.reads_development)
        figures |= {f"{place}/{name}": value for name, value in found.items()}
    return figures


def figures_of(embedder: Embedder, *, development: bool) -> dict[str, float]:
    """Return each figure of *embedder* by name, those of the development data if it is to be read."""
    scorer = question_scorer(embedder)
    figures = {f"shipped/{name}": value for name, value in _samples(scorer, read_rows("passages")).items()}
    for part in ("tuned", "held"):
        rows = [{**row, "video": ACROSS_VIDEO} for row in read_rows("passages_across") if row["part"] == part]
        figures |= {f"across/{part}_{name}": value for name, value in _samples(scorer, rows).items()}
    for part in ("tuned", "held"):
        figures |= {f"reworded/{part}_{name}": value for name, value in _reworded(scorer, part).items()}
    if development:
        load = loaders()
        corpus, questions = load.retrieval("korquad1_dev", "dev")
        figures |= {f"korquad/{name}": value for name, value in _talks(scorer, corpus, questions).items()}
        foreign = {
            "lectures": _lectures(scorer, load.parallel("3b1b_subtitles", "dev")),
            "web": _web(scorer, load.msmarco_ko_en("dev")),
        }
        figures |= {f"{kind}_ko_en/{name}": value for kind, told in foreign.items() for name, value in _found(told).items()}
        figures |= {f"ko_en/{name}": value for name, value in _found([*foreign["lectures"], *foreign["web"]]).items()}
    return figures


def question_scorer(embedder: Embedder, answers: ReadAnswers | None = None) -> QuestionScorer:
    """Return what scores texts against questions with *embedder*, and finds in talks what *answers* them."""
    relevance = RelevanceFilter(embedder)
    return QuestionScorer(
        relevance=lambda: relevance, analyzer=QueryIntentAnalyzer(), constructor=QueryConstructor(), answers=answers
    )


def _samples(scorer: QuestionScorer, rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return the figures of hand-written questions about the sample videos."""
    videos = {video.video_id: video for video in samples()}
    told = []
    for row in rows:
        video, holds = videos[row["video"]], row["holds"]
        said = " ".join(" ".join(segment.text.split()) for segment in video.transcript)
        assert holds is None or holds in said, f"{holds}: a question that nobody can answer"
        told.append(_chosen(scorer, row["question"], video, (holds,) if holds else None))
    return {**_found(told), "quiet": _quiet(told)}


def _reworded(scorer: QuestionScorer, part: str) -> dict[str, float]:
    """Return the figures of the short talks of *part*, a sentence a caption."""
    told, quoted, stated = [], [], []
    for row in read_rows("passages_reworded"):
        if row["part"] != part:
            continue
        video = as_said(row["said"], row["talk"])
        for asked in row["questions"]:
            chosen = _chosen(scorer, asked["question"], video, (asked["holds"],) if asked["holds"] else None)
            told.append(chosen)
            parsed = scorer.parse(Question(text=chosen.question, video=video), of_video=True)
            quotes = [quote.text for quote in best_quotes(parsed, chosen.passages, scorer)]
            stated += [not quote.endswith(("까?", "요?")) for quote in quotes]
            if chosen.holds:
                quoted.append(any(chosen.holds[0] in quote for quote in quotes))
    bears = _found(told)["bears"]
    return {"bears": bears, "quoted": share(quoted), "stated": share(stated), "quiet": _quiet(told)}


def _talks(scorer: QuestionScorer, corpus: Mapping[str, str], questions: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    rng = random.Random(SEED)
    articles: defaultdict[str, list[str]] = defaultdict(list)
    for identity in corpus:
        articles[identity.rpartition("#")[0]].append(identity)
    long = {name for name, paragraphs in articles.items() if len(paragraphs) >= LEAST_PARAGRAPHS}
    asked = rng.sample([row for row in questions if row["rel"] and row["article"] in long], QUESTIONS)
    names = sorted(long)
    own, other, left_out = [], [], []
    for row in asked:
        paragraphs = articles[row["article"]]
        stranger = articles[names[(names.index(row["article"]) + 1) % len(names)]]
        without = [identity for identity in paragraphs if not any(answer in corpus[identity] for answer in row["answers"])]
        own.append(_chosen(scorer, row["text"], _talk(row["article"], paragraphs, corpus), tuple(row["answers"])))
        other.append(_chosen(scorer, row["text"], _talk(stranger[0].rpartition("#")[0], stranger, corpus), None))
        if without:
            left_out.append(_chosen(scorer, row["text"], _talk(row["article"], without, corpus), None))
    return {**_found(own), "other_quiet": _quiet(other), "left_out_quiet": _quiet(left_out)}


def _talk(title: str, paragraphs: Sequence[str], corpus: Mapping[str, str]) -> VideoContext:
    """Return *paragraphs* as if somebody said them, a sentence a caption."""
    said = [sentence for identity in paragraphs for sentence in split_text(corpus[identity])]
    return as_said(said, title.replace("_", " "))


def _lectures(scorer: QuestionScorer, rows: Sequence[Mapping[str, Any]]) -> list[Chosen]:
    """Ask the longest English lectures in Korean for sentences of theirs."""
    rng = random.Random(SEED)
    by_video: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_video[row["video"]].append(row)
    told = []
    for name in sorted(by_video, key=lambda name: -len(by_video[name]))[:TALKS]:
        said = sorted(by_video[name], key=lambda row: row["start"])
        segments = tuple(TranscriptSegment(row["start"], row["end"], " ".join(row["en"].split())) for row in said)
        video = VideoContext(title=name.rpartition("/")[2].replace("-", " "), transcript=segments)
        telling = [row for row in said if len(row["en"]) >= LEAST_SENTENCE]
        for row in rng.sample(telling, min(len(telling), FOREIGN_QUESTIONS // TALKS)):
            told.append(_chosen(scorer, row["ko_mt"], video, (" ".join(row["en"].split()),)))
    return told


def _web(scorer: QuestionScorer, rows: Sequence[Mapping[str, Any]]) -> list[Chosen]:
    """Ask talks made of English web passages in Korean; half of their passages answer none of the questions."""
    rng = random.Random(SEED)
    size = 2 * FOREIGN_QUESTIONS // TALKS
    chosen = rng.sample([row for row in rows if row["en_pos"]], size * TALKS)
    told = []
    for talk in range(TALKS):
        part = chosen[talk * size : (talk + 1) * size]
        corpus = {row["_id"]: " ".join(row["en_pos"][0].split()) for row in part}
        video = _talk("", list(corpus), corpus)
        for row in part[::2]:
            answer = split_text(corpus[row["_id"]])[0]
            told.append(_chosen(scorer, row["ko_query"], video, (answer,)))
    return told


def _chosen(scorer: QuestionScorer, text: str, video: VideoContext, holds: tuple[str, ...] | None) -> Chosen:
    asked = scorer.parse(Question(text=text, video=video), of_video=True)
    return Chosen(text, holds, choose_passages(asked, video, scorer))


def _found(told: Iterable[Chosen]) -> dict[str, float]:
    answered = [each for each in told if each.holds]
    return {
        "recall1": share(_holds(each, each.passages[:1]) for each in answered),
        "recall6": share(_holds(each, each.passages) for each in answered),
        "bears": share(_holds(each, relevant_passages(each.passages)) for each in answered),
    }


def _quiet(told: Iterable[Chosen]) -> float:
    return share(not relevant_passages(each.passages) for each in told if each.holds is None)


def _holds(chosen: Chosen, passages: Sequence[TranscriptPassage]) -> bool:
    return any(without_noise(words) in without_noise(passage.text) for passage in passages for words in chosen.holds or ())
