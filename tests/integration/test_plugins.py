"""A scheduler from the operator's file in a real playground: listed, run, explained, studied, with one outcome."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support import PROJECT, running_playground, small_experiment, wait_until
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.wide, pytest.mark.xdist_group("plugins")]

FEWEST = PROJECT / "fixtures" / "plugins" / "fewest.py"
#: The library in a process of its own, since a plugin stays loaded.
LIBRARY = """
import json, sys
from scheduler_core import Experiment, simulate
from scheduler_core.schedulers.plugin.loading import load_plugin
load_plugin(sys.argv[1])
print(simulate(Experiment.parse(json.load(sys.stdin))).summary["outcome_digest"])
"""


def _of_library(experiment: dict[str, Any]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", LIBRARY, str(FEWEST)],
        input=json.dumps(experiment), cwd=PROJECT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_a_scheduler_from_a_file_is_one_of_the_playgrounds_schedulers(tmp_path: Path) -> None:
    experiment = small_experiment() | {"scheduler": {"name": "fewest"}}
    with running_playground(tmp_path / "var", PLAYGROUND_PLUGINS=str(FEWEST)) as playground:
        api = Api(playground.url)
        listed = api.call("GET", "/api/v1/schedulers").json
        assert "fewest" in {one["name"] for one in listed}
        run = api.wait(api.start(experiment)["id"])
        assert run["state"] == "done"
        summary = api.call("GET", f"/api/v1/runs/{run['id']}/summary").json
        assert summary["tasks"]["completed"] == summary["tasks"]["total"] == 300
        told = api.call("GET", f"/api/v1/runs/{run['id']}/explain?task=7").json["decisions"]
        assert told
        assert all(one["sentence"] for one in told)
        stored = api.call("GET", f"/api/v1/experiments/{run['experiment_id']}").json["experiment"]
        assert len(stored["scheduler"]["plugin_sha256"]) == 64
        assert summary["outcome_digest"] == _of_library(stored | {"seed": run["seed"]})
        study = api.call("POST", f"/api/v1/experiments/{run['experiment_id']}/studies", {"repeats": 2}).json["id"]
        wait_until(
            lambda: api.call("GET", f"/api/v1/studies/{study}").json["state"] == "done", seconds=120, what="the study"
        )
        assert b'data-scheduler="fewest"' in api.call("GET", "/schedulers").body
    # Without the setting the experiment is one of an unknown scheduler.
    with running_playground(tmp_path / "var") as playground:
        api = Api(playground.url)
        assert "fewest" not in {one["name"] for one in api.call("GET", "/api/v1/schedulers").json}
        assert api.call("POST", "/api/v1/experiments", experiment).status == 422
