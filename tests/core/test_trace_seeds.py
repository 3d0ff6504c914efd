"""Seeds and load on a trace: resampled by blocks, stretched arrivals, and no interval where nothing varied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, ExperimentError, Simulation, run_study
from scheduler_core.errors import UnknownName
from scheduler_core.studies.statistics import STATISTICS, compare, interval
from scheduler_core.workload.raw.resampled import block_length

BURST = 12
JOBS = 300


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A trace in which twelve jobs arrive within a second, then nothing for half a minute; durations name the jobs."""
    lines, t_s = [], 0.0
    for job in range(JOBS):
        t_s += 30.0 if job % BURST == 0 else 0.05
        lines.append(f"{t_s:.3f} 1 {1 + job / 1000:.3f} {1 + job / 1000:.3f}")
    (tmp_path / "bursts.tr").write_text("\n".join(lines) + "\n")
    return tmp_path


def made(folder: Path, **workload: Any) -> Experiment:
    data = {
        "schema_version": 1,
        "topology": {"clusters": [{"name": "c", "machines": [{"count": 4, "cpus": 1}]}]},
        "workload": {"kind": "trace", "format": "sparrow", "path": "bursts.tr"} | workload,
        "scheduler": {"name": "random-queue"},
    }
    return Experiment.parse(data, base_dir=folder)


def built(experiment: Experiment) -> Simulation:
    simulation = Simulation(experiment, frames=0)
    simulation.prepare()
    return simulation


def test_a_resampled_trace_has_other_jobs_by_seed_and_keeps_bursts(folder: Path) -> None:
    whole = built(made(folder))
    assert block_length(np.asarray(whole.world.job["arrival_ns"])) == BURST
    draws = [built(made(folder, resampling={}).with_(seed=seed)) for seed in (1, 1, 2)]
    durations = [each.world.task["own_ns"].tolist() for each in draws]
    assert durations[0] == durations[1] != durations[2]
    assert set(durations[0]) < set(whole.world.task["own_ns"].tolist())
    assert any("circular block bootstrap, 25 blocks of 12 consecutive jobs" in note for note in draws[0].notes)
    gaps = np.diff(draws[0].world.job["arrival_ns"]) / 1e9
    assert set(np.round(gaps, 3).tolist()) <= {
        0.05,
        30.0,
        round(float(whole.world.job["arrival_ns"][-1]) / 1e9 / 299, 3),
    }
    runs = np.split(gaps, np.flatnonzero(gaps > 1))
    assert max(len(run) for run in runs) >= BURST
    numbers = np.round((np.array(durations[0]) / 1e9 - 1) * 1000).astype(int)
    assert (np.diff(numbers) % JOBS == 1).mean() > 0.9  # consecutive jobs stay together


@pytest.mark.parametrize("load", [0.3, 0.8])
def test_arrivals_of_a_trace_are_stretched_to_a_load(folder: Path, load: float) -> None:
    simulation = built(made(folder, offered_load=load))
    world = simulation.world
    span_s = float(world.job["arrival_ns"][-1] - world.job["arrival_ns"][0]) / 1e9
    assert float(world.task["own_ns"].sum()) / 1e9 / 4 / span_s == pytest.approx(load, rel=1e-6)
    assert any("Arrivals were stretched by" in note and "as recorded" in note for note in simulation.notes)
    assert not any("stretched" in note for note in built(made(folder)).notes)


def test_an_untouched_trace_keeps_its_digest(folder: Path) -> None:
    plain, explicit = made(folder), made(folder, resampling=None, offered_load=None)
    assert plain.digest() == explicit.digest() != made(folder, resampling={}).digest()


def test_a_study_finds_the_trace_beside_the_experiment_and_says_what_seeds_change(folder: Path) -> None:
    findings = run_study(made(folder), {"repeats": 3})
    told = findings.tell("job_completion_s.p99")
    assert "The jobs are those of the trace under every seed" in told["seeds_change"]
    drawn = run_study(made(folder, resampling={}), {"repeats": 3}).tell("job_completion_s.mean")
    assert "other blocks" in drawn["seeds_change"]
    assert drawn["cells"][0]["low"] < drawn["cells"][0]["high"]


def test_a_number_that_no_run_has_is_an_error_with_the_near_names(folder: Path) -> None:
    findings = run_study(made(folder), {"repeats": 1})
    with pytest.raises(UnknownName, match=r"allocation_delay_s\.p99") as refused:
        findings.tell("allocation_delay_s.p98")
    assert "did you mean" in str(refused.value)
    with pytest.raises(UnknownName, match="job_delay_s"):
        findings.tell("nothing")


def test_findings_give_a_data_frame(folder: Path) -> None:
    plan = {"repeats": 2, "axes": [{"path": "workload.offered_load", "values": [0.4, 0.8]}]}
    frame = run_study(made(folder, offered_load=0.5), plan).to_pandas()
    assert frame["seed"].tolist() == [1, 1, 2, 2]
    assert frame["workload.offered_load"].tolist() == [0.4, 0.8, 0.4, 0.8]
    assert (frame["tasks.total"] == JOBS).all()


@pytest.mark.parametrize("statistic", STATISTICS)
def test_no_interval_where_nothing_varied(statistic: Any) -> None:
    found = interval([1.001827] * 6, statistic)
    assert (found.value, found.low, found.high, found.n) == (1.001827, None, None, 6)
    assert compare([2.0] * 6, [2.0] * 6, statistic).verdict == "same"
    assert compare([3.0] * 6, [2.0] * 6, statistic).verdict == "more"


def test_an_experiment_changes_by_paths_and_sections(folder: Path) -> None:
    whole = made(folder)
    other = whole.with_({"topology.clusters[0].machines[0].count": 9}, seed=5, scheduler="hawk")
    assert (other.seed, other.scheduler.name, other.topology.clusters[0].machines[0].count) == (5, "hawk", 9)
    assert other.base_dir == folder
    assert whole.seed == 1
    with pytest.raises(ExperimentError, match=r"topology\.nothing is not a list"):
        whole.with_({"topology.nothing.count": 9, "topology.nothing[0]": 1})
    with pytest.raises(ExperimentError, match="seed"):
        whole.with_(seed=-1)


def test_a_comparison_takes_over_what_means_the_same(folder: Path) -> None:
    hawk = made(folder).with_(scheduler={"name": "hawk", "params": {"short_cutoff_s": 1.2, "probe_ratio": 3}})
    findings = run_study(hawk, {"repeats": 1, "schedulers": [{"name": "hawk"}, {"name": "eagle"}]})
    eagle = findings.grid.schedulers[1]["params"]
    assert eagle["short_cutoff_s"] == 1.2
    assert "probe_ratio" not in eagle
