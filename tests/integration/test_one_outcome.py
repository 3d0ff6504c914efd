"""One outcome, whichever way an experiment is run: library, command line, API with a Celery worker."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from scheduler_core import Experiment, simulate
from tests.core.experiments import LOOPS
from tests.support import Playground, small_experiment
from tests.support_api import Api
from tests.tiers import all_but_wide, chosen

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]


PARTS = ("experiment_digest", "outcome_digest", "counters", "allocation_delay_s", "fairness")
LINES = """
import sys
from scheduler_core.cli.main import main
for file in sys.argv[1:]:
    main(["run", file, "--json"])
"""


def question(small: dict[str, Any], scheduler: str) -> dict[str, Any]:
    return small | {"scheduler": {"name": scheduler}, "seed": 5}


@pytest.fixture(scope="module")
def asked(playground: Playground, request: pytest.FixtureRequest) -> tuple[Api, dict[str, str]]:
    """Give a client, and the run of each scheduler that it has asked workers for."""
    api = Api(playground.url)
    return api, {
        name: api.start(question(small_experiment(), name), seed=5)["id"] for name in chosen(request, "scheduler")
    }


@pytest.fixture(scope="module")
def printed(asked: tuple[Api, dict[str, str]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Give what the command line prints for each scheduler, in one process while workers compute the same."""
    files = []
    for name in asked[1]:
        files.append(tmp_path_factory.mktemp("line") / f"{name}.json")
        files[-1].write_text(json.dumps(question(small_experiment(), name)))
    done = subprocess.run([sys.executable, "-c", LINES, *map(str, files)], check=True, capture_output=True, text=True)
    reader, summaries = json.JSONDecoder(), []
    said = done.stdout.strip()
    while said:
        summary, end = reader.raw_decode(said)
        summaries.append(summary)
        said = said[end:].lstrip()
    return dict(zip(asked[1], summaries, strict=True))


@pytest.mark.parametrize("scheduler", all_but_wide(LOOPS, ["megha", "drf", "quincy"]))
def test_library_command_line_and_worker_agree(
    asked: tuple[Api, dict[str, str]], printed: dict[str, dict[str, Any]], scheduler: str
) -> None:
    library = simulate(Experiment.parse(question(small_experiment(), scheduler))).summary
    api, runs = asked
    api.wait(runs[scheduler])
    worker = api.call("GET", f"/api/v1/runs/{runs[scheduler]}/summary").json
    for part in PARTS:
        assert library[part] == printed[scheduler][part] == worker[part], part
