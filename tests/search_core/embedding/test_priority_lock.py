"""Who goes first at a model that several ask at once."""

from __future__ import annotations

import threading

import pytest

from search_core.embedding.model_embedder import Priority, PriorityLock


def test_questions_pass_searches_these_pass_judgements_and_all_pass_the_background():
    """While one has a turn five others queue up; they go by what waits for them, then in order of asking."""
    turns, order = PriorityLock(), []

    def work(name: str, turn: Priority) -> None:
        with turns.take(turn):
            order.append(name)

    threads = []
    with turns.take(Priority.BACKGROUND):
        for number, (name, turn) in enumerate(
            [
                ("filling", Priority.BACKGROUND),
                ("pairs", Priority.JUDGEMENT),
                ("first", Priority.SEARCH),
                ("second", Priority.SEARCH),
                ("question", Priority.QUESTION),
            ],
            start=1,
        ):
            threads.append(threading.Thread(target=work, args=(name, turn)))
            threads[-1].start()
            while turns.waiting < number:
                pass
    for thread in threads:
        thread.join()
    assert order == ["question", "first", "second", "pairs", "filling"]


def test_a_turn_that_fails_is_given_back():
    """What goes wrong in a turn keeps nobody else from theirs."""
    turns = PriorityLock()
    with pytest.raises(ValueError, match="wrong"), turns.take(Priority.SEARCH):
        raise ValueError("wrong")
    with turns.take(Priority.BACKGROUND):
        assert turns.waiting == 0
