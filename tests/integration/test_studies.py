"""Studies with real workers and sockets: partial results, pause, cancel, a worker's death, a restart of everything."""

from __future__ import annotations

import io
import json
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from playground.client import ApiProblem, Client
from scheduler_core import Experiment, Grid, StudyPlan, simulate
from scheduler_core.studies.running import run_to_end, under_seed
from tests.contracts import unpacked
from tests.support import (
    PATIENCE_S,
    Playground,
    alive,
    children_of,
    endless_experiment,
    running_playground,
    small_experiment,
    wait_until,
)
from tests.support_api import Api
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

METRIC = "allocation_delay_s.mean"
LOAD = "workload.arrivals.offered_load"
MANY = {
    "axes": [{"path": LOAD, "values": [0.5, 0.95]}],
    "repeats": 30,
    "schedulers": [{"name": "megha"}, {"name": "sparrow"}],
}


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    """Give a playground whose worker has two processes, and which logs everything."""
    with running_playground(
        tmp_path_factory.mktemp("studies") / "var",
        PLAYGROUND_WORKERS="2",
        PLAYGROUND_LIMIT_STUDIES="100",
        PLAYGROUND_LOG_LEVEL="DEBUG",
    ) as started:
        yield started


@pytest.fixture
def api(playground: Playground) -> Api:
    return Api(playground.url)


def begin(api: Api, plan: dict[str, Any], experiment: dict[str, Any] | None = None) -> str:
    made = api.create(experiment or small_experiment())
    answer = api.call("POST", f"/api/v1/experiments/{made['id']}/studies", plan)
    assert answer.status == 202, answer.body
    study_id: str = answer.json["id"]
    return study_id


def read(api: Api, study_id: str) -> dict[str, Any]:
    answer = api.call("GET", f"/api/v1/studies/{study_id}")
    assert answer.status == 200, answer.body
    told: dict[str, Any] = answer.json
    return told


def results(api: Api, study_id: str) -> dict[str, Any]:
    told: dict[str, Any] = api.call("GET", f"/api/v1/studies/{study_id}/results?metric={METRIC}").json
    return told


def wait(api: Api, study_id: str, done: int = 0, *, state: str = "", seconds: float = 300) -> dict[str, Any]:
    """Wait for so many runs, or for a state."""

    def reached() -> dict[str, Any] | None:
        told = read(api, study_id)
        return told if (told["state"] == state if state else told["done"] >= done) else None

    found: dict[str, Any] = wait_until(reached, seconds=seconds, what=f"study {study_id}: {state or done}")
    return found


def post(api: Api, study_id: str, verb: str) -> dict[str, Any]:
    answer = api.call("POST", f"/api/v1/studies/{study_id}/{verb}")
    assert answer.status == 200, answer.body
    told: dict[str, Any] = answer.json
    return told


def digests(api: Api, study_id: str) -> dict[int, str]:
    table = pq.read_table(io.BytesIO(api.call("GET", f"/api/v1/studies/{study_id}/table.parquet").body))
    return dict(zip(table.column("run").to_pylist(), table.column("outcome_digest").to_pylist(), strict=True))


def undisturbed(numbers: list[int], plan: dict[str, Any] = MANY) -> dict[int, str]:
    """Return what the library comes to for some runs of the study."""
    grid = Grid(Experiment.parse(small_experiment()).to_dict(), StudyPlan.parse(plan))
    runs = {number: Experiment.parse(grid.experiment(*grid.run(number))) for number in numbers}
    return {number: simulate(run).summary["outcome_digest"] for number, run in runs.items()}


@wide
def test_a_study_tells_as_it_goes_stands_a_pause_and_the_death_of_a_worker(two_workers: Playground) -> None:
    api = Api(two_workers.url)
    study_id = begin(api, MANY)
    wait(api, study_id, 8)
    early = results(api, study_id)
    assert 0 < early["runs"] < 120
    assert {cell["cell"] for cell in early["cells"]} == {0, 1, 2, 3}

    assert post(api, study_id, "pause")["state"] == "paused"
    wait_until(lambda: read(api, study_id)["running"] == 0, seconds=30, what="nobody is on it")
    held = read(api, study_id)
    assert held["done"] < 120
    # Workers have hands for a run that somebody watches, and none of them goes on with the study.
    other = Api(two_workers.url)
    assert other.wait(other.start(small_experiment())["id"])["state"] == "done"
    assert read(api, study_id)["done"] == held["done"]
    assert post(api, study_id, "resume")["state"] == "running"
    wait(api, study_id, held["done"] + 8)

    victim = children_of(two_workers.children()["runs"])[0]
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: not alive(victim), seconds=20, what="the worker is dead")
    ended = wait(api, study_id, state="done")
    assert (ended["done"], ended["failed"], ended["progress"]) == (120, 0, 1.0)
    found = digests(api, study_id)
    assert {number: found[number] for number in (0, 51, 119)} == undisturbed([0, 51, 119])

    told = results(api, study_id)
    assert [cell["n"] for cell in told["cells"]] == [30] * 4
    # At a higher load tasks wait longer, under both; and that is certain.
    cells = {(cell["values"][0], cell["scheduler"]): cell for cell in told["cells"]}
    low, high = ([cells[load, scheduler] for scheduler in (0, 1)] for load in (0.5, 0.95))
    assert all(high[scheduler]["low"] > low[scheduler]["high"] for scheduler in (0, 1))
    assert {each["at"][0]: each["verdict"] for each in told["comparisons"]}[1] in {"more", "less"}


def test_a_socket_tells_the_way_to_the_end(api: Api) -> None:
    study_id = begin(api, {"repeats": 30})
    seen = []
    with connect(read(api, study_id)["socket_url"]) as socket:
        try:
            while True:
                seen.append(unpacked("study-socket", socket.recv(timeout=PATIENCE_S)))
        except ConnectionClosed:
            assert socket.close_code == 1000
    done = [message["done"] for message in seen]
    assert done == sorted(done)
    assert (seen[-1]["state"], done[-1], seen[-1]["eta_s"]) == ("done", 30, None)
    assert len(done) > 1


def test_a_socket_of_no_study_says_so(playground: Playground) -> None:
    with connect(f"{playground.url.replace('http', 'ws')}/ws/studies/nothing") as socket:
        assert unpacked("study-socket", socket.recv(timeout=PATIENCE_S))["error"] == "not-found"
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE_S)
        assert socket.close_code == 4404


@wide
def test_cancelling_frees_workers_that_would_compute_for_ever(two_workers: Playground) -> None:
    api = Api(two_workers.url)
    study_id = begin(api, {"repeats": 4}, endless_experiment())
    wait_until(lambda: read(api, study_id)["running"] == 2, seconds=60, what="both workers are on it")
    told = post(api, study_id, "cancel")
    assert (told["state"], told["running"], told["done"]) == ("cancelled", 0, 0)
    other = Api(two_workers.url)
    assert other.wait(other.start(small_experiment())["id"], seconds=60)["state"] == "done"


@wide
def test_who_watches_a_run_does_not_wait_for_long_studies(two_workers: Playground) -> None:
    api = Api(two_workers.url)
    study_id = begin(api, {"repeats": 4}, endless_experiment())
    wait_until(lambda: read(api, study_id)["running"] == 2, seconds=60, what="both workers are on it")
    other = Api(two_workers.url)
    assert other.wait(other.start(small_experiment())["id"], seconds=60)["state"] == "done"
    assert read(api, study_id)["state"] == "running"
    post(api, study_id, "cancel")


def test_a_run_that_cannot_be_simulated_is_told_and_the_others_go_on(api: Api) -> None:
    plan = {"axes": [{"path": "workload.tasks_per_job.value", "values": [1, 90_000]}], "repeats": 1}
    heavy = small_experiment()
    heavy["workload"] |= {"jobs": 30, "tasks_per_job": {"kind": "constant", "value": 1}}
    study_id = begin(api, plan, heavy)
    ended = wait(api, study_id, state="done")
    assert (ended["done"], ended["failed"], ended["error"]["run"]) == (1, 1, 1)
    assert "PLAYGROUND_LIMIT_TASKS" in ended["error"]["message"]


@wide
def test_a_study_goes_on_after_everything_was_restarted(tmp_path: Path) -> None:
    plan = {**MANY, "repeats": 20}
    with running_playground(tmp_path / "var") as first:
        api = Api(first.url)
        study_id = begin(api, plan)
        wait(api, study_id, 5)
        post(api, study_id, "pause")
        assert post(api, study_id, "resume")["done"] < 80
    with running_playground(tmp_path / "var") as second:
        again = Api(second.url)
        ended = wait(again, study_id, state="done")
        assert (ended["done"], ended["failed"]) == (80, 0)
        assert digests(again, study_id)[79] == undisturbed([79], plan)[79]


def test_jobs_of_two_runs_are_paired_as_the_library_has_them(api: Api) -> None:
    small = small_experiment()
    runs = []
    for scheduler in ("megha", "sparrow"):
        caller = Api(api.url)
        started = caller.start(small | {"scheduler": {"name": scheduler}}, seed=3)
        runs.append(caller.wait(started["id"])["id"])
    found = api.call("GET", f"/api/v1/runs/{runs[0]}/paired/{runs[1]}").json
    jobs = [
        simulate(Experiment.parse(small | {"seed": 3, "scheduler": {"name": name}})).jobs
        for name in ("megha", "sparrow")
    ]
    mine, other = ((job["end_ns"] - job["arrival_ns"]) / 1e9 for job in jobs)
    assert (found["jobs"], found["pairs"], found["job"]) == (300, 300, list(range(300)))
    assert found["mine_s"] == pytest.approx(list(mine))
    assert found["other_s"] == pytest.approx(list(other))
    assert found["mean_factor"] == pytest.approx((other / mine).mean())
    assert found["faster"] == (other > mine * (1 + 1e-9)).sum()

    caller = Api(api.url)
    elsewhere = caller.start(small, seed=4)["id"]
    caller.wait(elsewhere)
    refused = api.call("GET", f"/api/v1/runs/{runs[0]}/paired/{elsewhere}")
    assert (refused.status, refused.json["problems"][0]["path"]) == (422, "other")


def challenge(api: Api, seeds: int) -> dict[str, Any]:
    """Make a challenge on the small experiment, under any heartbeat."""
    spec = {
        "title": "Wait less",
        "experiment": small_experiment(),
        "objective": {"says": "mean wait", "value": "run.allocation_delay_s.mean", "unit": "s"},
        "change": {"schedulers": [{"name": "megha", "open": {"heartbeat_s": {"least": 0.5, "most": 60}}}]},
        "seeds": seeds,
    }
    made = api.call("POST", "/api/v1/challenges", spec)
    assert made.status == 201, made.body
    told: dict[str, Any] = made.json
    return told


def entered(api: Api, challenge_id: str, heartbeat_s: float) -> str:
    part = {"scheduler": {"name": "megha", "params": {"heartbeat_s": heartbeat_s}}}
    answer = api.call("POST", f"/api/v1/challenges/{challenge_id}/entries", {"author": "Ada", "part": part})
    assert answer.status == 202, answer.body
    api.token = answer.json["owner_token"] or api.token
    return str(answer.json["id"])


def ranked(api: Api, challenge_id: str, done: int = 0) -> list[dict[str, Any]]:
    """Wait until every entry has its place, or has so many runs; return the board's rows."""

    def reached() -> list[dict[str, Any]] | None:
        told = api.call("GET", f"/api/v1/challenges/{challenge_id}/board").json
        rows: list[dict[str, Any]] = told["rows"]
        return rows if (min(row["done"] for row in rows) >= done if done else not told["running"]) else None

    found: list[dict[str, Any]] = wait_until(reached, seconds=300, what=f"challenge {challenge_id}")
    return found


def hidden_of(playground: Playground, challenge_id: str) -> tuple[list[int], list[str]]:
    """Read the hidden seeds of a challenge, and the ids of its studies, from the server's own database."""
    with closing(sqlite3.connect(playground.data_dir / "playground.sqlite3", timeout=30)) as database:
        row = database.execute("SELECT id, seeds FROM playground_challenge WHERE public_id = ?", [challenge_id])
        key, seeds = row.fetchone()
        studies = database.execute(
            "SELECT s.public_id FROM playground_study s JOIN playground_challengeentry e ON e.study_id = s.id"
            " WHERE e.challenge_id = ?",
            [key],
        ).fetchall()
    return json.loads(seeds), [study for (study,) in studies]


def expected(seeds: list[int], heartbeat_s: float) -> float:
    """Return the mean that the library comes to under the hidden seeds."""
    data = small_experiment() | {"scheduler": {"name": "megha", "params": {"heartbeat_s": heartbeat_s}}}
    runs = [run_to_end(under_seed(Experiment.parse(data), seed)).summary for seed in seeds]
    return sum(run["allocation_delay_s"]["mean"] for run in runs) / len(runs)


@wide
def test_entries_run_in_turn_under_seeds_that_nobody_reads(two_workers: Playground) -> None:
    api, playground = Api(two_workers.url), two_workers
    found = challenge(api, seeds=4)
    part = {"scheduler": {"name": "megha", "params": {"heartbeat_s": 2}}}
    with Client(playground.url) as client:
        arena = client.challenge(found["id"])
        entries = [arena.enter("Ada", part), arena.enter("Ada", {"values": {}}, note="the baseline again")]
        second = entries[1].wait(300).id
        entries[0].wait(300)  # the second is the baseline, whose result is known, and may be done before
        rows = {row["id"]: row for row in arena.board()["rows"]}
        first = entries[0].id
        assert entries[0].wait(1).told["mine"] is True
        with pytest.raises(ApiProblem, match=r"scheduler\.name"):
            arena.enter("Ada", {"scheduler": {"name": "eagle"}})
    seeds, studies = hidden_of(playground, found["id"])
    assert (len(studies), len(set(studies))) == (3, 2)
    assert rows[first]["estimate"]["value"] == pytest.approx(expected(seeds, 2), rel=1e-9)
    assert rows[second]["estimate"] == rows[found["baseline"]]["estimate"]
    assert rows[second]["against_baseline"]["verdict"] == "same"
    for study_id in studies:
        with connect(f"{playground.url.replace('http', 'ws')}/ws/studies/{study_id}") as socket:
            assert unpacked("study-socket", socket.recv(timeout=PATIENCE_S))["error"] == "not-found"
        assert api.call("GET", f"/api/v1/studies/{study_id}/table.csv").status == 404
    told = playground.log.read_text() + json.dumps([api.call("GET", f"/api/v1/challenges/{found['id']}").json, rows])
    assert not [seed for seed in seeds if str(seed) in told]


@wide
def test_an_entry_outlives_its_worker(two_workers: Playground) -> None:
    api = Api(two_workers.url)
    found = challenge(api, seeds=30)
    entered(api, found["id"], 3)
    ranked(api, found["id"], done=2)
    victim = children_of(two_workers.children()["runs"])[0]
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: not alive(victim), seconds=20, what="the worker is dead")
    rows = ranked(api, found["id"])
    assert [(row["runs"], row["done"], row["out"]) for row in rows] == [(30, 30, "")] * 2
