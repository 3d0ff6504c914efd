"""Decisions by Python between two compiled stretches, for schedulers that call a solver from time to time.

A compiled loop that needs an answer writes the question into the state (at least the fact that it asks) and returns
CONSULT. `advance` then calls the scheduler's `answer`, plain Python that may use any library, and returns to the
driver. The next stretch of the loop finds the answer in the arrays and acts on it in slices of the usual length. Four
rules keep a run the same in every process and for every slicing:

- The arrays of the state hold the question and the answer. Python keeps nothing between two answers.
- `answer` reads only the world and the state. It uses no clock, only keyed random numbers, and no order that depends
  on a hash. A solver gets one worker, a fixed seed, and a limit in its own deterministic units.
- The loop asks at instants that the simulation determines (an event), never after a number of steps.
- Until the answer arrives, the loop returns CONSULT again and changes nothing. A question may therefore repeat.

Every answer ends a slice, so a caller that acts between slices waits for at most one solve. The module that
`SchedulerSpec.load` loads imports the libraries that only such a scheduler needs. The declaration never imports them,
so processes that do not run the scheduler pay nothing for them.
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
        """Process events and return why the loop stopped."""
        ...


class Answer(_Protocol):
    """The function that answers the loop's questions."""

    def __call__(self, world: World, state: Any, /) -> None:
        """Write the answer, and the fact that it exists, into the state's arrays."""
        ...


def advance(loop: Loop, answer: Answer, world: World, state: Any, until_ns: int, max_events: int) -> int:
    """Run the loop until its next question and answer it; return why the loop stopped (engine.events)."""
    reason = loop(world, state, until_ns, max_events)
    if reason != CONSULT:
        return reason
    answer(world, state)
    return ENOUGH
