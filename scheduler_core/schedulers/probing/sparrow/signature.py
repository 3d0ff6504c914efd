"""The signatures of Sparrow and Sparrow-C."""

from __future__ import annotations

from scheduler_core.world.signature import JOB_DELAY, LONG_WAITS, Band, Figure, Neighbour, Opens, Signature, Turn

_LATE = Figure("Probes whose task went elsewhere", ("counters.noops",), ("counters.probes",), "%")

SPARROW = Signature(
    year=2013,
    decides="several",
    knows="Nothing: it asks two workers a task",
    work="short-and-long",
    says=(
        "Each task asks two random workers, and the worker that is free first gets the task.",
        "Half of the probes come to nothing, but jobs are delayed less than half as long as without waiting for the "
        "first answer.",
    ),
    number=JOB_DELAY,
    touched=_LATE,
    against=Neighbour("sparrow", Band(most=0.7), {"late_binding": False}, "Sparrow without late binding"),
    turn=Turn(
        "scheduler.params.probe_ratio",
        2.0,
        4.0,
        "Four probes a task in place of two cut the delay of jobs by a third or more.",
        Band(most=0.67),
    ),
    opens=Opens(layer="queue", moment="longest_wait"),
)

SPARROW_C = Signature(
    year=2013,
    decides="several",
    knows="Which workers offer what a task asks for",
    work="picky",
    says=(
        "Probes go only to workers that offer what the task asks for, so scarce workers get long queues.",
        "Short tasks behind long ones wait: one task in ten waits at least twice as long as under Eagle-C.",
    ),
    params={"short_cutoff_s": 5},
    number=LONG_WAITS,
    touched=_LATE,
    against=Neighbour("eagle-c", Band(least=2), {"short_cutoff_s": 5, "long_partition_share": 0.9}),
    turn=Turn(
        "scheduler.params.probe_ratio",
        2.0,
        4.0,
        "Four probes a task in place of two cut the longest tenth of the waits by a third or more.",
        Band(most=0.67),
    ),
    opens=Opens(layer="queue", moment="longest_wait"),
)
