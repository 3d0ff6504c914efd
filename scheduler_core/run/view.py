"""What there is to see of a run besides its frames: tracks, density, instructive moments, copies and probes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from scheduler_core.recording.choices import MOST_MACHINES, Compared, choices_of
from scheduler_core.recording.density import Ground, density_of
from scheduler_core.recording.graphs import graph_tables
from scheduler_core.recording.track import Told, Window, long_of, moves_of, sizes_of, track_of
from scheduler_core.run.classes import cutoff_of
from scheduler_core.run.driver import Simulation
from scheduler_core.run.instructive import Run, instructive_moments
from scheduler_core.run.instructive_probes import ProbeWay
from scheduler_core.run.probe_ways import ways_of
from scheduler_core.run.tables import TaskColumns

WATCHED_SLICE = 4_000
"""Number of events between two looks at the log while a task is watched: its notes must fit there."""
MOST_STEPS = 20_000
"""Runs of more events are not simulated again event by event for the copies of the state."""
MOST_ASKED = 20_000
"""Runs of more tasks are not simulated again for the probes of one job."""
MOST_TRACKED = 1_000_000
"""Recordings of larger runs keep no track."""


class RunView:
    """A view on a simulation, which it does not change.

    It reads the run's log and arrays; for copies and probes it simulates the experiment again.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._run = simulation

    def write_recording(self, target: Path | BinaryIO) -> None:
        """Write the recording of a run that has ended to a file or a stream."""
        run = self._run
        assert run.result is not None, "a recording is written after the run"
        meta = run.meta() | {"decisions_thinned": run.thinned, "notes": list(run.notes)}
        decisions = run.decisions()
        run.recording.save(
            target, meta=meta, summary=run.result.summary, decisions=decisions, graphs=self._graphs(decisions),
            track=self.track() if len(run.world.task) <= MOST_TRACKED else None, density=self.density,
            moments=self.moments(),
        )  # fmt: skip

    def track(self, window: Window | None = None) -> dict[str, Any]:
        """Return the history so far of all tasks that have arrived, or of the tasks in a window (contract.Track)."""
        run = self._run
        told = self._told()
        if window is None and run.result is not None:
            told = replace(told, choices=choices_of(self._compared()), copies=self._copies())
        return track_of(told, window)

    def _compared(self) -> Compared:
        run = self._run
        tasks, params = TaskColumns(run.world).table(), run.experiment.scheduler.params
        return Compared(
            run.spec, params, tasks, run.decisions_so_far(), moves_of(run.spec),
            run.world.demand[run.world.task["demand"]], run.world.capacity,
            round(run.experiment.network.message_delay_s * 1e9),
            np.asarray(getattr(run.state, "replica", np.zeros((0, 1))), np.int64), run.world.machine["rack"],
        )  # fmt: skip

    def density(self) -> dict[str, Any]:
        """Return how many tasks waited in each place at the recording's frames (contract.Density)."""
        run = self._run
        frames = [(frame.t_ns, frame.counters["tasks_waiting"]) for frame in run.recording.frames()]
        times_ns, waiting = np.array(frames, np.int64).T
        told = self._told()
        ground = Ground(
            times_ns,
            waiting,
            np.asarray(run.cluster.cluster_of, np.int64),
            tuple(queue.name for queue in run.queues),
            None if run.dropped is None else run.dropped[: len(told.tasks)],
        )
        return density_of(told, ground)

    def _told(self) -> Told:
        run = self._run
        tasks = TaskColumns(run.world).table() if run.result is None else run.result.tasks
        arrived = int(np.searchsorted(tasks["arrival_ns"], run.now_ns, "right"))
        work = cutoff_of(run.experiment, run.world.job["mean_ns"])
        cutoff_s = None if work.rule == "yahoo" else work.seconds
        long = long_of(run.spec, run.experiment.scheduler.params, run.world, cutoff_s)
        return Told(
            run.spec, tasks[:arrived], run.decisions_so_far(), sizes_of(run.world)[:arrived], run.names.owners,
            run.until_ns, run.thinned > 0, None if long is None else long[:arrived],
            dropped=None if run.dropped is None else run.dropped[:arrived],
        )  # fmt: skip

    def moments(self) -> list[dict[str, Any]]:
        """Return the most instructive moments of a run that has ended (contract.Moment)."""
        run = self._run
        assert run.result is not None, "moments are chosen after the run"
        cluster = run.cluster
        return instructive_moments(
            Run(
                run.spec,
                run.result.tasks,
                run.decisions(),
                run.names,
                lambda machine: cluster.cluster_names[int(cluster.cluster_of[machine])],
                self._reports(),
                choices_of(self._compared()),
                self._probes_of,
                self._data_of,
            )
        )

    def _data_of(self, task: int) -> list[int]:
        """Return the machines that have a task's data, if the scheduler knows of data."""
        run = self._run
        replica = getattr(run.state, "replica", None)
        return [] if replica is None or task >= len(replica) else [int(each) for each in replica[task] if each >= 0]

    def _copies(self) -> list[tuple[int, int]]:
        """Return when each keeper copied the whole state, by a second simulation by events; empty of long runs."""
        run = self._run
        copied = run.spec.work.copies
        if copied is None or int(run.world.control[0].events) > MOST_STEPS:
            return []
        again = run.again(slice_events=1)
        found: set[tuple[int, int]] = set()

        def look(simulation: Simulation) -> None:
            found.update((int(t_ns), number) for number, t_ns in enumerate(copied(simulation.state)))

        again.advance_to(run.now_ns, look)
        return sorted(found)

    def _probes_of(self, task: int) -> list[ProbeWay]:
        """Return the probes of a task's job, by a second simulation up to the job's last start; empty of large runs."""
        run = self._run
        if not run.spec.probes or len(run.world.task) > MOST_ASKED or len(run.world.machine) > MOST_MACHINES:
            return []
        again = run.again(slice_events=WATCHED_SLICE, watch_task=task)
        starts = run.world.task["first_start_ns"][run.world.task["job"] == run.world.task[task].job]
        again.advance_to(int(starts.max()))
        return ways_of(again.notes_on_probes)

    def _reports(self) -> tuple[tuple[int, int], ...]:
        """Return (time in ns, first machine) of each cluster's first report after the first start, within the run."""
        run = self._run
        refresh = None if run.spec.work.refresh is None else run.spec.work.refresh(run.experiment)
        starts = run.world.task["first_start_ns"]
        if refresh is None or not (starts >= 0).any():
            return ()
        after = int(starts[starts >= 0].min())
        found = []
        for first, machine in zip(refresh.first_ns, run.cluster.cluster_first, strict=False):
            t_ns = first + max(0, -(-(after - first) // refresh.period_ns)) * refresh.period_ns
            found += [(t_ns, int(machine))] if t_ns <= run.now_ns else []
        return tuple(found)

    def _graphs(self, decisions: Any) -> dict[str, Any] | None:
        """Return the jobs as graphs if the scheduler supports them; None otherwise."""
        run = self._run
        if "dag" not in run.spec.supports or run.result is None:
            return None
        return graph_tables(run.experiment, run.world, run.stages, run.result.tasks, run.result.jobs, decisions)
