"""One outcome, whichever way an experiment is run: library, command line, API with a Celery worker."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import Experiment, simulate
from tests.core.experiments import LOOPS
from tests.support import Playground
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]


@pytest.mark.parametrize("scheduler", LOOPS)
def test_library_command_line_and_worker_agree(
    playground: Playground, small_experiment: dict[str, Any], scheduler: str, tmp_path: Path
) -> None:
    data = small_experiment | {"scheduler": {"name": scheduler}, "seed": 5}
    file = tmp_path / "experiment.json"
    file.write_text(json.dumps(data))
    library = simulate(Experiment.parse(data)).summary
    command = [sys.executable, "-m", "scheduler_core", "run", str(file), "--json"]
    line = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    api = Api(playground.url)
    run = api.start(data, seed=5)
    api.wait(run["id"])
    worker = api.call("GET", f"/api/v1/runs/{run['id']}/summary").json
    for part in ("experiment_digest", "outcome_digest", "counters", "allocation_delay_s", "fairness"):
        assert library[part] == line[part] == worker[part], part
