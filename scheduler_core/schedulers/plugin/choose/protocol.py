"""The interface between a function `choose` and the driver: packing, questions and their answers."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np

from scheduler_core.engine.consult import CONSULT
from scheduler_core.engine.events import ENOUGH
from scheduler_core.engine.lines import empty_lines
from scheduler_core.engine.records import NOBODY, TASK_WAITING, Records, World, records
from scheduler_core.schedulers.plugin.choose import kernel
from scheduler_core.schedulers.plugin.choose.params import ChooseParams
from scheduler_core.schedulers.plugin.choose.reasons import BEHIND, DECLINED, NOWHERE
from scheduler_core.schedulers.plugin.choose.seen import Machine, Machines, Task
from scheduler_core.schedulers.plugin.choose.state import ANSWERED, MACHINE_SEEN, RULES, TASK_SEEN, ChooseState
from scheduler_core.schedulers.shared.lines.protocol import LinedProtocol
from scheduler_core.world.spec import SchedulerSpec
from scheduler_core.world.start import Start

_AT_ONCE = 64
"""Questions in one slice: the driver looks around between two slices."""

Choose = Callable[..., Any]


class WrongAnswer(Exception):
    """Raised when `choose` returns something that is no machine of its list."""

    allowed = "a machine of the list, its number, or None"


class ChooseProtocol(LinedProtocol):
    """See scheduler_core.world.protocol.Protocol. `choose` is the user's function, compiled or not."""

    loop = kernel

    def __init__(self, spec: SchedulerSpec, choose: Choose, *, compiled: bool) -> None:
        super().__init__(spec)
        self._choose, self._compiled = choose, compiled
        own = [name for name in spec.params.model_fields if name not in ChooseParams.model_fields]
        self._knobs = {name: spec.params.model_fields[name].annotation for name in own}

    def pack(self, start: Start[Any]) -> ChooseState:
        """Return the state at time zero."""
        rules = self.rules(start, RULES)
        rules["look_ahead"], rules["before"] = start.params.look_ahead, NOBODY
        names = start.cluster.names
        for column, name in (("cpus_at", "cpus"), ("memory_at", "memory_gb"), ("gpus_at", "gpus")):
            rules[column] = names.index(name) if name in names else NOBODY
        self.lines_for(start.world)
        machines = len(start.world.machine)
        return ChooseState(
            rules,
            empty_lines(machines + 2),
            np.zeros_like(start.world.capacity),
            np.zeros(machines, np.int64),
            records(machines, MACHINE_SEEN),
            records(1, TASK_SEEN),
            np.array([getattr(start.params, name) for name in self._knobs], np.float64),
        )

    def advance(self, world: World, state: Any, until_ns: int, max_events: int) -> int:
        """Run the loop, and answer its questions: at most 64 of them."""
        for _ in range(_AT_ONCE):
            reason = int(kernel.advance(world, state, until_ns, max_events))
            if reason != CONSULT:
                return reason
            self._answer(state)
        return ENOUGH

    def _answer(self, state: ChooseState) -> None:
        """Ask the user's function, and write down the number of its machine."""
        rules = state.rules[0]
        seen = state.seen[: rules.able]
        knobs = [kind(value) for kind, value in zip(self._knobs.values(), state.knobs.tolist(), strict=True) if kind]
        if self._compiled:
            answer = self._choose(state.task[0], seen, *knobs)
        else:
            named = dict(zip(self._knobs, knobs, strict=True))
            answer = self._choose(Task(*state.task[0].tolist()), Machines(seen), **named)
        rules.answer, rules.stage = _machine(answer, seen), ANSWERED

    def why_waiting(self, world: World, state: Any, task: int) -> dict[str, Any] | None:
        """Return where the task waits: at the scheduler, for a machine to come back, or in the queue of a machine."""
        if world.task[task].state != TASK_WAITING:
            return None
        following, machines = world.task["next"].tolist(), len(world.machine)
        for line in (machines, machines + 1):
            ahead, other = 0, int(state.line[line].first)
            while other not in (task, NOBODY):
                ahead, other = ahead + 1, following[other]
            if other == task:
                if line == machines:
                    return {"reason": NOWHERE}
                asked = ahead < state.rules[0].look_ahead
                return {"reason": DECLINED} if asked else {"reason": BEHIND, "x": ahead}
        return super().why_waiting(world, state, task)


def _machine(answer: object, seen: Records) -> int:
    """Return the number of the machine that `choose` returned; NOBODY for none. Raises WrongAnswer."""
    if answer is None:
        return NOBODY
    if isinstance(answer, Machine):
        return answer.number
    if isinstance(answer, bool) or not isinstance(answer, Integral):
        raise WrongAnswer(f"choose returned {answer!r:.60}, which is not a machine")
    number = int(answer)
    if number == NOBODY:
        return NOBODY
    numbers = seen["number"]
    at = int(np.searchsorted(numbers, number))
    if at == len(numbers) or numbers[at] != number:
        raise WrongAnswer(f"choose returned {number:,}, and no machine of its list has this number")
    return number
