"""What the model learns from that reads a sentence together with a question: texts of which some answer and others do not.

``asked_talks`` and ``asked_pages`` were written for it: talks as people speak, in Korean and English, and results as web
services give them, each with questions, their answers, and questions on the subject without one. Beside them stand what the
project's other talks and recorded results teach (``quote_sets``, ``answer_line_sets``), articles of KorQuAD,
passages of MS MARCO in both languages, and English sentences of QAMR (Michael et al. 2018, MIT), which lie in a folder of their
own. A third of what is learnt from here is left out for who weighs the model's odds (``learn_reader``).
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from search_core.answers.answer_line import may_answer, read_results
from search_core.answers.passages import choose_passages
from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.quotes import said_in
from search_core.answers.reading import AskedQuestion, Said, said_before
from search_core.language.statements.proposition import is_question
from search_core.language.vectors import Embedder
from search_core.models.embedding.model_embedder import Placed
from tests.quality.answer_line_sets import korquad, pooled, realtimeqa, searched
from tests.quality.quote_sets import articles, of_viewers, own, parse, split_text, written
from tests.quality.sets import loaders, part_of, read_articles, read_rows

TIMES = {
    "answering": 4.0, "written": 2.5, "written pages": 4.0, "talks": 2.0, "reworded tuned": 2.0, "korquad articles": 2.0,
    "realtimeqa": 2.0, "msmarco": 0.2, "qamr": 0.3,
}  # fmt: skip
"""How often a question of a kind is seen in a pass, where not once."""
PASSAGE_CHARS, ENGLISH_PASSAGE_CHARS = 300, 400
NEAREST = 10
"""Of the passages nearest to a question, so many that answer another one are offered with its own."""
OTHER_PARAGRAPHS, MOST_RIGHT, QUESTIONS_OF_SENTENCE = 3, 2, 4
SEED = 3
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "``": '"', "''": '"'}
_AFTER, _BEHIND = re.compile(r" ([,.;:?!)%'])"), re.compile(r"([($]) ")


class AskedTexts(NamedTuple):
    """A question and texts: the places of those that answer and of those that do not; others only help."""

    kind: str
    question: str
    texts: Sequence[str]
    right: Sequence[int]
    wrong: Sequence[int]


def is_taught(group: object) -> bool:
    """Return whether the model learns from a *group*."""
    return part_of(f"pair {group}", 3) != 0


def texts_to_learn(scorer: QuestionScorer, qamr: Path | None) -> list[AskedTexts]:
    """Return all that is learnt from; *qamr* is the folder ``data`` of QAMR."""
    texts = [*_of_talks(scorer), *_of_results(scorer.embedder), *_written_pages(), *_of_articles()]
    return [*texts, *_of_passages(scorer.embedder), *(_of_sentences(qamr) if qamr is not None else ())]


def _of_talks(scorer: QuestionScorer) -> Iterator[AskedTexts]:
    for each in (*of_viewers(), *own(), *articles(), *written()):
        if each.kept_aside or not is_taught(each.group):
            continue
        parsed = parse(each, scorer)
        if parsed.whole:
            continue
        sentences, said = said_in(parsed, choose_passages(parsed, each.video, scorer), scorer.ends)
        telling = [place for place, sentence in enumerate(sentences) if not is_question(sentence.text)]
        right = [place for place in each.right_among(sentences) if place in telling]
        helping = {*right, *each.helping_among(sentences)}
        if right or not each.answered:
            texts = [placing.text for placing in placed(said, ())]
            yield AskedTexts(each.kind, each.text, texts, right, [place for place in telling if place not in helping])


def _of_results(embedder: Embedder) -> Iterator[AskedTexts]:
    for recorded_in in (korquad, realtimeqa, pooled):
        for recorded in recorded_in():
            if not recorded.learnt_from or not is_taught(recorded.group):
                continue
            results = searched(recorded, embedder).results
            excerpts, said, heads = read_results(results)
            question = AskedQuestion(recorded.text)
            read = [place for place, each in enumerate(excerpts) if may_answer(question, each, results[each.row])]
            right = [place for place in read if recorded.is_spelt_in(excerpts[place].text)]
            wrong = [place for place in read if not recorded.is_held_by(excerpts[place].text)]
            texts = [each.text for each in placed(said, heads)]
            yield AskedTexts(recorded_in.__name__, recorded.text, texts, right, wrong)


def _written_pages() -> Iterator[AskedTexts]:
    for row in read_rows("asked_pages"):
        if is_taught(row["asked"]):
            flat = [(at, place) for at, result in enumerate(row["results"]) for place in range(len(result["sentences"]))]
            texts = [Placed(row["results"][at]["title"], row["results"][at]["sentences"][place]).text for at, place in flat]
            right = [flat.index((at, place)) for at, place in row["answers"]]
            wrong = [place for place in range(len(flat)) if place not in right]
            yield AskedTexts("written pages", row["question"], texts, right, wrong)


def _of_articles() -> Iterator[AskedTexts]:
    corpus, names, questions = read_articles()
    for article, rows in questions.items():
        measured_by = part_of(article, 2) or part_of(article, 5) == 1
        for row in rows if not measured_by and is_taught(article) else ():
            others = [name for name in names[article] if name not in row["rel"]][:OTHER_PARAGRAPHS]
            sentences = [
                (Placed(paragraph[place - 1] if place else article.replace("_", " "), sentence), name in row["rel"])
                for name in (*row["rel"], *others)
                for paragraph in [split_text(corpus[name])]
                for place, sentence in enumerate(paragraph)
            ]
            holding = [at for at, (each, _) in enumerate(sentences) if any(answer in each.sentence for answer in row["answers"])]
            right = [place for place in holding if sentences[place][1]]
            if 0 < len(right) <= MOST_RIGHT:
                wrong = [place for place in range(len(sentences)) if place not in holding]
                yield AskedTexts("korquad articles", row["text"], [each.text for each, _ in sentences], right, wrong)


def _of_passages(embedder: Embedder) -> Iterator[AskedTexts]:
    rows = [row for row in loaders().msmarco_ko_en("dev") if part_of(row["_id"], 2) == 0]
    vectors = embedder.embed([row["ko_query"] for row in rows], "query")
    for language, chars in (("ko", PASSAGE_CHARS), ("en", ENGLISH_PASSAGE_CHARS)):
        passages = [row[f"{language}_pos"][0][:chars] for row in rows]
        near = vectors @ embedder.embed([passage[:PASSAGE_CHARS] for passage in passages]).T
        np.fill_diagonal(near, -1)
        for place, row in enumerate(rows):
            others = np.argsort(-near[place])[:NEAREST].tolist()
            texts = [passages[place], *(passages[other] for other in others)]
            for query in ("ko_query", *(("en_query",) if language == "en" else ())):
                yield AskedTexts("msmarco", row[query], texts, [0], range(1, len(texts)))


def _of_sentences(folder: Path) -> Iterator[AskedTexts]:
    chance = random.Random(SEED)
    lines = (folder / "wiki-sentences.tsv").read_text(encoding="utf-8").splitlines()
    sentences = dict(line.split("\t", 1) for line in lines if "\t" in line)
    beside, questions_of = defaultdict(list), defaultdict(dict)
    for name in sentences:
        beside[_article(name)].append(name)
    for part in ("dev", "test"):
        for line in (folder / "filtered" / f"{part}.tsv").read_text(encoding="utf-8").splitlines():
            name, *_, question = line.split("\t")[:6]
            questions_of[name][question] = True
    for name, questions in questions_of.items():
        others = [other for other in beside[_article(name)] if other != name]
        if name in sentences and len(others) > 1:
            for question in chance.sample([*questions], min(QUESTIONS_OF_SENTENCE, len(questions))):
                texts = [_as_written(sentences[each]) for each in (name, *chance.sample(others, min(7, len(others))))]
                yield AskedTexts("qamr", question, texts, [0], range(1, len(texts)))


def placed(said: Sequence[Said], heads: Sequence[str]) -> list[Placed]:
    """Return each of *said* with what stands before it: the title of its page, or the sentence before it in a talk."""
    return [Placed(heads[each.source] if heads else said_before(said, place), each.text) for place, each in enumerate(said)]


def _article(name: str) -> str:
    return name.rsplit(":", 2)[0]


def _as_written(words: str) -> str:
    for taken, bracket in _BRACKETS.items():
        words = words.replace(taken, bracket)
    return _BEHIND.sub(r"\1", _AFTER.sub(r"\1", words))[:PASSAGE_CHARS]
