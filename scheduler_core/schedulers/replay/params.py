"""Parameters of the replay."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from scheduler_core.experiment.options import options
from scheduler_core.world.spec import Params


class ReplayParams(Params):
    """Parameters of the replay."""

    without_start: Literal["wait", "arrival"] = Field(
        "wait",
        title="No recorded start",
        description="What a task does whose start the recording does not tell.",
        json_schema_extra=options(
            {
                "wait": ("Wait", "It never starts. A workload without any recorded start is refused."),
                "arrival": ("Start on arrival", "It starts when it arrives, or as soon as a machine has room for it."),
            }
        ),
    )

    fixed: ClassVar[frozenset[str]] = Params.fixed | {"without_start"}
