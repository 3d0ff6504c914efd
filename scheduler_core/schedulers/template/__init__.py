"""A small complete scheduler to copy: each task goes to the emptiest of a few randomly drawn machines.

It is not listed for users, but tested like the listed schedulers. CONTRIBUTING.md explains it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.shared.lines.reasons import LINED_COUNTERS, LINED_LAYERS, LINED_SERIES, LINED_SUPPORTS
from scheduler_core.schedulers.template import reasons
from scheduler_core.schedulers.template.params import TemplateParams
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import SchedulerSpec

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.template.protocol import TemplateProtocol

    return TemplateProtocol(SPEC)


SPEC = SchedulerSpec(
    name="template",
    label="Template",
    family="probing",
    paper="",
    summary="Each task goes to the machine with the fewest tasks of a few that are drawn, and waits there.",
    params=TemplateParams,
    supports=LINED_SUPPORTS,
    load=_load,
    counters=LINED_COUNTERS,
    layers=LINED_LAYERS,
    marks=(FAULT,),
    reasons=reasons.ALL,
    series=LINED_SERIES,
)
