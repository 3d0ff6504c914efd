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
from tests.core.experiments import LOOPS, SCHEDULER_NAMES, by_loop
from tests.tiers import chosen, wide

pytestmark = pytest.mark.slow


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


ELSEWHERE = """
import contextlib, io, json, sys
from pathlib import Path
from scheduler_core import Experiment, Simulation
from scheduler_core.cli.main import main
for name in sys.argv[2:]:
    folder = Path(sys.argv[1]) / name
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main(["run", str(folder / "experiment.json"), "--json", "--out", str(folder / "out")])
    (folder / "printed.json").write_text(printed.getvalue())
    simulation = Simulation(Experiment.from_file(folder / "experiment.json"), frames=0)
    simulation.restore((folder / "snapshot").read_bytes())
    list(simulation.run())
    (folder / "restored").write_text(simulation.result.summary["outcome_digest"])
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give what one other process made of each loop's experiment: by the command line, and from a snapshot of ours."""
    root = tmp_path_factory.mktemp("elsewhere")
    for scheduler in LOOPS:
        folder = root / scheduler
        folder.mkdir()
        experiment = Experiment.parse(loaded(scheduler))
        (folder / "experiment.json").write_text(json.dumps(experiment.to_dict()))
        simulation = Simulation(experiment, frames=0)
        simulation.advance_to(20_000_000_000)
        assert 0 < simulation.progress < 1
        (folder / "snapshot").write_bytes(simulation.snapshot())
    subprocess.run([sys.executable, "-c", ELSEWHERE, str(root), *LOOPS], check=True)
    return root


@wide
@pytest.mark.xdist_group("elsewhere")
@pytest.mark.parametrize("scheduler", LOOPS)
def test_another_process_comes_to_the_same_outcome(scheduler: str, elsewhere: Path) -> None:
    here = simulate(Experiment.parse(loaded(scheduler))).summary
    printed = json.loads((elsewhere / scheduler / "printed.json").read_text())
    for part in ("experiment_digest", "outcome_digest", "counters", "tasks", "jobs"):
        assert printed[part] == here[part]
    written = json.loads((elsewhere / scheduler / "out" / "summary.json").read_text())
    assert written["outcome_digest"] == here["outcome_digest"]
    assert (elsewhere / scheduler / "restored").read_text() == here["outcome_digest"]


def test_a_snapshot_of_another_experiment_or_of_nothing_is_refused() -> None:
    simulation = Simulation(Experiment.parse(loaded("megha")), frames=0)
    simulation.prepare()
    other = Simulation(Experiment.parse(loaded("megha") | {"seed": 12}), frames=0)
    with pytest.raises(ValueError, match="another experiment"):
        other.restore(simulation.snapshot())
    with pytest.raises(ValueError, match="not a snapshot"):
        other.restore(b"PK not really")


@pytest.mark.parametrize("scheduler", by_loop(SCHEDULER_NAMES))
def test_seeds_change_the_outcome_and_repeat_it(scheduler: str) -> None:
    digests = [
        simulate(Experiment.parse(loaded(scheduler) | {"seed": seed})).summary["outcome_digest"] for seed in (1, 2, 1)
    ]
    assert digests[0] == digests[2] != digests[1]


def with_constraints_where_honored(scheduler: str) -> dict[str, Any]:
    """The same, with fewer jobs, for Python is slow."""
    data = loaded(scheduler)
    data["workload"]["jobs"] = 25
    if "constraints" in scheduler_by_name(scheduler).supports:
        data["constraints"] = {"catalogue": "megha-21"}
        data["topology"]["clusters"][0]["constraint_mix"] = "google-a"
    return data


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, str]:
    """Give each scheduler's outcome in a process without the compiler: the kernels are plain Python too."""
    root = tmp_path_factory.mktemp("interpreted")
    names = chosen(request, "uncompiled")
    for scheduler in names:
        (root / scheduler).write_text(json.dumps(with_constraints_where_honored(scheduler)))
    code = (
        "import sys; from scheduler_core import Experiment, simulate\n"
        "for file in sys.argv[1:]: print(simulate(Experiment.from_file(file)).summary['outcome_digest'])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *(str(root / scheduler) for scheduler in names)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    return dict(zip(names, done.stdout.split(), strict=True))


@wide
@pytest.mark.xdist_group("interpreted")
@pytest.mark.parametrize("uncompiled", by_loop(SCHEDULER_NAMES))
def test_compiled_and_interpreted_kernels_give_one_outcome(uncompiled: str, interpreted: dict[str, str]) -> None:
    compiled = simulate(Experiment.parse(with_constraints_where_honored(uncompiled))).summary["outcome_digest"]
    assert compiled == interpreted[uncompiled]
