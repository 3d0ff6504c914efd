"""Decisions by Python between two compiled stretches, for schedulers that ask a solver now and then.

A compiled loop that needs an answer writes its question into the state (at least: that it asks) and returns CONSULT.
`advance` then calls the scheduler's `answer`, plain Python that may use any library, and comes back to the driver; the
next stretch of the loop finds the answer in the arrays and acts on it, in turns as short as any other. Rules that keep
a run the same in every process and for every slicing:

- The question and the answer are in the arrays of the state; nothing is kept in Python from one answer to the next.
- `answer` reads the world and the state and nothing else: no clock, no random numbers but keyed ones, no order that a
  hash decides. A solver is given one worker, a fixed seed, and a limit in its own deterministic units.
- The loop asks at instants that the simulation decides (an event), never after a number of steps.
- Until it is answered the loop returns CONSULT again and changes nothing, so a question may be put twice.

Every answer ends a slice, so that whoever watches between slices is heard after at most one solve. A library that only
such a scheduler needs is imported by the module that `SchedulerSpec.load` loads, never by the declaration: processes
that do not run the scheduler pay nothing for it.
"""

from __future__ import annotations

from typing import Any
from typing import Protocol as _Protocol

from scheduler_core.engine.events import ENOUGH
from scheduler_core.engine.records import World

CONSULT = 64
"""A loop came back because it needs an answer; beside the reasons in engine.events, and never seen by the driver."""


class Loop(_Protocol):
    """A compiled event loop."""

    def __call__(self, world: World, state: Any, until_ns: int, max_events: int, /) -> int:
        """Process events; why it came back."""
        ...


class Answer(_Protocol):
    """What answers the loop's questions."""

    def __call__(self, world: World, state: Any, /) -> None:
        """Write the answer into the state's arrays, and that it is there."""
        ...


def advance(loop: Loop, answer: Answer, world: World, state: Any, until_ns: int, max_events: int) -> int:
    """Run the loop up to its next question, and answer that; why it came back (engine.events)."""
    reason = loop(world, state, until_ns, max_events)
    if reason != CONSULT:
        return reason
    answer(world, state)
    return ENOUGH
