"""Questions about an experiment that a search over many runs answers, such as how many machines keep a promise.

A question is one file with a `QUESTION`, and one line in `QUESTIONS`. Each asks for batches of runs and looks at their
numbers; whoever carries the runs out (this process, several processes) changes nothing about the answer.
"""

from __future__ import annotations

from scheduler_core.ask import failure, knob, load, lose, machines, off
from scheduler_core.ask.question import Question
from scheduler_core.errors import UnknownName

QUESTIONS: tuple[Question, ...] = (
    machines.QUESTION,
    load.QUESTION,
    knob.QUESTION,
    failure.QUESTION,
    off.QUESTION,
    lose.QUESTION,
)


def question_by_name(name: str) -> Question:
    """Return a question by its name. Raises UnknownName."""
    for one in QUESTIONS:
        if one.name == name:
            return one
    raise UnknownName("question", name, (one.name for one in QUESTIONS))
