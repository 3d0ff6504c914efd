"""The signatures of schedulers for DAG jobs."""

from __future__ import annotations

from dataclasses import replace

from scheduler_core.world.signature import JOB_TIME, QUEUING, Band, Figure, Neighbor, Opens, Signature, Turn

_FIRST_COME = Neighbor("cpm", Band(most=0.75), label="First come, first served")
_FIRST_COME_BY_A_FIFTH = replace(_FIRST_COME, moved=Band(most=0.8))
_SLOWER = Turn(
    "scheduler.params.interval_s",
    0.0,
    3.0,
    "If the scheduler decides every 3 s instead of at once, jobs take at least a tenth longer.",
    Band(least=1.1),
)
_SHARES = Opens("shares", "load", "longest_wait")
_TURNS = Opens("turns", "load", "several_jobs")
_PLAN = Opens("gantt", "load", "longest_wait")
_ORDERED = "No two jobs want the same machine at once here: the order of jobs does not matter."
_FAR = ("counters.in_rack", "counters.remote")
_READ = Figure("Tasks that read over the network", _FAR, ("counters.on_node", *_FAR), "%")

SIGNATURES: dict[str, Signature] = {
    "drf": Signature(
        year=2011,
        decides="one",
        knows="All machines, and what each job has of every resource",
        work="few-jobs",
        change={"workload.jobs": 60},  # with 24 jobs, one seed in five disagrees
        says=(
            "One scheduler compares jobs by their dominant shares. A job's dominant share is the largest part that it "
            "holds of any resource, such as 10 % of all memory. The next task comes from the job with the smallest "
            "dominant share. This gives every job an equal dominant share (dominant resource fairness, DRF).",
            "Small jobs do not wait behind large ones: on average, jobs take at most 0.8 times as long as under "
            "first come, first served.",
        ),
        waits="A task waits in the queue while the machines are full and jobs that hold less than its own go first.",
        short="the job that holds the least of everything goes first",
        number=JOB_TIME,
        against=_FIRST_COME_BY_A_FIFTH,
        turn=_SLOWER,
        opens=_TURNS,
        unseen=_ORDERED,
        shown=QUEUING,
    ),
    "wdrf": Signature(
        year=2011,
        decides="one",
        knows="What each job has of every resource, and the share of its queue",
        work="few-queues",
        change={"queues": [{"name": "large", "share": 0.97}, {"name": "small", "share": 0.03}]},
        says=(
            "One scheduler compares what each job holds: its largest part of any resource. Jobs of a queue with a "
            "larger share may hold more. The next task comes from the job that is farthest below what it may hold.",
            "Here the large jobs own 97 % of the datacenter, so on average jobs take at least 1.5 times as long as "
            "under DRF.",
        ),
        waits=(
            "A task waits while its job holds more, for the share of its queue, than other jobs. Here small jobs "
            "have a small share, so they wait long."
        ),
        number=replace(JOB_TIME, label="Mean job completion time, with large jobs owning 97 %"),
        against=Neighbor("drf", Band(least=1.5)),
        turn=Turn(
            "scheduler.params.weights",
            "queue_share",
            "equal",
            "With equal weights, small jobs get an equal part again: jobs take at most two thirds as long.",
            Band(most=0.67),
        ),
        opens=_TURNS,
        unseen="All queues have the same share here: weights change nothing.",
        needs="unequal_shares",
    ),
    "max-min": Signature(
        year=2011,
        decides="one",
        knows="All machines, and what each job has of one resource",
        work="few-cpus",
        says=(
            "One scheduler counts how many CPUs each job holds. The next task comes from the job with the fewest "
            "CPUs. The scheduler ignores memory.",
            "On average, jobs take at most 0.8 times as long as under first come, first served.",
        ),
        waits="A task waits in the queue while the machines are full and jobs with fewer CPUs go first.",
        number=JOB_TIME,
        against=_FIRST_COME_BY_A_FIFTH,
        turn=_SLOWER,
        opens=_TURNS,
        unseen=_ORDERED,
        shown=QUEUING,
    ),
    "capacity": Signature(
        year=2013,
        decides="one",
        knows="All machines, and what each queue has of its capacity",
        work="few-queues",
        change={"workload.jobs": 80, "workload.arrivals.offered_load": 1.5},  # with 24 jobs, four seeds in ten disagree
        says=(
            "Each queue owns a part of the datacenter, its capacity. The queue that uses the smallest part of its "
            "capacity goes first; in a queue, the job that came first.",
            "Jobs of a queue wait for one another, so on average they take at least 1.2 times as long as under DRF.",
        ),
        waits=(
            "A task waits while its queue uses more of its capacity than the other queue, and while jobs that "
            "came before it in its own queue still have tasks."
        ),
        number=JOB_TIME,
        against=Neighbor("drf", Band(least=1.2)),
        turn=Turn(
            "queues[1].share",
            0.2,
            0.03,
            "With a capacity of 3 % instead of 20 % for the queue of small jobs, jobs take at least 1.5 times as long.",
            Band(least=1.5),
        ),
        opens=_TURNS,
        unseen="There is one queue here: capacities change nothing.",
        needs="queues",
    ),
    "sjf": Signature(
        year=2016,
        decides="one",
        knows="All machines, and the critical path of each job",
        work="large-and-small",
        says=(
            "One scheduler knows the least time that each job needs: its longest chain of stages. The job with "
            "the shortest chain goes first.",
            "On average, jobs take at most 0.75 times as long as under first come, first served.",
        ),
        waits=(
            "A task waits while machines are full and jobs with shorter chains of stages have tasks. A long job "
            "waits for all shorter ones."
        ),
        number=JOB_TIME,
        against=_FIRST_COME,
        turn=_SLOWER,
        opens=_PLAN,
        unseen=_ORDERED,
        shown=QUEUING,
    ),
    "srtf": Signature(
        year=2016,
        decides="one",
        knows="All machines, and the work that each job has left",
        work="large-and-small",
        says=(
            "One scheduler knows how much work each job has left. The job with the least work left goes first.",
            "On average, jobs take at most 0.75 times as long as under first come, first served.",
        ),
        waits=(
            "A task waits while machines are full and jobs with less work left have tasks. A large job waits for "
            "all smaller ones."
        ),
        short="the job with the least work left goes first",
        number=JOB_TIME,
        against=_FIRST_COME,
        turn=_SLOWER,
        opens=_SHARES,
        unseen=_ORDERED,
        shown=QUEUING,
    ),
    "cpm": Signature(
        year=2016,
        decides="one",
        knows="All machines, and the path from each stage to the end of its job",
        work="wide-and-narrow",
        says=(
            "Jobs are chains of stages: a stage starts when the stages before it have ended. In each job, the stage "
            "with the longest path to the job's end (the critical path) goes first.",
            "The chain starts before the wide stage, so jobs take at most 0.75 times as long as with stages in order.",
        ),
        waits=(
            "A task waits until the stages before its own have ended, and then while machines are full and stages "
            "with a longer path to the end go first."
        ),
        number=JOB_TIME,
        against=Neighbor("pipeline", Band(most=0.75), label="Stages in order"),
        turn=_SLOWER,
        opens=_PLAN,
        unseen="Every job has one stage here: there is no critical path.",
        needs="stages",
    ),
    "tetris": Signature(
        year=2014,
        decides="one",
        knows="All machines, what tasks need, and the work that each job has left",
        work="few-jobs",
        says=(
            "When a machine has room, the scheduler compares the waiting tasks by how well they fill that room, "
            "like pieces of a puzzle. The best fit starts; tasks of jobs with little work left get a bonus.",
            "On average, jobs take at most 0.75 times as long as under first come, first served.",
        ),
        waits="A task waits while no machine has room for it, or while other tasks fit the free room better.",
        number=JOB_TIME,
        against=_FIRST_COME,
        turn=Turn(
            "scheduler.params.fairness",
            0.25,
            1.0,
            "When only the job with the least share may choose, jobs take longer by 3 % or more.",
            Band(least=1.03),
        ),
        opens=_TURNS,
        unseen=_ORDERED,
        shown=QUEUING,
    ),
    "tetris-fair": Signature(
        year=2014,
        decides="one",
        knows="All machines, what tasks need, and what each job has",
        work="few-jobs",
        change={"workload.jobs": 100},  # with 24 jobs of more CPUs, one seed in five disagrees
        says=(
            "When a machine has room, the job that holds the least goes first, measured by its largest part of "
            "any resource. Of its tasks, the best fit for the room starts.",
            "On average, jobs take at most 0.8 times as long as under first come, first served.",
        ),
        waits=(
            "A task waits while no machine has room for it, while jobs that hold less go first, or while another "
            "task of its job fits better."
        ),
        number=JOB_TIME,
        against=_FIRST_COME_BY_A_FIFTH,
        turn=Turn(
            "scheduler.params.fairness",
            1.0,
            0.25,
            "If three jobs in four may choose, jobs take less time by 15 % or more.",
            Band(most=0.85),
        ),
        opens=_TURNS,
        unseen=_ORDERED,
        shown=QUEUING,
    ),
    "dagps": Signature(
        year=2016,
        decides="one",
        knows="All machines, and a plan of each job made before it starts",
        work="graphs",
        change={"topology.clusters[0].machines[0].count": 24},
        says=(
            "Before a job runs, the scheduler plans it: first the long tasks and those that are hard to fit, then "
            "the others around them. A machine with room takes the task that is earliest in its job's plan and "
            "fits.",
            "On average, jobs take at most 0.95 times as long as under first come, first served.",
        ),
        waits=(
            "A task waits until the stages before its own have ended, and while tasks that stand earlier in the "
            "plan take the room."
        ),
        number=JOB_TIME,
        against=Neighbor("cpm", Band(most=0.95), label="First come, first served"),
        turn=_SLOWER,
        opens=_PLAN,
        unseen="Every job has one stage here: there is nothing to plan.",
        needs="stages",
        misses="Under about half of the seeds, the plans save less than a sixth of the time of a job.",
    ),
    "carbyne": Signature(
        year=2016,
        decides="one",
        knows="All machines, and when each job can end at the earliest",
        work="graphs",
        change={"workload.jobs": 7, "topology.clusters[0].machines[0].count": 8},
        says=(
            "Every job has a right to an equal share of the datacenter. A job that would not end earlier with all "
            "of its share gives the rest away for a while. Tasks of other jobs use it, first those of jobs with "
            "little work left.",
            "More than a third of all tasks start on a share that was given away, and jobs take less time than with "
            "equal shares that nobody gives away.",
        ),
        waits=(
            "A task waits because all machines are busy, because its job has used up its share, or because its "
            "job gave that part of its share away; the job ends just as early without it."
        ),
        number=JOB_TIME,
        touched=Figure("Tasks started on shares given away", ("counters.from_leftover",), ("tasks.total",), "%"),
        least_touched=0.33,
        against=Neighbor("drf", Band(most=0.99), label="DRF (no share given away)"),
        turn=Turn(
            "scheduler.params.altruism",
            1.0,
            0.0,
            "Without altruism no job gives anything up, and jobs take longer by 1 % or more.",
            Band(least=1.01),
        ),
        opens=Opens("given", "load", "given_share", "put_off_wait"),
        unseen="No job gives anything up in this run: each needs its whole share to end in time, or altruism is 0.",
    ),
    "choosy": Signature(
        year=2013,
        decides="one",
        knows="All machines, which jobs may run where, and what each job has",
        work="picky-jobs",
        change={"workload.jobs": 60},  # with 24 jobs, four seeds in ten disagree
        says=(
            "Some jobs may run only on some machines. A machine with room goes to the job that holds the least "
            "among those that may run there.",
            "On average, jobs take at most 0.8 times as long as under first come, first served.",
        ),
        waits=(
            "A task waits while the machines that suit it are full and jobs that hold less go first, even if "
            "other machines are free."
        ),
        number=JOB_TIME,
        against=_FIRST_COME_BY_A_FIFTH,
        turn=_SLOWER,
        opens=_TURNS,
        unseen="Every job may run everywhere here: Choosy is plain fair sharing.",
        needs="constraints",
    ),
    "fair": Signature(
        year=2010,
        decides="one",
        knows="All machines, how many tasks of each job run, and where its data are",
        work="few-readers",
        change={"workload.jobs": 80},  # with 24 jobs, three seeds in ten disagree
        says=(
            "One scheduler counts the running tasks of each job. The next task comes from the job with the fewest, "
            "and goes to a machine with the task's data if such a machine has room.",
            "On average, jobs take at most 0.8 times as long as under first come, first served.",
        ),
        waits="A task waits in the queue while the machines are full and jobs with fewer running tasks go first.",
        number=JOB_TIME,
        against=_FIRST_COME_BY_A_FIFTH,
        turn=_SLOWER,
        opens=_TURNS,
        unseen=_ORDERED,
        shown=QUEUING,
    ),
    "delay-schedule": Signature(
        year=2010,
        decides="one",
        knows="All machines, how many tasks of each job run, and where its data are",
        work="few-readers",
        says=(
            "The job with the fewest running tasks goes first. If the machines with its data are busy, it waits a "
            "moment and lets other jobs go ahead, so that its tasks need not read over the network.",
            "Less than a fifth as many tasks read over the network as under fair sharing without the delay.",
        ),
        waits=(
            "A task waits, even beside free machines, for a machine that has its data; after a while it takes any "
            "machine."
        ),
        params={"wait_s": 1.0, "rack_wait_s": 1.0},
        number=_READ,
        against=Neighbor("fair", Band(most=0.2)),
        turn=Turn(
            "scheduler.params.wait_s",
            1.0,
            0.0,
            "Jobs that do not wait for a machine with their data read over the network at least five times as often.",
            Band(least=5),
        ),
        opens=Opens("turns", "load", "skipped_turn"),
        unseen="Every task finds its data on a free machine here: no task has to wait for data.",
        shown=QUEUING,
    ),
}
