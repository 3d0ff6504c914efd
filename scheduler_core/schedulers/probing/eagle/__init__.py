"""Eagle: like Hawk, but no probe of a short job ever waits behind a long task.

Workers with long tasks refuse probes. They also report which other workers have long tasks, by a bitmap that arrived
with their latest long task (succinct state sharing). A probe stays at its worker until its job has no task left (sticky
batch probing). Workers serve the job with the least remaining work first, but other entries may be overtaken only up to
a cap.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

from scheduler_core.schedulers.probing.eagle import reasons
from scheduler_core.schedulers.probing.eagle.params import EagleCParams, EagleParams
from scheduler_core.schedulers.probing.eagle.signature import EAGLE, EAGLE_C
from scheduler_core.schedulers.shared.probing import (
    HYBRID_LAYERS,
    HYBRID_SERIES,
    NOOPS,
    PLACED_TASKS,
    PROBE_MARK,
    PROBES,
    WITH_RACKS,
    reads_as_public,
)
from scheduler_core.schedulers.shared.probing.work import HANDED_BACK, HYBRID
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import Counter, Mark, SchedulerSpec
from scheduler_core.world.work import Move

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol

"""The last one is Phoenix's alone."""


def _load(constrained: bool = False) -> Protocol:
    from scheduler_core.schedulers.probing.eagle.protocol import EagleProtocol

    return EagleProtocol(SPEC, constrained)


def _board() -> Board:
    from scheduler_core.schedulers.probing.eagle.state import EagleState
    from scheduler_core.schedulers.shared.probing.board import REFUSING, hybrid_board_of

    return hybrid_board_of(EagleState, *REFUSING)


SPEC = SchedulerSpec(
    name="eagle",
    signature=EAGLE,
    label="Eagle",
    family="probing",
    paper="Job-aware scheduling in Eagle: divide and stick to your probes",
    summary=(
        "Like Hawk, but workers with long tasks refuse probes, a probe stays for its job's next task, and jobs with "
        "the least work left go first."
    ),
    params=EagleParams,
    supports=WITH_RACKS,
    supports_under={"public-simulator": frozenset({"constraints"})},
    load=_load,
    board=_board,
    work=replace(HYBRID, moves={**HANDED_BACK, "refused": Move("bounce")}),
    probes=True,
    reads=reads_as_public,
    counters=(
        PROBES,
        NOOPS,
        PLACED_TASKS,
        Counter("refused", "Probes refused", "Probes that a worker with long tasks sent back."),
        Counter(
            "fallbacks",
            "Fallbacks",
            "Probes that went to a worker for short jobs only after the last round. Under the profile of the public "
            "simulator: jobs with such probes.",
        ),
        Counter(
            "sticky", "Tasks started by sticky probes", "Tasks fetched by a probe that had already fetched another."
        ),
        Counter("overtaking", "Tasks that overtook", "Tasks fetched before probes in front of them."),
        Counter("dropped", "Probes dropped", "Probes that their worker dropped because their job had no task left."),
        Counter("behind_long", "Probes behind long tasks", "Probes that joined a queue with a long task."),
        Counter(
            "lacking",
            "Constraints ignored",
            "Tasks of short jobs started on workers without one of their constraints. It is 0 except under the rules "
            "of Phoenix's authors' program.",
        ),
    ),
    layers=HYBRID_LAYERS,
    marks=(
        Mark("refusal", "Probe refused", "A worker with a long task sent a probe back.", role="refusal"),
        Mark("overtaking", "Overtaken", "A task overtook probes in front, because its job has less work left."),
        PROBE_MARK,
        FAULT,
    ),
    reasons=reasons.ALL,
    series=HYBRID_SERIES,
)

CONSTRAINED = replace(
    SPEC,
    name="eagle-c",
    signature=EAGLE_C,
    label="Eagle-C",
    summary="Eagle for tasks with constraints: only workers that offer them are probed, considered free or chosen.",
    params=EagleCParams,
    load=functools.partial(_load, True),
)
"""Differs from Eagle in its rounds, and in whose public simulator it follows."""
