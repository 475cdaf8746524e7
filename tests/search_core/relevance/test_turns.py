"""Who goes first at a model that several ask at once."""

from __future__ import annotations

import threading

from search_core.relevance.turns import Turn, Turns


def test_questions_pass_searches_and_these_pass_the_background():
    """While one has a turn four others queue up; they go by what waits for them, then in order of asking."""
    turns, order = Turns(), []

    def work(name: str, turn: Turn) -> None:
        with turns.take(turn):
            order.append(name)

    threads = []
    with turns.take(Turn.BACKGROUND):
        for number, (name, turn) in enumerate(
            [("filling", Turn.BACKGROUND), ("first", Turn.SEARCH), ("second", Turn.SEARCH), ("question", Turn.QUESTION)], start=1
        ):
            threads.append(threading.Thread(target=work, args=(name, turn)))
            threads[-1].start()
            while turns.waiting < number:
                pass
    for thread in threads:
        thread.join()
    assert order == ["question", "first", "second", "filling"]


def test_a_turn_that_fails_is_given_back():
    """What goes wrong in a turn keeps nobody else from theirs."""
    turns = Turns()
    try:
        with turns.take(Turn.SEARCH):
            raise ValueError
    except ValueError:
        pass
    with turns.take(Turn.BACKGROUND):
        assert turns.waiting == 0
