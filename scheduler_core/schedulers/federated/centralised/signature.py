"""The signature of the centralized scheduler."""

from __future__ import annotations

from scheduler_core.world.signature import LONG_WAITS, Band, Neighbor, Opens, Signature, Turn

SIGNATURE = Signature(
    year=None,
    decides="one",
    knows="All machines, always right",
    work="equal-jobs",
    says=(
        "One scheduler decides about every task, and it always knows which machines are free. It gives one task "
        "after the other a free machine.",
        "The p90 wait is at most 0.7 times as long as under Sparrow.",
    ),
    waits=(
        "A task waits in the one queue while every machine is busy, or while the scheduler still decides about "
        "the tasks before it."
    ),
    number=LONG_WAITS,
    against=Neighbor("sparrow", Band(most=0.7)),
    turn=Turn(
        "scheduler.params.match_us",
        40.0,
        20000.0,
        "A match of 20 ms instead of 40 µs makes the only scheduler the bottleneck: the p90 wait is at least 1.5 "
        "times as long.",
        Band(least=1.5),
    ),
    opens=Opens(moment="longest_wait"),
)
