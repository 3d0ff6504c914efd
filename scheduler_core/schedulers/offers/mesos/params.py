"""The parameters of Mesos."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.experiment.options import options
from scheduler_core.world.spec import Params


class MesosParams(Params):
    """Parameters of Mesos."""

    interval_s: float = Field(
        1.0,
        ge=0,
        le=3600,
        title="Allocation interval",
        description="Least time between two allocation rounds. With 0, a new round starts whenever "
        "resources become free or a job arrives. Longer intervals leave machines free for longer. The default is that "
        "of the original software.",
        json_schema_extra={"unit": "s"},
    )
    refuse_s: float = Field(
        5.0,
        ge=0.1,
        le=1_000_000,
        title="Refusal timeout",
        description="Time for which a framework is not offered a machine again after it declined part of it. A task's "
        "end on the machine, or a new job of the framework, ends this earlier. When tasks end often, the time hardly "
        "matters. The default is that of the original software.",
        json_schema_extra={"unit": "s"},
    )
    decision_s: float = Field(
        0.0,
        ge=0,
        le=3600,
        title="Decision time of a framework",
        description="Time that a framework takes to decide about offered machines. No other framework is offered them "
        "meanwhile, so longer times make all frameworks' tasks wait longer.",
        json_schema_extra={"unit": "s"},
    )
    hierarchy: Literal["hdrf", "naive", "flat"] = Field(
        "hdrf",
        title="Hierarchy",
        description="Decides how groups of queues divide resources. Without groups, all three rules do the same.",
        json_schema_extra=options(
            {
                "hdrf": ("Hierarchical DRF", "A sibling's use of another resource never starves a queue."),
                "naive": ("Naive", "A group's use is the sum of its members' use, at every level."),
                "flat": ("Flat", "Groups are ignored."),
            }
        ),
    )
