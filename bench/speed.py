"""Rows about simulating, reading and drawing, with compiled code loaded before the clock starts."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from bench.experiments import MakeExperiment
from bench.measured import Measured
from scheduler_core import (
    DEFAULT_LIMITS,
    Experiment,
    KeptBuilds,
    KeptMoments,
    Simulation,
    build_cluster,
    build_workload,
    constraint_preview,
    explain,
    run_preview,
    simulate,
    workload_presets,
    workload_preview,
)
from scheduler_core.constraints import machine_offers, task_asks
from scheduler_core.constraints.vectors import packed_bits
from scheduler_core.workload.presets import WorkloadPreset
from scheduler_core.workload.readers.registry import read_trace

Measure = Callable[[int], Measured]


def simulating(make: MakeExperiment) -> Measure:
    """Tasks a second of the simulation alone, as the summary's `performance` says."""

    def measure(repeats: int) -> Measured:
        experiment = make()
        summaries = [simulate(experiment).summary for _ in range(repeats)]
        return Measured(tuple(s["performance"]["tasks_per_s"] for s in summaries), _events(summaries[0]))

    return measure


def lasting(make: MakeExperiment) -> Measure:
    """Seconds of the simulation alone."""

    def measure(repeats: int) -> Measured:
        experiment = make()
        summaries = [simulate(experiment).summary for _ in range(repeats)]
        counters, tasks = summaries[0]["counters"], summaries[0]["tasks"]["total"]
        what = "decisions" if "decisions" in counters else "rounds"
        note = f"{tasks:,} tasks, {counters[what]:,} {what}"
        return Measured(tuple(s["performance"]["wall_s"] for s in summaries), note)

    return measure


def whole(make: MakeExperiment) -> Measure:
    """Time of the whole run over that of the event loop: preparing, simulating and measuring, from simulate() on."""

    def measure(repeats: int) -> Measured:
        experiment, ratios, parts = make(), [], dict[str, list[float]]()
        for _ in range(repeats):
            speed = simulate(experiment).summary["performance"]
            seconds = {name: speed[f"{name}_s"] for name in ("prepare", "simulate", "measure")}
            ratios.append(sum(seconds.values()) / speed["wall_s"])
            for name, value in {**seconds, "loop": speed["wall_s"]}.items():
                parts.setdefault(name, []).append(value)
        return Measured(tuple(ratios), ", ".join(f"{name} {median(each):.3f} s" for name, each in parts.items()))

    return measure


def summarizing(make: MakeExperiment) -> Measure:
    """Seconds from the call of `simulate()` to the summary, by a clock around the call."""

    def measure(repeats: int) -> Measured:
        experiment, seconds, loops = make(), [], []
        simulate(experiment)  # loads compiled code
        for _ in range(repeats):
            began = time.perf_counter()
            summary = simulate(experiment).summary
            seconds.append(time.perf_counter() - began)
            loops.append(summary["performance"]["wall_s"])
        return Measured(tuple(seconds), f"loop {median(loops):.3f} s")

    return measure


def telling_preview(make: MakeExperiment) -> Measure:
    """Milliseconds of a preview outside building and simulating: what it measures and puts together."""

    def measure(repeats: int) -> Measured:
        experiment, builds, times = make(), KeptBuilds(), []
        for _ in range(5 * repeats + 1):
            began = time.perf_counter()
            speed = run_preview(experiment, builds=builds)["summary"]["performance"]
            took_s = time.perf_counter() - began
            times.append(1000 * (took_s - speed["prepare_s"] - speed["simulate_s"] - speed["compile_s"]))
        return Measured(
            tuple(times[1:]), f"loop {1000 * speed['wall_s']:.1f} ms, preparing {1000 * speed['prepare_s']:.1f} ms"
        )

    return measure


def from_outside(make: MakeExperiment) -> Measure:
    """Tasks a second of a process from its start to its exit: `run --json` of the command line."""

    def measure(repeats: int) -> Measured:
        rates = []
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "experiment.json"
            file.write_text(json.dumps(make().to_dict()), encoding="utf-8")
            command = [sys.executable, "-m", "scheduler_core", "run", str(file), "--json"]
            for _ in range(repeats):
                started = time.perf_counter()
                told = subprocess.run(command, check=True, capture_output=True).stdout
                rates.append(json.loads(told)["tasks"]["total"] / (time.perf_counter() - started))
        return Measured(tuple(rates), "start to exit")

    return measure


def taking(make: MakeExperiment) -> Measure:
    """Seconds of the simulation alone, of a scheduler that decides task by task."""

    def measure(repeats: int) -> Measured:
        experiment = make()
        summaries = [simulate(experiment).summary for _ in range(repeats)]
        return Measured(tuple(s["performance"]["wall_s"] for s in summaries), _events(summaries[0]))

    return measure


def deciding(make: MakeExperiment, at_s: float) -> Measure:
    """Milliseconds that a decision at one instant of a run takes, all that happens at that instant included."""

    def measure(repeats: int) -> Measured:
        experiment, times = make(), []
        for _ in range(repeats):
            simulation = Simulation(experiment, frames=0)
            simulation.advance_to(round(at_s * 1e9) - 1)
            before = simulation.wall_s
            simulation.advance_to(round(at_s * 1e9))
            times.append((simulation.wall_s - before) * 1000)
        counters = simulation.counters()
        note = f"{counters['tasks_waiting']:,} tasks wait then, {counters['solver_limits']} limits of the solver"
        return Measured(tuple(times), note)

    return measure


def one_decision(make: MakeExperiment, from_s: float, decisions: int = 200) -> Measure:
    """Milliseconds of one decision, with what ends at its instant: so many of them one after the other in a run."""

    def measure(repeats: int) -> Measured:
        simulation = Simulation(make(), frames=0)
        now_ns = round(from_s * 1e9)
        simulation.advance_to(now_ns)
        times: list[float] = []
        while len(times) < decisions:
            now_ns += 1_000_000
            made, before = simulation.counters()["decisions"], simulation.wall_s
            simulation.advance_to(now_ns)
            if simulation.counters()["decisions"] == made + 1:
                times.append((simulation.wall_s - before) * 1000)
        return Measured(tuple(times), f"{simulation.counters()['tasks_waiting']:,} tasks wait then")

    return measure


def _events(summary: dict[str, Any]) -> str:
    tasks = max(summary["tasks"]["total"], 1)
    half = summary["allocation_delay_s"]["p50"]
    wait = "none started" if half is None else f"{half:.3g} s"
    return f"{summary['counters']['events'] / tasks:.1f} events a task; allocation delay p50 {wait}"


def recording(make: MakeExperiment, frames: int = 600) -> Measure:
    """Time of a run that makes frames over that of the same run without, the two in turn."""

    def measure(repeats: int) -> Measured:
        experiment = make()
        pairs = [(_wall(experiment, frames), _wall(experiment, 0)) for _ in range(repeats)]
        with_frames = sorted(pair[0][0] for pair in pairs)[repeats // 2]
        without = sorted(pair[1][0] for pair in pairs)[repeats // 2]
        note = f"{pairs[0][0][1]} frames: {with_frames:.2f} s, without {without:.2f} s"
        return Measured(tuple(loud[0] / quiet[0] for loud, quiet in pairs), note)

    return measure


def growing(large: MakeExperiment, small: MakeExperiment) -> Measure:
    """Time a task in the large datacenter over that in the small one, the two in turn."""

    def measure(repeats: int) -> Measured:
        experiments = large(), small()
        pairs = [[_task_s(experiment) for experiment in experiments] for _ in range(repeats)]
        note = f"{pairs[0][0] * 1e9:,.0f} and {pairs[0][1] * 1e9:,.0f} ns a task"
        return Measured(tuple(much / little for much, little in pairs), note)

    return measure


def _task_s(experiment: Experiment) -> float:
    return 1 / float(simulate(experiment).summary["performance"]["tasks_per_s"])


def _wall(experiment: Experiment, frames: int) -> tuple[float, int]:
    simulation = Simulation(experiment, frames=frames)
    made = sum(1 for _ in simulation.run())
    assert simulation.result is not None
    return float(simulation.result.summary["performance"]["wall_s"]), made


def explaining(make: MakeExperiment) -> Measure:
    """Seconds of the first answer why a task waits, at the end of a run; the note tells the second one."""

    def measure(repeats: int) -> Measured:
        experiment = make()
        explain(Experiment.parse(experiment.to_dict() | {"stop": {"when": "at_s", "at_s": 1}}), 0)  # loads the kernel
        simulation = Simulation(experiment, frames=0)
        simulation.prepare()
        last, end_s = len(simulation.world.task) - 1, int(simulation.world.job["arrival_ns"][-1]) / 1e9
        del simulation
        first, second = [], []
        for _ in range(repeats):
            moments = KeptMoments()
            for found, task in ((first, last - last // 100), (second, last)):
                began = time.perf_counter()
                explain(experiment, task, end_s, moments=moments)
                found.append(time.perf_counter() - began)
        return Measured(tuple(first), f"the next question about the same run {max(second):.2f} s")

    return measure


def drawing(make: MakeExperiment) -> Measure:
    """Tasks a second of making a synthetic workload's arrays."""

    def measure(repeats: int) -> Measured:
        experiment = make()
        cluster = build_cluster(experiment)
        return _timed(lambda: len(build_workload(experiment, cluster).tasks), repeats)

    return measure


def drawing_constraints(make: MakeExperiment, mix: str = "google-a") -> Measure:
    """Seconds of drawing and packing what machines offer and tasks ask for."""

    def measure(repeats: int) -> Measured:
        asked = make().to_dict() | {"constraints": {"catalogue": "megha-21", "task_share": 0.5}}
        asked["topology"]["clusters"] = [one | {"constraint_mix": mix} for one in asked["topology"]["clusters"]]
        experiment = Experiment.parse(asked)
        cluster = build_cluster(experiment)
        workload = build_workload(experiment, cluster)
        seconds = []
        for _ in range(repeats + 1):
            began = time.perf_counter()
            offers, asks = machine_offers(experiment, cluster), task_asks(experiment, workload)
            packed_bits(offers, 21)
            seconds.append(time.perf_counter() - began)
        return Measured(tuple(seconds[1:]), f"{len(asks):,} tasks, {len(offers):,} machines")

    return measure


def previewing(machines: int = 10_000) -> Measure:
    """Milliseconds from a draft's bytes to both previews, after a change: those of the preset that takes longest."""

    def measure(repeats: int) -> Measured:
        found = []
        for number in range(repeats + 1):
            took = {}
            for preset in (one for one in workload_presets() if one.workload.kind == "synthetic"):
                draft = _draft(preset, machines, 0.3 + 0.01 * number)
                began = time.perf_counter()
                experiment = Experiment.parse(draft)
                constraint_preview(experiment)
                workload_preview(experiment)
                took[preset.name] = 1000 * (time.perf_counter() - began)
            found.append(max(took.values()))
        return Measured(tuple(found[1:]), f"{machines:,} machines, both previews, the slowest of {len(took)} presets")

    return measure


def _draft(preset: WorkloadPreset, machines: int, task_share: float) -> bytes:
    return json.dumps(
        {
            "schema_version": 1,
            "topology": {
                "clusters": [{"machines": [{"count": machines, "memory_gb": 8}], "constraint_mix": "google-a"}]
            },
            "constraints": {"catalogue": "megha-21", "task_share": task_share},
            "workload": preset.workload.model_dump(mode="json", exclude_none=True),
            "scheduler": {"name": "megha"},
        }
    ).encode()


def reading(find: Callable[[], Path]) -> Measure:
    """Tasks a second of reading a file in the sparrow format, from the page cache."""
    return lambda repeats: _read(find(), repeats)


def reading_generated(tasks_per_job: int = 100, jobs: int = 10_000) -> Measure:
    """Measure the same for a file that is made for the purpose."""

    def measure(repeats: int) -> Measured:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "generated.tr"
            durations = " ".join(f"{100 + number * 7.03125:.5f}" for number in range(tasks_per_job))
            path.write_text("".join(f"{job * 0.25} {tasks_per_job} 450.5 {durations}\n" for job in range(jobs)))
            return _read(path, repeats)

    return measure


def _read(path: Path, repeats: int) -> Measured:
    measured = _timed(lambda: len(read_trace(path, "sparrow", DEFAULT_LIMITS).duration_ns), repeats)
    return Measured(measured.values, f"{measured.note}, {path.stat().st_size / 1e6:.1f} MB")


def _timed(work: Callable[[], int], repeats: int) -> Measured:
    """Do it once so that compiled code is loaded, then time it."""
    tasks = work()
    values = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        values.append(tasks / (time.perf_counter() - started))
    return Measured(tuple(values), f"{tasks:,} tasks")
