"""A run says that it is compiling when it is, and only then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support import answers, start_playground, wait_until
from tests.support_api import Api, watch
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("stores"), wide]


def told(socket_url: str) -> list[dict[str, Any]]:
    seen = watch(socket_url, send=[{"notices": True}])
    return [message["notice"] for message in seen.others if "notice" in message]


def test_the_first_run_on_a_machine_compiles_and_the_next_does_not(
    tmp_path: Path, small_experiment: dict[str, Any]
) -> None:
    # The smallest kernel. The worker of previews compiles at the same time, with a lower priority.
    small_experiment["scheduler"] = {"name": "sparrow"}
    variables = {"SCHEDULER_CORE_CACHE": str(tmp_path / "cache"), "SCHEDULER_CORE_COMPILE_FIRST": "1"}
    play = start_playground(tmp_path / "var", **variables)
    try:
        wait_until(lambda: answers(play.url + "/readyz"), seconds=60, what="the playground is ready")
        api = Api(play.url)
        run = api.start(small_experiment)
        assert api.wait(run["id"], {"compiling", "done", "failed"})["state"] == "compiling"
        # Functions are counted up, and the seconds that are left down.
        counted = [each for each in told(run["socket_url"]) if each["state"] == "compiling" and each["compiled"]]
        done = [each["compiled"]["done"] for each in counted]
        assert len(set(done)) > 3
        assert done == sorted(done)
        assert done[-1] <= counted[-1]["compiled"]["known"]
        assert counted[-1]["eta_s"] < counted[0]["eta_s"]
        assert api.wait(run["id"])["state"] == "done"
        again = api.start(small_experiment, seed=2)
        assert "compiling" not in [each["state"] for each in told(again["socket_url"])]
        # What is asked while nothing is ready is an answer, not an error.
        assert "Service Unavailable" not in play.log.read_text()
    finally:
        play.stop()
