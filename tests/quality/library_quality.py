"""How well the library finds what a question asks.

``recall10`` is the share of questions with a document that answers them among the first ten: by words alone (``kiwi``), and by
words and meaning under the model's name. The samples are asked always, questions on documents in their own language and in the
other one (``cross_lingual``), and what viewers of the sample videos ask with the video, through a whole search: ``video_first``
and ``video_mrr`` say where the document stands that answers, ``video_passage`` for how many its snippet begins with the paragraph
that does. Where the development sets are, five Korean ones and an English one, asked in Korean, make one
library: ``ko`` is the mean of the Korean ones.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from search_core.core import SearchCore
from search_core.domain.report import Question, SearchOptions
from search_core.domain.result import RankingOptions, SearchResult
from search_core.library.sqlite_library import LibraryIndex
from search_core.models.embedding.host import EmbedderHost
from search_core.providers.kit.contract import SearchRequest
from search_core.providers.library import LibraryProvider
from search_core.reading.documents import Document
from search_core.settings import Settings
from search_core.video.upload import samples
from search_core.wiring.library import OwnDocuments
from tests.quality.ranking_quality import KOREAN_SETS, LIBRARY, SEED, retrieval_sets
from tests.quality.scope import Scope
from tests.quality.scorers import LOAD_S, hosts
from tests.quality.sets import read_rows, share, under
from tests.search_core.library.put_in import put_in

FIRST = 10
QUESTIONS, DOCUMENTS = 50, 300
"""Of a development set: all of them fill a library in half an hour, these in minutes."""
DEVELOPMENT_SETS = (*KOREAN_SETS, "msmarco_ko", "msmarco_en")


class Asked(NamedTuple):
    """A question of a kind, and the addresses of the documents that answer it."""

    kind: str
    text: str
    gold: frozenset[str]


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name, of words alone and of the model that ships where it loads."""
    figures: dict[str, float] = {}
    for model, host in hosts(scope):
        recalls = _figures(host, development=scope.reads_development) | _asked_of_videos(model)
        figures |= under(f"library/{host.state().name}", recalls)
    return figures


def _figures(host: EmbedderHost, *, development: bool) -> dict[str, float]:
    figures = {f"shipped/{kind}_recall10": value for kind, value in _recalls(host, _samples(), _about_samples()).items()}
    if development:
        documents, questions = _development()
        recalls = _recalls(host, documents, questions)
        korean = [recalls[name] for name in DEVELOPMENT_SETS[:-1]]
        figures |= {f"{name}/recall10": recalls[name] for name in DEVELOPMENT_SETS}
        figures["ko/recall10"] = fmean(korean)
    return figures


def _recalls(host: EmbedderHost, documents: Sequence[Document], asked: Sequence[Asked]) -> dict[str, float]:
    """Return the recall of each kind of question in a library of *documents*."""
    outcomes: defaultdict[str, list[bool]] = defaultdict(list)
    with _library_of(documents, host) as provider:
        for question in asked:
            request = SearchRequest(query=question.text, question=question.text, limit=FIRST)
            urls = {result.url for result in asyncio.run(provider.search(request))}
            outcomes[question.kind].append(bool(urls & question.gold))
    return {kind: share(right) for kind, right in outcomes.items()}


@contextmanager
def _library_of(documents: Sequence[Document], host: EmbedderHost) -> Iterator[LibraryProvider]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(maekrak_data_dir=Path(folder), library_samples=False)
        with closing(LibraryIndex(Path(folder) / "library.sqlite")) as library:
            put_in(library, documents)
            with closing(OwnDocuments(settings, library, host)) as own:
                own.prepare(lambda _: None)
                yield LibraryProvider(own)


def _asked_of_videos(model: str) -> dict[str, float]:
    """Return how well searches about the sample videos find what answers, scored by *model*."""
    rows, videos = read_rows("sample_questions"), {video.video_id: video for video in samples()}
    options = SearchOptions(providers=("library",), ranking=RankingOptions(threshold=0.0))
    places, begun = [], []
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(SearchCore.from_settings(Settings(maekrak_data_dir=Path(folder), embedding_model=model))) as core,
    ):
        core.warm_up()
        core.wait_until_warm()
        core.scorer(wait_s=LOAD_S)
        core.own_documents.prepare(lambda _: None)
        for row in rows:
            results = core.search(Question(text=row["question"], video=videos[row["video"]]), options).results
            place = next((n for n, result in enumerate(results, start=1) if _name(result) in row["answers"]), 0)
            places.append(place)
            begun.append(place > 0 and _begins_with_answer(results[place - 1], row["answers"]))
    return {
        "shipped/video_first": share(place == 1 for place in places),
        "shipped/video_mrr": fmean(1 / place if place else 0.0 for place in places),
        "shipped/video_passage": share(begun),
    }


def _name(result: SearchResult) -> str:
    return Path(result.url.removeprefix("library:")).stem


def _begins_with_answer(result: SearchResult, answers: Mapping[str, Sequence[int]]) -> bool:
    """Return whether the snippet begins with a paragraph that answers."""
    name = _name(result)
    paragraphs = (LIBRARY / f"{name}.md").read_text(encoding="utf-8").split("---", 2)[-1].strip().split("\n\n")
    return any(" ".join(paragraphs[place].split()).startswith(result.snippet[:40]) for place in answers[name])


def _samples() -> list[Document]:
    texts = {path.stem: path.read_text(encoding="utf-8").split("---", 2)[-1] for path in sorted(LIBRARY.glob("*.md"))}
    return [Document(title="", text=text, url=f"library:{stem}") for stem, text in texts.items()]


def _about_samples() -> list[Asked]:
    return [
        Asked(row["kind"], row["query"], frozenset(f"library:{stem}" for stem in row["relevant"]))
        for row in read_rows("ranking")
        if row["relevant"]
    ]


def _development() -> tuple[list[Document], list[Asked]]:
    """Return documents of all development sets for one library, and the questions about them."""
    rng, sets = random.Random(SEED), retrieval_sets()
    documents, asked = [], []
    for name in DEVELOPMENT_SETS:
        corpus, questions = sets[name]
        answered = [(text, gold) for text, gold in questions if gold]
        chosen = rng.sample(answered, min(QUESTIONS, len(answered)))
        gold = {identity for _, identities in chosen for identity in identities}
        rest = rng.sample(sorted(corpus.keys() - gold), max(0, min(DOCUMENTS, len(corpus)) - len(gold)))
        documents += [Document(title="", text=corpus[one], url=f"library:{name}/{one}") for one in (*sorted(gold), *rest)]
        asked += [Asked(name, text, frozenset(f"library:{name}/{one}" for one in identities)) for text, identities in chosen]
    return documents, asked
