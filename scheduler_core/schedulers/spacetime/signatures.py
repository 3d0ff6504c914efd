"""The signatures of the space-time schedulers."""

from __future__ import annotations

from scheduler_core.world.signature import JOB_TIME, Band, Figure, Neighbor, Opens, Signature, Turn

_RELAXED = Figure("Tasks without the GPU that they prefer", ("counters.relaxed",), ("tasks.total",), "%")
_OPENS = Opens("gantt", "load", "longest_wait")

ALSCHED = Signature(
    year=2012,
    decides="one",
    knows="All machines, and what each choice is worth to each job",
    work="gpus",
    change={"workload.jobs": 80, "workload.arrivals.offered_load": 0.9},  # with 40 jobs, six seeds in ten disagree
    says=(
        "In each cycle, every waiting job states the value of a start with a GPU and of one without. A solver picks "
        "the starts with the highest total value, among the machines that are free now.",
        "On average, jobs take at most 0.83 times as long as when machines are chosen at random.",
    ),
    waits="A task waits until the next cycle, and then while other starts are worth more or the machines are full.",
    params={"interval_s": 1.0},
    number=JOB_TIME,
    against=Neighbor("random-queue", Band(most=0.83)),
    turn=Turn(
        "scheduler.params.interval_s",
        1.0,
        8.0,
        "With a cycle of 8 s instead of 1 s, jobs take at least a fifth longer.",
        Band(least=1.2),
    ),
    opens=_OPENS,
    unseen="No job prefers some machines to others here: every choice is worth the same.",
    needs="preferences",
)

TETRISCHED = Signature(
    year=2016,
    decides="one",
    knows="All machines, when they become free, and what each choice is worth to each job",
    work="gpus",
    says=(
        "In each cycle, every waiting job states the value of a start with a GPU and of one without, now and later. "
        "A solver plans 24 s ahead: a job may wait for a GPU when a late start there is worth more than "
        "one now.",
        "Plans hold about as many later starts as there are jobs, and on average jobs take less time than on randomly "
        "chosen machines.",
    ),
    waits=(
        "A task waits until the next cycle, or on purpose: the plan has a better machine for it that will be free "
        "later."
    ),
    params={"plan_ahead_s": 24.0, "quantum_s": 4.0},
    number=JOB_TIME,
    touched=Figure("Plans for later, by job", ("counters.planned",), ("jobs.total",), "%"),
    least_touched=0.8,
    against=Neighbor("random-queue", Band(most=0.98)),
    turn=Turn(
        "scheduler.params.fallback_value",
        1.0,
        0.3,
        "If a start without a GPU is worth 0.3 instead of 1, at most two thirds as many tasks run without a GPU.",
        Band(most=0.67),
        _RELAXED,
    ),
    opens=_OPENS,
    unseen="Every group could start at once with its preferred machines here: nothing is planned for later.",
)
