"""The signature of PCSsampler."""

from __future__ import annotations

from scheduler_core.world.signature import MEAN_WAIT, Band, Figure, Neighbor, Opens, Signature, Turn

SIGNATURE = Signature(
    year=None,
    decides="several",
    knows="What workers told this scheduler, until it is too old",
    work="short-and-long",
    change={  # with 100 machines and 150 jobs, seeds differ too much
        "topology.clusters[0].machines[0].count": 200,
        "workload.jobs": 300,
    },
    says=(
        "Several schedulers share the jobs, and each remembers what machines told it. It sends a task straight to "
        "a machine that it remembers as free. It asks machines chosen at random only if it remembers no free one.",
        "The mean wait time of a task is less than 0.7 times that under plain probes.",
    ),
    waits=(
        "A task waits in the queue of a machine that other schedulers have filled meanwhile, or where all "
        "machines that were asked are busy."
    ),
    params={"schedulers": 2},
    number=MEAN_WAIT,
    touched=Figure("Tasks sent from memory", ("counters.known",), ("counters.known", "counters.sampled"), "%"),
    against=Neighbor("sparrow", Band(most=0.7), {"late_binding": False}, "Sparrow without late binding"),
    turn=Turn(
        "scheduler.params.remember_s",
        600.0,
        0.1,
        "Schedulers that forget after 0.1 s sample for nearly every task, which then waits at least 1.5 times as long.",
        Band(least=1.5),
    ),
    opens=Opens(layer="known", moment="usual_wait"),
    unseen="No scheduler knew of room here, so every task was sampled.",
)
