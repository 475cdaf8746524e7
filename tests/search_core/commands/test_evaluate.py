"""``evaluate``: searches labelled on the page, on the defaults of an installation without a model."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from search_core.commands import main
from search_core.domain.report import Label
from search_core.domain.result import SCORE_SCALE
from search_core.settings import Settings
from search_core.storage.database import Database
from search_core.storage.stored_searches import StoredSearches
from tests.search_core.storage.test_stored_searches import REPORT


def evaluated(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert main(["evaluate", *args]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_labels_of_the_page_are_measured(capsys: pytest.CaptureFixture[str]):
    """Labels of every owner count, those of another scale aside; at 100 points nothing is shown; without any it fails."""
    assert main(["evaluate"]) == 1
    nothing = json.loads(capsys.readouterr().out)
    assert (nothing["measures"]["ndcg@10"], nothing["judged"]) == (None, None)
    database = Database.of(Settings())
    searches = StoredSearches(database)
    for number, (owner, label) in enumerate((("", Label.RELEVANT), ("somebody", Label.NOT_RELEVANT))):
        searches.keep(str(number), owner, replace(REPORT, scale=SCORE_SCALE))
        searches.label(str(number), owner, "https://a.kr/1", label)
    searches.keep("of a weighted sum", "", REPORT)
    searches.label("of a weighted sum", "", "https://a.kr/1", Label.NOT_RELEVANT)
    database.close()
    found = evaluated(capsys)
    assert (found["searches"], found["results"], found["labels"], found["scorer"]) == (2, 4, 2, "kiwi")
    assert (found["measures"]["precision_shown"], found["measures"]["ndcg@10"]) == (0.5, 1.0)
    assert (found["suggested"]["threshold"], found["suggested"]["missing_searches"]) == (None, 9)
    strict = evaluated(capsys, "--threshold", "1")
    assert (strict["ranking"]["threshold"], strict["measures"]["precision_shown"]) == (1.0, None)
