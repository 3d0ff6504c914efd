"""Decisions by Python between two stretches of a loop, with a loop small enough to see each step."""

from __future__ import annotations

from typing import Any

from scheduler_core.engine.consult import CONSULT, advance
from scheduler_core.engine.events import DONE, ENOUGH, REACHED


class Asking:
    """A loop that asks at 1 and 3, and whose state is a list: what has happened, and whether an answer is awaited."""

    def __call__(self, world: Any, state: dict[str, Any], until_ns: int, max_events: int, /) -> int:
        while True:
            if state["asks"]:
                return CONSULT
            if state["now"] == 4:
                return DONE
            if state["now"] >= until_ns:
                return REACHED
            state["now"] += 1
            state["asks"] = state["now"] in (1, 3)


def answer(world: Any, state: dict[str, Any], /) -> None:
    state["answers"].append(state["now"])
    state["asks"] = False


def run(until: list[int]) -> tuple[list[int], list[int]]:
    """Answers that were given, and why each stretch came back, of a run up to these times."""
    state: dict[str, Any] = {"now": 0, "asks": False, "answers": []}
    reasons = []
    for time in until:
        while True:
            reasons.append(advance(Asking(), answer, None, state, time, 100))  # type: ignore[arg-type]
            if reasons[-1] != ENOUGH:
                break
    return state["answers"], reasons


def test_each_question_is_answered_once_and_ends_a_slice() -> None:
    assert run([9]) == ([1, 3], [ENOUGH, ENOUGH, DONE])


def test_answers_do_not_depend_on_where_slices_end() -> None:
    for until in ([1, 9], [0, 1, 2, 3, 9], [3, 3, 9]):
        answers, reasons = run(until)
        assert answers == [1, 3]
        assert CONSULT not in reasons
        assert reasons[-1] == DONE
