"""Pack the parameters of job classes once for the drawing kernels."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.experiment.workloads import LONGEST_TASK_S, JobClass, SyntheticWorkload
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.synthetic import drawing
from scheduler_core.workload.synthetic.kinds import Kinds
from scheduler_core.workload.synthetic.rows import cumulative, mean_of, packed, sigma_for
from scheduler_core.workload.synthetic.sampling import Floats, Ints

_SAMPLE = 20_000


class ClassDraws:
    """Draws sizes, classes, demands and durations of jobs."""

    def __init__(self, workload: SyntheticWorkload, seed: int, kinds: Kinds) -> None:
        """Pack the classes; what a class leaves out is the workload's."""
        classes = workload.classes or (JobClass(name="all", weight=1),)
        self._seed, self._kinds = seed, kinds
        self._weights = cumulative([one.weight for one in classes])
        self._sizes, self._size_at = packed([one.tasks_per_job or workload.tasks_per_job for one in classes])
        self._dists = [one.duration_s or workload.duration_s for one in classes]
        self._durations, self._duration_at = packed(self._dists)
        varies = [one.duration_varies or workload.duration_varies for one in classes]
        self._by_job = np.array([one == "job" for one in varies], np.int64)
        cvs = [workload.in_job_cv if one.in_job_cv is None else one.in_job_cv for one in classes]
        self._sigma = np.array([sigma_for(cv) for cv in cvs])
        follows = [(one.duration_follows_size, workload.duration_follows_size) for one in classes]
        self._follows = np.array([own if own is not None else common or 0.0 for own, common in follows])
        self._demand_follows = workload.demand_follows_duration or 0.0
        self._slots, self._bounds = np.empty(0, np.int64), np.empty(0, np.int64)
        if workload.sampling == "even" and workload.jobs is not None:
            self._slots = drawing.shuffled(seed, rng.STREAM_JOB_CLASS, workload.jobs)
            self._bounds = np.concatenate([[0], np.floor(self._weights * workload.jobs + 0.5)]).astype(np.int64)
            self._bounds[-1] = workload.jobs

    def shapes(self, first: int, tasks: Ints, of_class: Ints, place: Floats, kind: Ints) -> None:
        """Fill size, class, place in the distribution of durations and kind of demand of jobs `first` and up."""
        drawing.draw_shapes(
            self._seed,
            first,
            self._slots,
            self._bounds,
            self._weights,
            self._sizes,
            self._size_at,
            self._follows,
            tasks,
            of_class,
            place,
        )
        drawing.draw_kinds(
            self._seed,
            first,
            place,
            self._demand_follows,
            of_class,
            self._kinds.fixed,
            self._kinds.weights,
            self._kinds.resources,
            self._kinds.levels,
            kind,
        )

    def durations(self, tasks: Ints, of_class: Ints, place: Floats, duration_ns: Ints, mean_ns: Ints) -> None:
        """Fill the tasks' durations and each job's mean of them."""
        drawing.draw_class_durations(
            self._seed,
            self._durations,
            self._duration_at,
            self._by_job,
            self._sigma,
            int(LONGEST_TASK_S) * NS,
            tasks,
            of_class,
            place,
            duration_ns,
            mean_ns,
        )

    def work_per_job(self, jobs: int | None) -> Floats:
        """Return the mean work of a job, in thousandths x seconds of each resource, of these jobs or of a sample.

        Of the jobs themselves, because the mean of a heavy tail says little about the work that a few jobs bring.
        """
        count = jobs or _SAMPLE
        tasks, of_class, kind = (np.empty(count, np.int64) for _ in range(3))
        place = np.empty(count)
        self.shapes(0, tasks, of_class, place, kind)
        seconds = np.zeros(len(self._kinds.vectors))
        means = np.array(
            [0.0 if by_job else mean_of(dist) for dist, by_job in zip(self._dists, self._by_job.tolist(), strict=True)]
        )
        drawing.sum_work(self._durations, self._duration_at, self._by_job, means, tasks, of_class, place, kind, seconds)
        work = [
            float(sum(seconds[kind] * amount for kind, amount in enumerate(column)))
            for column in self._kinds.vectors.T.tolist()
        ]
        return np.array(work) / count
