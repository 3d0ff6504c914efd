"""Parameters and counters of run times that depend on the machine, for every scheduler that supports them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.experiment.formerly import formerly
from scheduler_core.experiment.options import options
from scheduler_core.world.spec import Counter, Params


class PaceParams(Params):
    """How long tasks take where they run. With the defaults as long everywhere, but for soft constraints."""

    input_gb: float = Field(
        0.0,
        ge=0,
        le=1_000_000,
        title="Input size",
        description="Mean input of a task, drawn for each task (exponential, synthetic). Input that is not on the "
        "task's machine is read over the network and makes the task longer. With 0, tasks read nothing.",
        json_schema_extra={"unit": "GB", "evidence": "synthetic: sizes are drawn, no trace gives them"},
    )
    unsized_data: bool = Field(
        False,
        title="Data without sizes",
        description="Give each task data on three machines even if the input size is 0. Costs and weights of data "
        "then act, although reading takes no time. If off, tasks have data only if the input size is above 0.",
        json_schema_extra=formerly("0.2.0", True),
    )
    rack_gb_s: float = Field(
        1.25,
        ge=0.001,
        le=10_000,
        title="Bandwidth within a rack",
        description="Rate at which a task reads from another machine of its rack. At lower rates, tasks without their "
        "data on the machine take longer.",
        json_schema_extra={"unit": "GB/s"},
    )
    core_gb_s: float = Field(
        0.25,
        ge=0.001,
        le=10_000,
        title="Bandwidth between racks",
        description="Rate at which a task reads from a machine of another rack. At lower rates, tasks far from their "
        "data take longer.",
        json_schema_extra={"unit": "GB/s"},
    )
    interference: float = Field(
        0.0,
        ge=0,
        le=10,
        title="Interference",
        description="Strength with which a machine's running tasks slow down a task that starts there: 1 uses the "
        "table of kinds (synthetic), 0 turns interference off. Larger values make tasks on shared machines take "
        "longer.",
        json_schema_extra={"evidence": "synthetic: the table of kinds is this project's"},
    )
    kinds: Literal["drawn", "queue"] = Field(
        "drawn",
        title="Kinds of tasks",
        description="Rule that gives each job a kind. The kinds say how tasks on one machine disturb each other. Their "
        "names are those of Firmament's policy CoCo: sheep hardly disturb and are hardly disturbed, rabbits are easily "
        "slowed down, devils slow others down, turtles hardly notice others.",
        json_schema_extra=options(
            {
                "drawn": ("Random", "Each job draws its kind, all equally likely."),
                "queue": (
                    "By queue",
                    "Jobs of the first queue are sheep, those of the second rabbits, and so on. One queue's tasks can "
                    "then disturb another's.",
                ),
            }
        ),
    )

    fixed = Params.fixed | {"input_gb", "unsized_data", "rack_gb_s", "core_gb_s", "interference", "kinds"}


READ_COUNTERS = (
    Counter("read_local_mb", "Read locally (MB)", "Data that started tasks read on their own machine, in MB."),
    Counter(
        "read_rack_mb",
        "Read in the rack (MB)",
        "Data that started tasks read from other machines of their rack, in MB.",
    ),
    Counter("read_core_mb", "Read between racks (MB)", "Data that started tasks read from other racks, in MB."),
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
