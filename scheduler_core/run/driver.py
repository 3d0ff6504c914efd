"""The driver: plain Python around the kernel. Slices, frames on a grid of simulated time, progress, snapshots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.entry import Kernel, calling_by
from scheduler_core.engine.events import DONE, ENOUGH, HEAP_FULL, LANE_FULL, LOG_FULL, REACHED
from scheduler_core.engine.records import DECISION, NEVER, TASK_RUNNING
from scheduler_core.engine.witness import Witness
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, ResolveTrace, effective_queues, unsupported
from scheduler_core.experiment.catalogues import constraint_names
from scheduler_core.experiment.sections import Queue
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.metrics import Finished, measured_number
from scheduler_core.recording import Frame, RecordingWriter
from scheduler_core.recording.builder import FrameBuilder, Grid
from scheduler_core.recording.decisions import DecisionLog
from scheduler_core.run import snapshot
from scheduler_core.run.built import KeptBuilds, build
from scheduler_core.run.classes import cutoff_notes
from scheduler_core.run.description import describe
from scheduler_core.run.ending import how_ended, waiting_now
from scheduler_core.run.engine_names import AUTO
from scheduler_core.run.engines import engine_by_name
from scheduler_core.run.names import Names
from scheduler_core.run.outcome import Spent, counted, finished_of, performance, result_of
from scheduler_core.run.results import RunResult
from scheduler_core.schedulers import scheduler_by_name
from scheduler_core.schedulers.shared.probing import FIRST_NOTE
from scheduler_core.version import __version__
from scheduler_core.workload import Workload
from scheduler_core.workload.clusters.standing import Standing
from scheduler_core.workload.stages import Stages
from scheduler_core.world import pack
from scheduler_core.world.disturbed import with_interference
from scheduler_core.world.planned import plan, stops_of, with_incidents
from scheduler_core.world.protocol import Protocol
from scheduler_core.world.spec import layers_of
from scheduler_core.world.standing import check_stop
from scheduler_core.world.start import Start

SLICE_EVENTS = 50_000
OnSlice = Callable[["Simulation"], None]


class Simulation:
    """One run of an experiment.

    `prepare` builds the arrays and loads the kernel. `run` yields frames while it simulates; then `result` holds the
    RunResult. `frames` is the approximate number of frames (0: only the last one). `watch_task` keeps only the
    decisions about that task. `builds` keeps machines and workload for later simulations of the same experiment.
    `spared` is (task, mask of constraints that the task does not request, whatever the experiment says).
    `engine` is one of run.engines.ENGINES: what runs the event loop. The result is the same by each of them.
    """

    def __init__(
        self,
        experiment: Experiment,
        *,
        resolve_trace: ResolveTrace | None = None,
        frames: int = 600,
        watch_task: int | None = None,
        limits: Limits = DEFAULT_LIMITS,
        slice_events: int = SLICE_EVENTS,
        builds: KeptBuilds | None = None,
        spared: tuple[int, int] | None = None,
        engine: str = AUTO,
    ) -> None:
        self.experiment = experiment
        self.spec = scheduler_by_name(experiment.scheduler.name)
        if problems := unsupported(experiment, self.spec.honors(experiment)):
            raise ExperimentError(problems)
        self._engine = engine_by_name(engine)
        self.spent = Spent()
        self.result: RunResult | None = None
        self._resolve_trace = resolve_trace
        self._frames = frames
        self._watch_task = watch_task
        self._limits = limits
        self.slice_events = slice_events
        self._builds = builds
        self._spared = spared
        self._log = DecisionLog()
        self.notes_on_probes = np.zeros(0, DECISION)
        self.standing: Standing | None = None
        self._recording = RecordingWriter()
        self._pending: list[Any] = []
        self.grown: list[int] = []
        self._shows = True
        self._prepared = False
        self._force_key = False
        self._over = False
        self._nothing_more = False

    # -- before ----------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Build the arrays and load or compile the kernel. Raises ExperimentError."""
        if not self._prepared:
            with counted(self.spent, "prepare_s"):
                self._prepare()
            self.spent.prepare_s -= self.spent.compile_s
            self._prepared = True

    def _prepare(self) -> None:
        experiment = self.experiment
        self._protocol = self.spec.load()
        params = self.spec.params(**experiment.scheduler.params)
        parts = (experiment, self.spec, self._protocol, params, self._resolve_trace, self._limits)
        kept = self._builds if self._spared is None else None
        built = build(*parts, self._spared) if kept is None else kept.get(*parts)
        self.cluster, self.world, self.standing = built.cluster, built.world, built.standing
        self._recorded = built.recorded
        check_stop(experiment, built.standing)
        self._began = int((self.world.task["state"] == TASK_RUNNING).sum())
        self.notes = built.notes + cutoff_notes(self.experiment, self.world.job["mean_ns"])
        if self._watch_task is not None:
            self.check_watched(self._watch_task)
        self._queues = effective_queues(experiment)
        self.world = with_incidents(self.world, plan(experiment, self.cluster, len(self.world.task)))
        self.world = with_interference(self.world, experiment, paced=self.spec.paced)
        self._settings(len(self.world.task))
        self._stages = built.stages
        owners = np.array([queue.global_master for queue in self._queues], np.int32)
        drops = self.spec.drops(experiment)
        if drops:
            pack.drop_hopeless(self.world)
        start = Start(
            experiment, params, self.cluster, self.world, owners, built.stages, built.standing, built.recorded
        )
        self.state: Any = self._protocol.pack(start)
        # A scheduler may have found more such tasks: no rack suits them.
        self.dropped = pack.drop_hopeless(self.world) if drops else None
        self.expected_ns = self._expected_ns(built.planned)
        self._grid = Grid(self.expected_ns, self._frames)
        self.layers = layers_of(self.spec, self.cluster.names, self.cluster.capacity.sum(axis=0))
        self._builder = FrameBuilder(self.spec, self.layers, self._protocol, self.world.capacity)
        with counted(self.spent, "compile_s"):
            self._advance(-1, 0)

    def _expected_ns(self, planned: Workload) -> int:
        """Estimate how long the run takes: to the last arrival and a task more, or as long as all the work needs.

        From the work as planned, before any event moves it: a fork shows what came before it in the same frames.
        """
        task, capacity = planned.tasks, self.world.capacity.sum(axis=0)
        if not len(task):
            return 1
        work = np.bincount(task["demand"], task["duration_ns"], len(planned.demands)) @ planned.demands
        needed_ns = float((work / np.maximum(capacity, 1))[capacity > 0].max(initial=0.0))
        arrivals_ns = int(planned.jobs["arrival_ns"].max()) + float(task["duration_ns"].mean())
        return int(min(max(needed_ns, arrivals_ns, 1.0), float(self._stop_ns)))

    def check_watched(self, task: int) -> None:
        """Raise ExperimentError if the task does not exist."""
        tasks = len(self.world.task)
        if not 0 <= task < tasks:
            allowed = f"0 to {tasks - 1}, in the workload's order"
            raise ExperimentError([Problem("task", f"there is no task {task}", allowed)])

    def _settings(self, tasks: int) -> None:
        control, stop = self.world.control, self.experiment.stop
        control["watched_task"] = -1 if self._watch_task is None else self._watch_task
        if stop.when == "tasks" and stop.tasks is not None:
            control["tasks_wanted"] = min(stop.tasks, tasks)
        self._stop_ns = round(stop.at_s * 1e9) if stop.when == "at_s" and stop.at_s is not None else NEVER
        if self._services and self.experiment.events and self._stop_ns != NEVER:
            # Events may stop tasks that have no end when no other task is left.
            control["tasks_wanted"] += self._services

    @property
    def wall_s(self) -> float:
        """Return the wall-clock seconds of the event loop and the frames so far."""
        return self.spent.wall_s

    # -- during ----------------------------------------------------------------------------------------------------

    @property
    def now_ns(self) -> int:
        """Return the simulated time in ns."""
        return int(self.world.control[0].now_ns) if self._prepared else 0

    @property
    def protocol(self) -> Protocol:
        """Return the scheduler's interface to the driver, which `prepare` loads."""
        return self._protocol

    @property
    def stop_ns(self) -> int:
        """Return the simulated time that ends the run, in ns; records.NEVER if no time ends it."""
        return int(self._stop_ns)

    @property
    def progress(self) -> float:
        """Return the approximate fraction of the run that is done: by tasks, or by time if a stop time ends the run."""
        if not self._prepared:
            return 0.0
        if self._over:
            return 1.0
        control = self.world.control[0]
        done = float((control.tasks_done + control.tasks_unschedulable) / max(1, control.tasks_wanted))
        if self._stop_ns != NEVER:
            done = max(done, self.now_ns / self._stop_ns)
        return min(done, 1.0)

    def run(self, on_slice: OnSlice | None = None) -> Iterator[Frame]:
        """Simulate to the end and yield the frames.

        `on_slice` is called between slices and after each frame. An exception that it raises stops the run.
        """
        self.prepare()
        ended = False
        while not ended:
            target_ns = min(self._grid.next_ns if self._frames else NEVER - 1, self._stop_ns)
            self._nothing_more = self.advance_to(target_ns, on_slice)
            ended = self._nothing_more or target_ns >= self._stop_ns
            if ended:
                break
            frame = self._frame(target_ns, "running")
            self._grid.advance()  # before the yield: a snapshot taken there continues after this frame
            yield frame
            if on_slice is not None:
                on_slice(self)
        self._over = True
        if on_slice is not None:
            on_slice(self)
        yield self._last_frame()

    def finish(self, on_slice: OnSlice | None = None) -> RunResult:
        """Simulate to the end like `run`, make no more frames, and return the result."""
        self.prepare()
        self._shows = False  # no frame shows decisions: millions of rows need not stay
        self._nothing_more = self.advance_to(min(NEVER - 1, self._stop_ns), on_slice)
        self._over = True
        if on_slice is not None:
            on_slice(self)
        self.result = self._result()
        return self.result

    def advance_to(self, until_ns: int, on_slice: OnSlice | None = None) -> bool:
        """Simulate up to and including `until_ns`; return True if the run has ended by then.

        `on_slice` is called between slices. Raises ExperimentError if the run exceeds the limit on simulated events.
        """
        self.prepare()
        while True:
            with counted(self.spent, "simulate_s"):
                with counted(self.spent, "wall_s"):
                    reason = self._advance(until_ns, self.slice_events)
                self._drain()
            if reason == DONE:
                return True
            if reason == REACHED:
                return self._nothing_left(until_ns)
            self.make_room(reason)
            if self.world.control[0].events > self._limits.simulated_events:
                longer = f"the run is longer than {self._limits.simulated_events:,} events"
                raise ExperimentError([Problem("workload", longer, remedy="shorten it, or stop it at a time")])
            if on_slice is not None:
                on_slice(self)

    def _advance(self, until_ns: int, max_events: int) -> int:
        """Run the event loop by this run's engine; return why it stopped (engine.events)."""
        self.world, self.state = self._engine.settle(self.world), self._engine.settle(self.state)
        with calling_by(self._engine):
            return self._protocol.advance(self.world, self.state, until_ns, max_events)

    def make_room(self, reason: int) -> None:
        """Double the buffer that `advance` found full, and note in `grown` which one it was."""
        if reason in (ENOUGH, LOG_FULL):
            return
        self.grown.append(reason)
        if reason == HEAP_FULL:
            self.world = pack.grow_heap(self.world)
        elif reason == LANE_FULL:
            self.world = pack.grow_lanes(self.world)
        else:
            self.state = self._protocol.grow(self.world, self.state)

    def event_loop(self) -> tuple[Kernel, tuple[Any, ...]]:
        """Return the event loop and the arguments that it would get now; the last two are a time and a number."""
        self.prepare()
        witness = Witness()
        with calling_by(witness):
            self._protocol.advance(self.world, self.state, -1, 0)
        ((kernel, arguments),) = witness.called
        return kernel, arguments

    def _nothing_left(self, until_ns: int) -> bool:
        """Return True if no event remains, so that nothing can happen any more."""
        control = self.world.control[0]
        waits = control.heap_size or control.next_job < len(self.world.job)
        return not waits and bool((self.world.lane["head"] == self.world.lane["tail"]).all())

    def _drain(self) -> None:
        size = int(self.world.control[0].log_size)
        if size:
            rows = self.world.log[:size].copy()
            self.world.control["log_size"] = 0
            if self._watch_task is not None:
                self.notes_on_probes = np.concatenate([self.notes_on_probes, rows[rows["reason"] >= FIRST_NOTE]])
                rows = rows[rows["reason"] < FIRST_NOTE]
            if self._shows:
                self._pending.append(rows)
            self._log.add(rows)

    def _frame(self, t_ns: int, run_state: str, end: dict[str, Any] | None = None) -> Frame:
        with counted(self.spent, "simulate_s"), counted(self.spent, "wall_s"):
            decisions, self._pending = self._pending, []
            frame = self._builder.build(
                self.world,
                self.state,
                self.counters(),
                decisions,
                t_ns,
                run_state=run_state,
                end=end,
                force_key=self._force_key,
            )
            self._force_key = False
            self._recording.add(frame)
        return frame

    def counters(self) -> dict[str, int]:
        """Return all counters so far: the engine's and the scheduler's."""
        control = self.world.control[0]
        names = (
            "events",
            "messages",
            "tasks_arrived",
            "tasks_started",
            "tasks_done",
            "jobs_done",
            "tasks_running",
        )
        told = {name: int(control[name]) for name in names} | {"tasks_waiting": waiting_now(self.world, self.dropped)}
        return told | self._protocol.counters(self.world, self.state)

    # -- after -----------------------------------------------------------------------------------------------------

    def _last_frame(self) -> Frame:
        self.result = self._result()
        return self._frame(self._end_ns(), "done", self.result.summary)

    def _end_ns(self) -> int:
        """Return the time of the last frame: the stop time if it ended the run, and never before the previous frame."""
        by_time = self._stop_ns != NEVER and self._settled() < self.world.control[0].tasks_wanted
        return max(self._stop_ns if by_time else self.now_ns, self._builder.last_t_ns)

    def _settled(self) -> int:
        control = self.world.control[0]
        return int(control.tasks_done + control.tasks_unschedulable)

    def _finished(self) -> Finished:
        """Return what has happened so far, as metrics take it."""
        parts = (self.experiment, self.spec, self._protocol, self.world, self.state)
        return finished_of(
            *parts,
            resources=self.cluster.names,
            counters=self.counters(),
            dropped=self.dropped,
            standing=self._began,
            endless=self._endless(),
            ended=how_ended(self.world, self._stopped(), self._never_ending()),
            never_ending=self._never_ending(),
            recorded_ns=None if self._recorded is None else self._recorded.start_ns,
            graph=self._stages,
        )

    @property
    def _services(self) -> int:
        return 0 if self.standing is None else self.standing.services

    def _endless(self) -> int | None:
        """Return how many tasks without an end run now; None where all tasks have one."""
        if self.standing is None or not self.standing.endless.any():
            return None
        return int((self.standing.endless & (self.world.task["state"] == TASK_RUNNING)).sum())

    def _never_ending(self) -> npt.NDArray[np.bool_] | None:
        """Return which tasks nobody waits for: dropped ones, and those that run from the start and have no end."""
        if not self._services:
            return self.dropped
        services = np.arange(len(self.world.task)) < self._services
        return services if self.dropped is None else services | self.dropped

    def _stopped(self) -> bool:
        """Return True if the stop rule ended the run, or the run has not ended, while something could still happen."""
        wanted = int(self.world.control[0].tasks_wanted)
        there = len(self.world.task) - self._services
        return not self._nothing_more or (wanted < there and self._settled() >= wanted)

    def measured_so_far(self, metric: str) -> float | None:
        """Return the present value of a number of the summary by its dotted name; None if it does not exist yet."""
        return measured_number(self._finished(), metric)

    def _result(self) -> RunResult:
        with counted(self.spent, "measure_s"):
            digest = self.experiment.digest(self._resolve_trace)
            result = result_of(self.experiment, self.spec, self._finished(), experiment_digest=digest)
        measured = getattr(self._protocol, "measured", None)
        stages = measured(self.world, self.state) if measured and self._engine.measures else None
        result.summary["performance"] = performance(self.world, len(self.world.task), self.spent, stages)
        return result

    def meta(self) -> dict[str, Any]:
        """Return the description that a viewer needs before any frame (docs/development/design/library.md)."""
        return describe(self.experiment, resolve_trace=self._resolve_trace)

    def decisions(self) -> Any:
        """Return the kept decision rows (engine.records.DECISION)."""
        return self._log.rows()

    def decisions_so_far(self) -> Any:
        """Return the decision rows of a running simulation, without thinning the log that stays at the end."""
        self._drain()
        return self._log.so_far()

    @property
    def thinned(self) -> int:
        """Return how many times the log of decisions was thinned: 0 if it holds all of them."""
        return self._log.thinned

    @property
    def recording(self) -> RecordingWriter:
        """Return the frames so far."""
        return self._recording

    @property
    def queues(self) -> tuple[Queue, ...]:
        """Return the queues of the run, in their order."""
        return self._queues

    @property
    def stages(self) -> Stages | None:
        """Return the stages of the jobs; None if no task waits for others."""
        return self._stages

    @property
    def until_ns(self) -> int:
        """Return the time up to which the run is known, in ns: now, or the last frame's."""
        return max(self.now_ns, self._builder.last_t_ns)

    def again(self, *, slice_events: int, watch_task: int | None = None) -> Simulation:
        """Return a new simulation of the same experiment, without frames, for what the log of this one lacks."""
        return Simulation(
            self.experiment, frames=0, watch_task=watch_task, resolve_trace=self._resolve_trace, limits=self._limits,
            slice_events=slice_events, builds=self._builds,
        )  # fmt: skip

    def take_decisions(self) -> Any:
        """Return all decision rows since the last call or the last frame, however many there are."""
        rows = np.concatenate(self._pending) if self._pending else self.world.log[:0].copy()
        self._pending = []
        return rows

    def step(self) -> bool:
        """Process one event, whatever its time; return False without one."""
        before = int(self.world.control[0].events)
        while int(self.world.control[0].events) == before:
            reason = self._advance(NEVER - 1, 1)
            self._drain()
            if reason in (DONE, REACHED):
                break
            self.make_room(reason)
        return int(self.world.control[0].events) > before

    def inspect(self) -> dict[str, Any]:
        """Return what the scheduler itself knows now, as plain data."""
        return self._protocol.inspect(self.world, self.state)

    @property
    def names(self) -> Names:
        """The names behind the numbers in decision rows."""
        constraints = self.experiment.constraints
        return Names(
            self.cluster.names,
            tuple(queue.name for queue in self._queues),
            tuple(int(queue.global_master or 0) if self.spec.partitioned else 0 for queue in self._queues),
            () if constraints is None else constraint_names(constraints),
            stops_of(self.world),
        )

    def why_waiting(self, task: int) -> dict[str, Any] | None:
        """Return why the task waits now, as the fields of a decision row; None if no decision holds it."""
        return self._protocol.why_waiting(self.world, self.state, task)

    # -- snapshots -------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return the state of the run as bytes, from which any process can continue to the same outcome."""
        self._drain()
        header = {
            "core_version": __version__,
            "experiment_digest": self.experiment.digest(self._resolve_trace),
            "next_seq": self._builder.next_seq,
            "totals": self._builder.totals,
            "grid": self._grid.state(),
            "unshown": sum(len(rows) for rows in self._pending),
        }
        return snapshot.save(self.world, self.state, header, self._log.rows())

    def restore(self, data: bytes) -> None:
        """Continue from a snapshot of the same experiment; the next frame is a key frame.

        Raises ValueError for a snapshot of another experiment or another version.
        """
        self.prepare()
        world, state, header, decisions = snapshot.load(data, type(self.state))
        if header["core_version"] != __version__:
            raise ValueError(f"the snapshot is of version {header['core_version']}, this is {__version__}")
        if header["experiment_digest"] != self.experiment.digest(self._resolve_trace):
            raise ValueError("the snapshot is of another experiment")
        self.world, self.state = world, state
        self._builder.next_seq = header["next_seq"]
        self._builder.totals = header["totals"]
        self._grid.restore(header["grid"])
        self._log = DecisionLog()
        self._log.add(decisions)
        # Decisions since the last frame: their marks flash on the next one.
        self._pending = [decisions[max(0, len(decisions) - header["unshown"]) :]]
        self._force_key = True
