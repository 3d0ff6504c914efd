"""The signature of a user's own policy, with two lines of text as the example."""

from __future__ import annotations

from scheduler_core.world.signature import MEDIAN_DELAY, Band, Neighbor, Opens, Signature, Turn

SIGNATURE = Signature(
    year=None,
    decides="one",
    knows="What the parameters say: the truth, a stale copy, or a sample",
    work="few-cpus",
    says=(
        "The example's policy has two lines: jobs whose longest task is short go first, and each task goes to the "
        "machine with the most free CPUs.",
        "The median job is delayed at most a fifth as long as under FIFO, which serves tasks in their order of "
        "arrival.",
    ),
    waits="A task waits at its scheduler while the policy puts others first or no machine has room.",
    params={"policy": "order: job.longest_s\nscore: machine.free_cpus"},
    short="a few lines of one's own decide",
    number=MEDIAN_DELAY,
    against=Neighbor("fifo", Band(most=0.2), label="FIFO, which serves tasks as they come"),
    turn=Turn(
        "scheduler.params.news",
        "truth",
        "stale",
        "If the scheduler sees a copy of the machines that is renewed every 10 s, the median job is delayed at least "
        "five times as long.",
        Band(least=5),
    ),
    opens=Opens(moment="longest_wait"),
)
