"""A run says that it is compiling when it is, and only then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support import answers, start_playground, wait_until
from tests.support_api import Api, watch
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("stores"), wide]


def told_states(socket_url: str) -> list[str]:
    seen = watch(socket_url, send=[{"notices": True}])
    return [message["notice"]["state"] for message in seen.others if "notice" in message]


def test_the_first_run_on_a_machine_compiles_and_the_next_does_not(
    tmp_path: Path, small_experiment: dict[str, Any]
) -> None:
    # The smallest kernel. The worker of previews compiles at the same time, with a lower priority.
    small_experiment["scheduler"] = {"name": "sparrow"}
    play = start_playground(tmp_path / "var", SCHEDULER_CORE_CACHE=str(tmp_path / "cache"))
    try:
        wait_until(lambda: answers(play.url + "/readyz"), seconds=60, what="the playground is ready")
        api = Api(play.url)
        run = api.start(small_experiment)
        assert api.wait(run["id"], {"compiling", "done", "failed"})["state"] == "compiling"
        assert "compiling" in told_states(run["socket_url"])
        assert api.wait(run["id"])["state"] == "done"
        again = api.start(small_experiment, seed=2)
        assert "compiling" not in told_states(again["socket_url"])
        # What is asked while nothing is ready is an answer, not an error.
        assert "Service Unavailable" not in play.log.read_text()
    finally:
        play.stop()
