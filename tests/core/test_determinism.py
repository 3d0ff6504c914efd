"""One outcome from one seed: in another process, from the command line, and pinned for a known experiment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import Experiment, Simulation, scheduler_by_name, simulate
from tests.core.experiments import LOOPS, SCHEDULER_NAMES


def loaded(scheduler: str) -> dict[str, Any]:
    """A few hundred tasks at a load that makes them wait."""
    return {
        "schema_version": 1,
        "seed": 11,
        "topology": {
            "global_masters": 2,
            "clusters": [{"name": "lm", "repeat": 3, "machines": [{"count": 20, "cpus": 1}]}],
        },
        "workload": {
            "kind": "synthetic",
            "jobs": 150,
            "arrivals": {"kind": "poisson", "offered_load": 0.95},
            "tasks_per_job": {"kind": "exponential", "mean": 5},
            "duration_s": {"kind": "lognormal", "median": 1.0, "sigma": 0.8},
            "demand": {"cpus": 1},
        },
        "scheduler": {"name": scheduler},
    }


@pytest.mark.parametrize("scheduler", LOOPS)
def test_library_and_command_line_give_one_outcome(scheduler: str, tmp_path: Path) -> None:
    file = tmp_path / "experiment.json"
    file.write_text(json.dumps(loaded(scheduler)))
    here = simulate(Experiment.from_file(file)).summary
    there = subprocess.run(
        [sys.executable, "-m", "scheduler_core", "run", str(file), "--json", "--out", str(tmp_path / "out")],
        check=True,
        capture_output=True,
        text=True,
    )
    summary = json.loads(there.stdout)
    for part in ("experiment_digest", "outcome_digest", "counters", "tasks", "jobs"):
        assert summary[part] == here[part]
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["outcome_digest"] == here["outcome_digest"]


@pytest.mark.parametrize("scheduler", LOOPS)
def test_a_snapshot_is_taken_up_by_another_process(scheduler: str, tmp_path: Path) -> None:
    experiment = Experiment.parse(loaded(scheduler))
    simulation = Simulation(experiment, frames=0)
    simulation.advance_to(20_000_000_000)
    assert 0 < simulation.progress < 1
    (tmp_path / "experiment.json").write_text(json.dumps(experiment.to_dict()))
    (tmp_path / "snapshot").write_bytes(simulation.snapshot())
    code = (
        "import sys; from pathlib import Path; from scheduler_core import Experiment, Simulation\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "s = Simulation(Experiment.from_file(folder / 'experiment.json'), frames=0)\n"
        "s.restore((folder / 'snapshot').read_bytes())\n"
        "list(s.run()); print(s.result.summary['outcome_digest'])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == simulate(experiment).summary["outcome_digest"]


def test_a_snapshot_of_another_experiment_or_of_nothing_is_refused() -> None:
    simulation = Simulation(Experiment.parse(loaded("megha")), frames=0)
    simulation.prepare()
    other = Simulation(Experiment.parse(loaded("megha") | {"seed": 12}), frames=0)
    with pytest.raises(ValueError, match="another experiment"):
        other.restore(simulation.snapshot())
    with pytest.raises(ValueError, match="not a snapshot"):
        other.restore(b"PK not really")


@pytest.mark.parametrize("scheduler", SCHEDULER_NAMES)
def test_seeds_change_the_outcome_and_repeat_it(scheduler: str) -> None:
    digests = [
        simulate(Experiment.parse(loaded(scheduler) | {"seed": seed})).summary["outcome_digest"] for seed in (1, 2, 1)
    ]
    assert digests[0] == digests[2] != digests[1]


@pytest.mark.parametrize("loop", LOOPS)
def test_compiled_and_interpreted_kernels_give_one_outcome(loop: str, tmp_path: Path) -> None:
    """The kernels are plain Python too; without the compiler they have to come to the same integers."""
    files = [tmp_path / f"{scheduler}.json" for scheduler in LOOPS[loop]]
    for scheduler, file in zip(LOOPS[loop], files, strict=True):
        data = loaded(scheduler)
        data["workload"]["jobs"] = 25
        if "constraints" in scheduler_by_name(scheduler).supports:
            data["constraints"] = {"catalogue": "megha-21"}
            data["topology"]["clusters"][0]["constraint_mix"] = "google-a"
        file.write_text(json.dumps(data))
    code = (
        "import sys; from scheduler_core import Experiment, simulate\n"
        "for file in sys.argv[1:]: print(simulate(Experiment.from_file(file)).summary['outcome_digest'])"
    )
    interpreted = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *map(str, files)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    compiled = [simulate(Experiment.from_file(file)).summary["outcome_digest"] for file in files]
    found = zip(LOOPS[loop], interpreted.stdout.split(), compiled, strict=True)
    assert [scheduler for scheduler, one, other in found if one != other] == []
