"""What makes tasks take longer on some machines than on others: parameters and counters for all who know it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.world.spec import Counter, Params


class PaceParams(Params):
    """How long tasks take where they run. With the defaults as long everywhere, but for soft constraints."""

    input_gb: float = Field(
        0.0,
        ge=0,
        le=1_000_000,
        title="Input",
        description="Mean size of what a task reads, drawn for each task (exponential, synthetic). What is not on its "
        "machine is read over the network, and the task takes so much longer. With 0 tasks read nothing.",
        json_schema_extra={"unit": "GB", "evidence": "synthetic: sizes are drawn, no trace gives them"},
    )
    rack_gb_s: float = Field(
        1.25,
        ge=0.001,
        le=10_000,
        title="Bandwidth in the rack",
        description="What a task reads in a second from another machine of its rack. The less, the longer tasks "
        "take that do not run beside their data.",
        json_schema_extra={"unit": "GB/s"},
    )
    core_gb_s: float = Field(
        0.25,
        ge=0.001,
        le=10_000,
        title="Bandwidth over the core",
        description="What a task reads in a second from a machine of another rack. The less, the longer tasks take "
        "that run far from their data.",
        json_schema_extra={"unit": "GB/s"},
    )
    interference: float = Field(
        0.0,
        ge=0,
        le=10,
        title="Interference",
        description="How much those who run on a machine slow down a task that starts there: 1 for the table of kinds "
        "(synthetic), 0 for not at all. The larger, the longer tasks take in company.",
        json_schema_extra={"evidence": "synthetic: the table of kinds is this project's"},
    )
    kinds: Literal["drawn", "queue"] = Field(
        "drawn",
        title="Kinds of tasks",
        description="Whether each job draws its kind (sheep, rabbit, devil or turtle, equally likely), or the first "
        "queue's jobs are sheep, the second's rabbits, and so on. By queue, one queue's tasks can be made to disturb "
        "another's.",
    )

    fixed = Params.fixed | {"input_gb", "rack_gb_s", "core_gb_s", "interference", "kinds"}


READ_COUNTERS = (
    Counter("read_local_mb", "Read beside the data", "What started tasks read on their own machine, in MB."),
    Counter("read_rack_mb", "Read in the rack", "What started tasks read from other machines of their rack, in MB."),
    Counter("read_core_mb", "Read over the core", "What started tasks read from other racks, in MB."),
)
NEAR_COUNTERS = (
    Counter("local", "Beside their data", "Starts on machines that have the task's data."),
    Counter("in_rack", "In the rack", "Starts in a rack that has the task's data."),
    Counter("remote", "Over the core", "Starts elsewhere."),
)
RELAXED_COUNTER = Counter(
    "relaxed", "Without a soft constraint", "Starts on machines that lack a soft constraint of the task."
)
PACE_COUNTERS = (*READ_COUNTERS, RELAXED_COUNTER)
