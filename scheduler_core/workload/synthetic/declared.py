"""Draw a synthetic workload from its declaration, after checking its size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from scheduler_core.cluster.build import Cluster, amounts
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.arrivals import Arrivals, AtOnce, Poisson, Regular, Replayed
from scheduler_core.experiment.workloads import LONGEST_TASK_S, SyntheticWorkload
from scheduler_core.limits import Limits
from scheduler_core.workload.raw import Ints, RawWork
from scheduler_core.workload.raw.seconds import NS, to_ns
from scheduler_core.workload.synthetic import sampling
from scheduler_core.workload.synthetic.arriving import Clock, times_period_ns
from scheduler_core.workload.synthetic.classes import ClassDraws
from scheduler_core.workload.synthetic.kinds import Kinds, demand_kinds, kinds_of
from scheduler_core.workload.synthetic.rows import LARGEST, cumulative, mean_of, parameters

_FIRST_CHUNK = 4096


@dataclass
class _Drawn:
    """What a source of jobs gives: arrival, tasks, kind of demand, class and place in the distribution of durations."""

    arrival: Ints
    tasks: Ints
    kind: Ints
    of_class: Ints
    place: sampling.Floats

    def first(self, keep: int) -> _Drawn:
        arrival, tasks, kind, of_class, place = self.columns()
        return _Drawn(arrival[:keep], tasks[:keep], kind[:keep], of_class[:keep], place[:keep])

    def columns(self) -> tuple[Ints, Ints, Ints, Ints, sampling.Floats]:
        return self.arrival, self.tasks, self.kind, self.of_class, self.place


def draw(workload: SyntheticWorkload, seed: int, cluster: Cluster, limits: Limits) -> RawWork:
    """Draw the jobs and tasks of a synthetic workload; raises ExperimentError when they exceed a limit."""
    kinds = kinds_of(workload, cluster.names)
    drawn, _, duration, mean = draw_first_tasks(workload, seed, cluster, limits, lambda tasks: tasks, kinds)
    names, queue = _queues(workload, drawn, mean)
    return RawWork(
        drawn.arrival,
        drawn.tasks,
        mean,
        duration,
        queue_names=names,
        queue=queue,
        demands=tuple(dict(zip(cluster.names, vector, strict=True)) for vector in kinds.vectors.tolist()),
        demand=np.repeat(drawn.kind, drawn.tasks),
        priority=_priorities(workload, drawn),
        gang=_gangs(workload, drawn),
    )


def _gangs(workload: SyntheticWorkload, drawn: _Drawn) -> Ints | None:
    """Return 1 for each job whose class makes it a gang; None if no class does."""
    of_class = np.array([one.gang is True for one in workload.classes or ()], np.int64)
    return of_class[drawn.of_class] if of_class.any() else None


def _priorities(workload: SyntheticWorkload, drawn: _Drawn) -> Ints | None:
    """Return the priority of each task's class, -1 for none; None if no class has one."""
    of_class = [one.priority for one in workload.classes or ()]
    if all(one is None for one in of_class):
        return None
    own = np.array([-1 if one is None else one for one in of_class], np.int64)
    found: Ints = np.repeat(own[drawn.of_class], drawn.tasks)
    return found


def draw_first_tasks(
    workload: SyntheticWorkload,
    seed: int,
    cluster: Cluster,
    limits: Limits,
    first: Callable[[Ints], Ints],
    kinds: Kinds | None = None,
) -> tuple[_Drawn, Ints, Ints, Ints]:
    """Draw all jobs and the first tasks of each, as many as `first` says of their numbers of tasks.

    Gives the jobs, those numbers, the tasks' durations and each job's mean of them; raises ExperimentError.
    """
    _refuse_too_many_jobs(workload, limits)
    kinds = kinds or kinds_of(workload, cluster.names)
    classes = None if workload.plain else ClassDraws(workload, seed, kinds)
    gap_ns = _gap_ns(workload, cluster, classes)
    _refuse_too_many(workload, gap_ns, tasks_per_job(workload), limits)
    drawn = _jobs(workload, seed, gap_ns, classes, limits)
    if problem := limits.exceeded("tasks", int(drawn.tasks.sum()), "workload"):
        raise ExperimentError([problem])
    tasks = first(drawn.tasks)
    duration, mean = np.empty(int(tasks.sum()), np.int64), np.empty(len(tasks), np.int64)
    if classes is None:
        sigma = math.sqrt(math.log1p(workload.in_job_cv**2))
        by_job, longest = workload.duration_varies == "job", int(LONGEST_TASK_S) * NS
        sampling.draw_durations(seed, parameters(workload.duration_s), by_job, sigma, longest, tasks, duration, mean)
    else:
        classes.durations(tasks, drawn.of_class, drawn.place, duration, mean)
    return drawn, tasks, duration, mean


def _queues(workload: SyntheticWorkload, drawn: _Drawn, mean_ns: Ints) -> tuple[tuple[str, ...], Ints | None]:
    """Return queue names and each job's index into them (-1: none), by its class or else by the first matching rule."""
    of_class = [one.queue for one in workload.classes or ()]
    rules = workload.queue_rules or ()
    names = tuple(dict.fromkeys(name for name in (*of_class, *(rule.queue for rule in rules)) if name is not None))
    if not names:
        return (), None
    queue = np.full(len(mean_ns), -1, np.int64)
    if of_class:
        queue = np.array([-1 if name is None else names.index(name) for name in of_class], np.int64)[drawn.of_class]
    for rule in rules:
        fits = queue < 0
        if rule.min_tasks is not None:
            fits &= drawn.tasks >= rule.min_tasks
        if rule.max_tasks is not None:
            fits &= drawn.tasks <= rule.max_tasks
        if rule.min_mean_s is not None:
            fits &= mean_ns >= to_ns(rule.min_mean_s)
        if rule.max_mean_s is not None:
            fits &= mean_ns < to_ns(rule.max_mean_s)
        queue[fits] = names.index(rule.queue)
    return names, queue


def tasks_per_job(workload: SyntheticWorkload) -> float:
    """Return the mean number of tasks of a job."""
    if not workload.classes:
        return mean_of(workload.tasks_per_job, whole=True)
    weight = math.fsum(one.weight for one in workload.classes)
    return math.fsum(
        one.weight / weight * mean_of(one.tasks_per_job or workload.tasks_per_job, whole=True)
        for one in workload.classes
    )


def gap_on(workload: SyntheticWorkload, seed: int, cluster: Cluster) -> float:
    """Return the mean gap between jobs on these machines, in ns."""
    classes = None if workload.plain else ClassDraws(workload, seed, kinds_of(workload, cluster.names))
    return _gap_ns(workload, cluster, classes)


def _gap_ns(workload: SyntheticWorkload, cluster: Cluster, classes: ClassDraws | None) -> float:
    """Return the mean gap between jobs, in ns."""
    arrivals = workload.arrivals
    if isinstance(arrivals, AtOnce):
        return 0.0
    if isinstance(arrivals, Replayed) and arrivals.rate_per_s is None and arrivals.offered_load is None:
        return times_period_ns(arrivals) / len(arrivals.times_s)
    if classes is None or arrivals.offered_load is None:
        return NS / rate_per_s(workload, cluster)
    seconds = classes.work_per_job(workload.jobs)
    return NS * seconds_of_capacity(cluster, seconds) / arrivals.offered_load


def seconds_of_capacity(cluster: Cluster, work: sampling.Floats) -> float:
    """Return the seconds for which work (thousandths x seconds of each resource) fills the fullest resource."""
    have = cluster.capacity.sum(axis=0)
    for column, (asked, capacity) in enumerate(zip(work.tolist(), have.tolist(), strict=True)):
        if asked > 0 and capacity == 0:
            raise ExperimentError([_no_capacity(cluster.names[column])])
    return max(
        (asked / capacity for asked, capacity in zip(work.tolist(), have.tolist(), strict=True) if capacity),
        default=0.0,
    )


def _no_capacity(resource: str) -> Problem:
    return Problem(
        "workload.arrivals.offered_load",
        f"counts in {resource}, of which the machines have none",
        "a load of resources that the machines have",
    )


def rate_per_s(workload: SyntheticWorkload, cluster: Cluster) -> float:
    """Return the jobs that arrive per second; for `offered_load`, from the mean job's work and the capacity."""
    arrivals: Arrivals = workload.arrivals
    if isinstance(arrivals, AtOnce):
        return math.inf
    if arrivals.rate_per_s is not None:
        return arrivals.rate_per_s
    demands, weights = demand_kinds(workload)
    tasks = mean_of(workload.tasks_per_job, whole=True)
    seconds = mean_of(workload.duration_s)
    capacity = [int(column) for column in cluster.capacity.sum(axis=0)]
    busiest = 0.0
    for column, have in enumerate(capacity):
        asked = math.fsum(
            weight * amounts(demand, cluster.names)[column] for weight, demand in zip(weights, demands, strict=True)
        ) / math.fsum(weights)
        if asked > 0 and have == 0:
            raise ExperimentError([_no_capacity(cluster.names[column])])
        busiest = max(busiest, asked / have if have else 0.0)
    assert arrivals.offered_load is not None
    return arrivals.offered_load / (busiest * tasks * seconds)


def _refuse_too_many_jobs(workload: SyntheticWorkload, limits: Limits) -> None:
    if workload.jobs is not None and (problem := limits.exceeded("jobs", workload.jobs, "workload.jobs")) is not None:
        raise ExperimentError([problem])


def _refuse_too_many(workload: SyntheticWorkload, gap_ns: float, per_job: float, limits: Limits) -> None:
    """Refuse by the expected numbers, before an allocation of that size."""
    problems: list[Problem | None] = []
    if not isinstance(workload.arrivals, AtOnce) and gap_ns > sampling.LATEST_NS:
        problems.append(_too_late())
    elif workload.jobs is not None:
        problems.append(limits.exceeded("tasks", int(0.9 * workload.jobs * per_job), "workload.jobs"))
    elif workload.tasks is not None:
        problems.append(limits.exceeded("tasks", workload.tasks, "workload.tasks"))
        problems.append(limits.exceeded("jobs", int(0.9 * workload.tasks / per_job), "workload.tasks"))
    elif workload.arrive_for_s is not None:
        jobs = 0.9 * min(workload.arrive_for_s * NS / max(gap_ns, 1e-9), LARGEST)
        problems.append(limits.exceeded("jobs", int(jobs), "workload.arrive_for_s"))
        problems.append(limits.exceeded("tasks", int(jobs * per_job), "workload.arrive_for_s"))
    if found := [problem for problem in problems if problem is not None]:
        raise ExperimentError(found)


def _too_late() -> Problem:
    return Problem(
        "workload.arrivals",
        "has jobs arrive after more than 1,000,000,000 s",
        "an earlier end",
        "raise the rate, or ask for fewer jobs",
    )


class _Source:
    """Draws chunk after chunk of jobs."""

    def __init__(self, workload: SyntheticWorkload, seed: int, gap_ns: float, classes: ClassDraws | None) -> None:
        self._workload, self._seed, self._gap_ns, self._classes = workload, seed, gap_ns, classes
        even = workload.sampling == "even" and workload.jobs is not None
        self._clock = Clock(workload.arrivals, seed, gap_ns, workload.jobs or 0 if even else 0)
        self._shape = (parameters(workload.tasks_per_job), cumulative(demand_kinds(workload)[1]))

    def chunk(self, first: int, last_ns: int, size: int) -> _Drawn:
        """Draw `size` jobs from number `first` on; the one before arrived at `last_ns`."""
        arrival, tasks, kind, of_class = (np.zeros(size, np.int64) for _ in range(4))
        place = np.zeros(size if self._classes is not None else 0)
        if self._classes is not None:
            self._classes.shapes(first, tasks, of_class, place, kind)
            self._clock.fill(first, last_ns, arrival)
            return _Drawn(arrival, tasks, kind, of_class, place)
        code = _arrival_code(self._workload.arrivals)
        sampling.draw_jobs(
            self._seed, first, max(code, sampling.AT_ONCE), self._gap_ns, *self._shape, last_ns, arrival, tasks, kind
        )
        if code < 0:
            self._clock.fill(first, last_ns, arrival)
        return _Drawn(arrival, tasks, kind, of_class, place)


def _jobs(workload: SyntheticWorkload, seed: int, gap_ns: float, classes: ClassDraws | None, limits: Limits) -> _Drawn:
    """Draw jobs in growing chunks until the workload's end."""
    chunks: list[_Drawn] = []
    end_ns = to_ns(workload.arrive_for_s) if workload.arrive_for_s is not None else 2**62
    jobs = tasks = 0
    source = _Source(workload, seed, gap_ns, classes)
    for size in _sizes(workload.jobs):
        drawn = source.chunk(jobs, int(chunks[-1].arrival[-1]) if chunks else 0, size)
        keep = int(np.searchsorted(drawn.arrival, end_ns, side="right"))
        if workload.tasks is not None:
            keep = min(keep, int(np.searchsorted(np.cumsum(drawn.tasks), workload.tasks - tasks, side="left")) + 1)
        chunks.append(drawn.first(keep))
        jobs, tasks = jobs + keep, tasks + int(drawn.tasks[:keep].sum())
        _refuse_chunk(workload, jobs, tasks, int(drawn.arrival[keep - 1]) if keep else 0, limits)
        if keep < size or (workload.tasks is not None and tasks >= workload.tasks):
            break
    if jobs == 0:
        raise ExperimentError(
            [
                Problem(
                    "workload.arrive_for_s",
                    "is over before the first job arrives",
                    "at least one job",
                    "raise it, or the rate",
                )
            ]
        )
    together = _Drawn(*(np.concatenate(parts) for parts in zip(*(one.columns() for one in chunks), strict=True)))
    if workload.tasks is not None:
        together.tasks[-1] -= tasks - workload.tasks
    return together


def _refuse_chunk(workload: SyntheticWorkload, jobs: int, tasks: int, last_ns: int, limits: Limits) -> None:
    counts = (("jobs", jobs), ("tasks", tasks if workload.tasks is None else 0))
    if problems := [problem for name, count in counts if (problem := limits.exceeded(name, count, "workload"))]:
        raise ExperimentError(problems)
    if last_ns > sampling.LATEST_NS:
        raise ExperimentError([_too_late()])


def _sizes(jobs: int | None) -> Iterator[int]:
    """Yield the sizes of chunks: one chunk for a known number, otherwise doubling sizes."""
    if jobs is not None:
        yield jobs
        return
    size = _FIRST_CHUNK
    while True:
        yield size
        size = min(size * 2, 1 << 18)


def _arrival_code(arrivals: Arrivals) -> int:
    """Return the code of what the kernel draws itself, -1 for what a clock gives."""
    codes = {AtOnce: sampling.AT_ONCE, Poisson: sampling.POISSON, Regular: sampling.REGULAR}
    return codes.get(type(arrivals), -1)
