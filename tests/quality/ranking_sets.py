"""Questions with results of which it is known whether they answer, most of them with a video: for learning the score of a result.

``articles``: an article of KorQuAD's development half plays the video (its title and first paragraphs), the question leaves its
subject out or not; results are the paragraph that answers, others of the article and like ones of others. Where another year is
put into the question, or another article plays the video, none answers. ``passages``: questions of the development sets with the
passages most like them, in Korean, in English and across, without a video. ``stories``: those of ``data/parallel.jsonl`` in three
languages. ``news``: RealTimeQA with its recorded results. What
``ranking_quality`` asks of the development sets is not among them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from search_core.domain.report import Question, SearchOptions
from search_core.domain.result import SearchResult
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language import korean
from search_core.language.sentences import split_sentences
from search_core.search.pipeline import begin_report, scored_for
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.video.discovery import discover
from tests.quality.answer_line_sets import NOW, pooled, realtimeqa
from tests.quality.ranking_quality import SEED as GATED
from tests.quality.ranking_quality import Finder, asked_of, retrieval_sets
from tests.quality.sets import part_of, read_articles, read_rows
from tests.quality.viewer_sets import is_kept_aside, video_of

SEED = 11
VIEWERS = "viewers"
QUESTIONS = {
    "ssis_welfare": 60,
    "korquad1_dev": 80,
    "upstage_ir": 100,
    "msmarco_ko": 120,
    "msmarco_en": 120,
    "msmarco_en_en": 120,
}
LIKE, ANY = 6, 3
"""Of the results that do not answer: so many like the question, and so many that are not."""
ASKED_BESIDE = 2
"""Which of the questions on a story it does not answer."""
PARAGRAPHS = 3
"""Of an article that plays a video at least so many, of which the first half is said in it."""
SNIPPET_CHARS = 390
_PARTICLES = r"(?:이?라는|이란|란|에게서|에게|에서|에는|에|으로|로|은|는|이|가|을|를|의|와|과|도|께서)?(?=\s|[,.?!]|$)"
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?=년)")


@dataclass(frozen=True, slots=True)
class JudgedList:
    """A question, its results in the order given, and which of them answer."""

    kind: str
    group: str
    """Questions of one group are learnt from, or measured by, together."""
    question: str
    video: VideoContext | None
    results: tuple[SearchResult, ...]
    right: tuple[bool, ...]
    served: bool = False
    """Whether a search service gave the order."""
    now: datetime = NOW
    moment_s: float | None = None

    def sought(self) -> dict[str, Any]:
        """Return what a search would score the results for, with the question understood in its video."""
        intent = QueryIntentAnalyzer().analyze_intent(self.question, self.video, moment_s=self.moment_s)
        constructed = QueryConstructor().query_for(intent, self.video)
        asked = Question(text=self.question, video=self.video, moment_s=self.moment_s)
        report = begin_report(asked, SearchOptions(), intent, constructed)
        return scored_for(report) | {"freshness_matters": self.served}

    @property
    def learnt_from(self) -> bool:
        """Return whether this belongs to the two thirds that are learnt from."""
        if self.kind == VIEWERS:
            return not is_kept_aside(self.group)
        return part_of(self.group, 3) > 0


def judged_lists() -> Iterator[JudgedList]:
    """Yield all lists."""
    yield from articles()
    yield from passages()
    yield from stories()
    yield from news()
    yield from viewers()


def articles(most: int = 9) -> Iterator[JudgedList]:
    """Yield questions about articles that take the place of a video, at most *most* of each."""
    corpus, of_article, answered = read_articles()
    gated = {question for question, _ in asked_of(retrieval_sets()["korquad1_dev"][1], random.Random(GATED))}
    questions = {
        article: own
        for article, rows in answered.items()
        if len(of_article[article]) >= PARAGRAPHS and (own := [row for row in rows if row["text"] not in gated])
    }
    finder, rng = Finder(corpus), random.Random(SEED)
    named = sorted(questions)
    for article in named:
        titled = rng.random() < 0.6
        rows = rng.sample(questions[article], min(3 * most, len(questions[article])))
        rows.sort(key=lambda row: without_title(row["text"], article) is None)
        for row in rows[:most]:
            own = of_article[article]
            bare = without_title(row["text"], article)
            gold = frozenset(row["rel"])
            rest = rng.sample([name for name in own if name not in gold], min(4, len(own) - 1))
            text = bare if bare and rng.random() < 0.75 else row["text"]
            others = finder.like(text, own, LIKE - len(rest) + 1, rng)
            names = [*gold, *rest, *others, *rng.sample([n for n in corpus if n not in own], 2)]
            rng.shuffle(names)
            hits = tuple(hit(name.rpartition("#")[0].replace("_", " ") if titled else "", corpus[name]) for name in names)
            video = playing(article, [corpus[name] for name in own[: max(2, len(own) // 2)]], rng)
            right = tuple(name in gold for name in names)
            yield JudgedList("articles", article, text, video, hits, right)
            if bare and text == bare and rng.random() < 0.3:
                other = rng.choice([name for name in named if name != article])
                video = playing(other, [corpus[name] for name in of_article[other][:3]], rng)
                yield JudgedList("another subject", article, text, video, hits, (False,) * len(hits))
            if year := _YEAR.search(text):
                wrong = str(int(year[1]) + rng.choice((-3, -2, -1, 1, 2, 3)))
                changed = text.replace(year[1], wrong)
                right = tuple(r and wrong in h.snippet and year[1] not in h.snippet for r, h in zip(right, hits, strict=True))
                yield JudgedList(
                    "another year", article, changed, playing(article, [corpus[n] for n in own[:3]], rng), hits, right
                )


def without_title(question: str, article: str) -> str | None:
    """Return *question* without the title of its *article*, which a viewer leaves out; None where it does not name it."""
    title = re.sub(r"\s*\(.*?\)", "", article.replace("_", " ")).strip()
    for name in (title, title.split()[-1]):
        bare = re.sub(rf"(?<!\S){re.escape(name)}{_PARTICLES}", "", question)
        if len(name) > 1 and bare != question and len(korean.terms(bare)) > 1:
            return " ".join(bare.split())
    return None


def playing(article: str, paragraphs: Sequence[str], rng: random.Random) -> VideoContext:
    """Return an article as a video that says its sentences; four in five have a title."""
    sentences = [each for paragraph in paragraphs for each in split_sentences(paragraph)]
    segments = tuple(TranscriptSegment(6.0 * n, 6.0 * n + 6, text) for n, text in enumerate(sentences))
    title = article.replace("_", " ") if rng.random() < 0.8 else ""
    return discover(VideoContext(title=title, transcript=segments))


def passages() -> Iterator[JudgedList]:
    """Yield questions of the development sets with the passages most like them; one in five without those that answer."""
    rng = random.Random(SEED)
    for kind, (corpus, questions) in retrieval_sets().items():
        if kind not in QUESTIONS:
            continue
        gated = {question for question, _ in asked_of(questions, random.Random(GATED))}
        rows = [row for row in questions if row[0] not in gated and 0 < len(row[1]) < 4]
        finder = Finder(corpus)
        for number, (question, gold) in enumerate(rng.sample(rows, min(len(rows), QUESTIONS[kind]))):
            chosen = [] if number % 5 == 0 else sorted(gold)
            likened = corpus[min(gold)][:200] if kind == "msmarco_en" else question  # no English words to go by
            names = [*chosen, *finder.like(likened, gold, LIKE, rng), *rng.sample([n for n in corpus if n not in gold], ANY)]
            names = list(dict.fromkeys(names))
            rng.shuffle(names)
            hits = tuple(hit("", corpus[name]) for name in names)
            yield JudgedList(kind, question, question, None, hits, tuple(name in gold for name in names))


def stories() -> Iterator[JudgedList]:
    """Yield questions that a story in Korean, English and Japanese answers, and one beside it, among four other stories."""
    rows = [row for row in read_rows("parallel") if row["half"] == "tuned"]
    for number, row in enumerate(rows):
        company = [rows[(number + step) % len(rows)]["story"] for step in (3, 7, 11, 13)]
        hits = tuple(hit(title, text) for story in (row["story"], *company) for title, text in story)
        for place, question in enumerate(row["questions"]):
            right = tuple(at < len(row["story"]) and place < ASKED_BESIDE for at in range(len(hits)))
            yield JudgedList("stories", row["questions"][0], question, None, hits, right)


def news() -> Iterator[JudgedList]:
    """Yield dated questions with the pages that a search service gave."""
    for kind, rows in (("news", realtimeqa()), ("pooled", pooled())):
        for row in rows:
            right = tuple(row.is_held_by(f"{each.title} {each.snippet}") for each in row.results)
            if row.results:
                yield JudgedList(kind, row.group, row.text, None, row.results, right, kind == "news", row.day)


def viewers() -> Iterator[JudgedList]:
    """Yield questions of viewers, each with eight results written for it."""
    asked = {row["id"]: row for row in read_rows("viewer_questions")}
    for row in read_rows("viewer_results"):
        question, results = asked[row["id"]], row["results"]
        video, moment_s = question["video"], question.get("moment_s")
        hits = tuple(hit(each["title"], each["snippet"]) for each in results)
        right = tuple(each["answers"] for each in results)
        yield JudgedList(VIEWERS, video, question["question"], video_of(video), hits, right, moment_s=moment_s)


def hit(title: str, text: str) -> SearchResult:
    """Return a result with this title and text."""
    return SearchResult(title=title, url="", snippet=text[:SNIPPET_CHARS], source="")
