"""A small whole scheduler to begin one's own with: each task goes to the shortest of a few lines drawn at random.

It is not listed for users, and tested like those that are. CONTRIBUTING.md goes through it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from scheduler_core.schedulers.shared.lines.reasons import (
    FIRST_OWN,
    LINED_COUNTERS,
    LINED_LAYERS,
    LINED_REASONS,
    LINED_SERIES,
    LINED_SUPPORTS,
)
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import Params, Reason, SchedulerSpec

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol

SENT = FIRST_OWN


class TemplateParams(Params):
    """Parameters of the template."""

    choices: int = Field(
        2,
        ge=1,
        le=64,
        title="Choices",
        description="Machines drawn for each task, which goes to the shortest line. More choices shorten waits.",
        json_schema_extra={"unit": "machines"},
    )


def _load() -> Protocol:
    from scheduler_core.schedulers.template.protocol import TemplateProtocol

    return TemplateProtocol()


SPEC = SchedulerSpec(
    name="template",
    label="Template",
    family="probing",
    paper="",
    summary="Each task goes to the shortest of a few lines drawn at random, and waits there.",
    params=TemplateParams,
    supports=LINED_SUPPORTS,
    load=_load,
    counters=LINED_COUNTERS,
    layers=LINED_LAYERS,
    marks=(FAULT,),
    reasons=(
        Reason(
            SENT,
            "sent",
            "Of {y} machines drawn, machine {machine} had the shortest line: {x} tasks.",
            ("y", "machine", "x"),
            edits=("scheduler.params.choices",),
        ),
        *LINED_REASONS,
    ),
    series=LINED_SERIES,
)
