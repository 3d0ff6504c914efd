"""The signatures of the single-queue schedulers."""

from __future__ import annotations

from scheduler_core.world.signature import (
    IMPORTANT_DELAY,
    JOB_DELAY,
    MEDIAN_DELAY,
    Band,
    Figure,
    Neighbor,
    Opens,
    Signature,
    Turn,
)

_FAR = ("counters.in_rack", "counters.remote")
_REMOTE = Figure("Tasks that read over the network", _FAR, ("counters.local", *_FAR), "%")
_STOPPED = Figure("Preemptions per task", ("counters.preemptions",), ("tasks.total",), "%")
_RUN = Figure("Mean run time of a task", ("running.run_s.mean",))
_DATA = {"input_gb": 1.0, "rack_gb_s": 0.5, "core_gb_s": 0.2}
_NOTHING_STOPPED = "No task of low priority blocks one of high priority here: nothing is preempted."

SIGNATURES: dict[str, Signature] = {
    "fifo": Signature(
        year=None,
        decides="one",
        knows="Which machines have room, and which task came first",
        work="few-cpus",
        change={"workload.jobs": 36},  # with 24 jobs, one seed in five disagrees
        says=(
            "All tasks wait in one queue, in the order in which they came. The first one goes to the first machine "
            "with room. If it fits nowhere, all tasks behind it wait.",
            "The median job is delayed at least ten times as long as under SJF, where the shortest job goes first.",
        ),
        waits="A task waits in the one queue until all tasks ahead of it have started and a machine has room for it.",
        short="the task that came first goes first, whatever its job",
        number=MEDIAN_DELAY,
        against=Neighbor("sjf", Band(least=10), label="SJF, which puts the shortest job first"),
        turn=Turn(
            "scheduler.params.overtake",
            False,
            True,
            "If tasks may overtake a task that fits nowhere, jobs are delayed at most 0.9 times as long on average.",
            Band(most=0.9),
            JOB_DELAY,
        ),
        opens=Opens(moment="longest_wait"),
    ),
    "random-queue": Signature(
        year=None,
        decides="one",
        knows="Which machines have room",
        work="data",
        says=(
            "One scheduler takes one task after the other and gives it a machine chosen at random among those "
            "with room, wherever the task's data are.",
            "At least three times as many tasks read over the network as under Quincy.",
        ),
        waits="A task waits in the one queue while no machine has room for it.",
        params=_DATA,
        number=_REMOTE,
        against=Neighbor("quincy", Band(least=3), _DATA),
        turn=Turn(
            "scheduler.params.core_gb_s",
            0.2,
            1.0,
            "With a network core five times as fast, tasks run at most 0.85 times as long.",
            Band(most=0.85),
            _RUN,
        ),
        opens=Opens(moment="usual_wait"),
    ),
    "swarm": Signature(
        year=2014,
        decides="one",
        knows="How full each machine is",
        work="beside",
        says=(
            "One scheduler takes one task after the other. It leaves out the machines without room and gives the "
            "task to the emptiest of the others, so that few tasks share a machine and slow each other down.",
            "Tasks slow each other down less and run at most 0.9 times as long as when they are packed.",
        ),
        waits="A task waits in the queue while no machine has room for it.",
        short="each task goes to the emptiest machine with room, first come, first served",
        number=_RUN,
        against=Neighbor("swarm", Band(most=0.9), {"strategy": "binpack"}, "Swarm that packs"),
        turn=Turn(
            "interference.strength",
            1.5,
            3.0,
            "Where tasks disturb each other twice as much, they run at least 1.2 times as long.",
            Band(least=1.2),
        ),
        opens=Opens(moment="longest_wait"),
        misses="Spreading saves a tenth to a quarter of the run time of a task here.",
    ),
    "kubernetes-papers": Signature(
        year=2015,
        decides="one",
        knows="All machines, and the priority of each task",
        work="priorities",
        says=(
            "One scheduler takes one task after the other, the most important first. It leaves out the "
            "machines without room and gives each of the others a score: for free room, for the task's data "
            "nearby, for few tasks of the same job. The best gets the task. If none has room, it preempts less "
            "important tasks.",
            "The median delay of a job is less than a twentieth of that under Swarm, which preempts no task. This "
            "median "
            "is the delay of a job of high priority.",
        ),
        waits=(
            "A task waits while no machine has room for it and no less important task can be preempted. A task "
            "that was preempted for a more important one waits again."
        ),
        number=IMPORTANT_DELAY,
        touched=_STOPPED,
        against=Neighbor("swarm", Band(most=0.05), label="Swarm, which preempts no task"),
        turn=Turn(
            "scheduler.params.preemption",
            True,
            False,
            "Without preemption the median job is delayed at least ten times as long.",
            Band(least=10),
        ),
        opens=Opens(moment="even_choice", then="first_throw"),
        unseen=_NOTHING_STOPPED,
    ),
    "borg-like": Signature(
        year=2015,
        decides="one",
        knows="The first machines with room that it finds, and the priority of each task",
        work="priorities",
        says=(
            "One scheduler takes one task after the other, the most important first. It looks at machines until "
            "enough have room, gives these a score, and the best gets the task. If none has room, it preempts "
            "less important tasks, but never those of production.",
            "The median delay of a job is less than a twentieth of that under Swarm, which preempts no task. This "
            "median "
            "is the delay of a job of high priority.",
        ),
        waits=(
            "A task waits while no machine has room for it and no less important task may be preempted. A task "
            "that was preempted for a more important one waits again."
        ),
        number=IMPORTANT_DELAY,
        touched=_STOPPED,
        against=Neighbor("swarm", Band(most=0.05), label="Swarm, which preempts no task"),
        turn=Turn(
            "scheduler.params.production_priority",
            120,
            0,
            "If every task counts as production, nothing is preempted, and the median job is delayed at least ten "
            "times "
            "as long.",
            Band(least=10),
        ),
        opens=Opens(moment="first_throw"),
        unseen=_NOTHING_STOPPED,
    ),
}
