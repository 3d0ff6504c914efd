"""The live path with real parts: `manage.py play`, its Redis, its workers, its sockets."""

from __future__ import annotations

import gzip
import io
import json
import os
import signal
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support import PATIENCE_S, Playground, alive, wait_until
from tests.support_api import Api, watch
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]


@pytest.fixture
def api(playground: Playground) -> Api:
    return Api(playground.url)


@pytest.fixture
def long_experiment(small_experiment: dict[str, Any]) -> dict[str, Any]:
    """Give an experiment of many seconds, for what has to happen during a run."""
    small_experiment["workload"]["jobs"] = 400_000
    return small_experiment


def test_a_run_is_watched_to_its_end_and_leaves_everything_behind(api: Api, small_experiment: dict[str, Any]) -> None:
    run = api.start(small_experiment, seed=7)
    seen = watch(run["socket_url"], send=[{"notices": True}])
    assert seen.close_code == 1000
    assert seen.frames[0]["key"] is True
    assert seen.covered() == list(range(seen.frames[-1]["seq"] + 1))
    assert seen.others[-1]["notice"]["state"] == "done"
    assert all("end" not in frame for frame in seen.frames[:-1])
    end = seen.frames[-1]["end"]

    found = api.run(run["id"])
    assert (found["state"], found["progress"], found["seed"]) == ("done", 1.0, 7)
    assert found["frames"] == len(seen.covered())
    assert found["outcome_digest"] == end["outcome_digest"]
    summary = api.call("GET", f"/api/v1/runs/{run['id']}/summary").json
    assert summary == end
    assert summary["tasks"]["completed"] == summary["tasks"]["total"] == 300

    rows = api.call("GET", f"/api/v1/runs/{run['id']}/tasks.csv").body.decode().splitlines()
    assert len(rows) == 301
    assert rows[0].split(",")[0].strip('"') == "job"
    assert api.call("GET", f"/api/v1/runs/{run['id']}/tasks.parquet").body[:4] == b"PAR1"
    recording = api.call("GET", f"/api/v1/runs/{run['id']}/recording")
    assert "meta.json" in zipfile.ZipFile(io.BytesIO(recording.body)).namelist()
    meta = api.call("GET", f"/api/v1/runs/{run['id']}/meta")
    assert meta.status == 200, meta.body
    assert meta.json["machines"] == 40
    explained = api.call("GET", f"/api/v1/runs/{run['id']}/explain?task=5")
    assert explained.status == 200, explained.body
    assert explained.json["task"] == 5
    start = api.call("GET", f"/api/v1/runs/{run['id']}/start")
    assert start.status == 200, start.body
    unpacked = gzip.decompress(start.body)
    header = json.loads(unpacked[4 : 4 + int.from_bytes(unpacked[:4], "little")])
    assert header["outcome_digest"] == end["outcome_digest"]
    assert api.call("GET", f"/api/v1/engine/{header['module']}").body[:4] == b"\0asm"
    known = {"If-None-Match": start.headers["ETag"]}
    assert api.call("GET", f"/api/v1/runs/{run['id']}/start", headers=known).status == 304


def test_who_comes_after_the_end_sees_what_was_seen_live(api: Api, small_experiment: dict[str, Any]) -> None:
    run = api.start(small_experiment)
    live = watch(run["socket_url"])
    api.wait(run["id"])
    again = watch(run["socket_url"], after=-1)
    assert again.covered() == live.covered()
    assert again.frames[-1]["end"] == live.frames[-1]["end"]
    middle = live.frames[-1]["seq"] // 2
    rest = watch(run["socket_url"], after=middle, acks=False)
    assert rest.covered() == list(range(middle + 1, live.frames[-1]["seq"] + 1))


def test_two_viewers_see_the_same_and_one_chooses_its_layers(api: Api, small_experiment: dict[str, Any]) -> None:
    run = api.start(small_experiment)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(watch, run["socket_url"])
        second = pool.submit(watch, run["socket_url"], send=[{"subscribe": ["load"]}])
    assert first.result().covered() == second.result().covered()
    assert {name for frame in first.result().frames for name in frame["layers"]} > {"load"}
    # The wish travels while frames may already be under way: from the second chunk on it holds.
    late = [frame for frame in second.result().frames if frame["seq"] > second.result().frames[-1]["seq"] // 2]
    assert {name for frame in late for name in frame["layers"]} <= {"load"}


def test_one_seed_has_one_outcome(api: Api, small_experiment: dict[str, Any]) -> None:
    digests = []
    for seed in (3, 3, 4):
        run = api.start(small_experiment, seed=seed)
        digests.append(api.wait(run["id"])["outcome_digest"])
    assert digests[0] == digests[1] != digests[2]


def test_cancelling_stops_frames_and_frees_the_worker(
    api: Api, playground: Playground, long_experiment: dict[str, Any]
) -> None:
    run = api.start(long_experiment)
    api.wait(run["id"], {"running"})
    cancelled = api.call("POST", f"/api/v1/runs/{run['id']}/cancel")
    assert cancelled.json["state"] == "cancelled"
    seen = watch(run["socket_url"])
    assert seen.others[-1]["error"] == "cancelled"
    assert not any("end" in frame for frame in seen.frames)
    # The only worker has hands for the next one.
    long_experiment["workload"]["jobs"] = 50
    following = api.start(long_experiment)
    assert api.wait(following["id"], seconds=20)["state"] == "done"
    assert api.run(run["id"])["state"] == "cancelled"


@wide
@pytest.mark.parametrize("victim", ["the worker", "its pool process"])
def test_a_killed_worker_leaves_a_run_that_completes_to_the_same_outcome(
    api: Api, playground: Playground, long_experiment: dict[str, Any], victim: str
) -> None:
    long_experiment["workload"]["jobs"] = 300_000
    undisturbed = api.start(long_experiment, seed=11)
    expected = api.wait(undisturbed["id"])["outcome_digest"]
    assert expected

    run = api.start(long_experiment, seed=11)
    with ThreadPoolExecutor(1) as pool:
        viewing = pool.submit(watch, run["socket_url"])
        wait_until(lambda: api.run(run["id"])["progress"] > 0, seconds=60, what="the run is under way")
        worker = playground.children()["runs"]
        pids = [worker] if victim == "the worker" else children_with_tasks(worker)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        assert api.run(run["id"])["state"] in {"running", "queued"}
        ended = api.wait(run["id"])
        seen = viewing.result(timeout=PATIENCE_S)
    assert (ended["state"], ended["outcome_digest"]) == ("done", expected)
    assert seen.covered() == list(range(seen.frames[-1]["seq"] + 1))
    assert seen.frames[-1]["end"]["outcome_digest"] == expected
    assert not any(alive(pid) for pid in pids)


def children_with_tasks(worker: int) -> list[int]:
    from tests.support import children_of

    found = children_of(worker)
    assert found
    return found


def test_what_a_scheduler_does_not_honor_is_refused_by_name(api: Api, small_experiment: dict[str, Any]) -> None:
    small_experiment["events"] = [{"at_s": 1, "kind": "fail", "target": {"local_master": "lm-0"}, "duration_s": 5}]
    small_experiment["scheduler"] = {"name": "sparrow"}
    made = api.call("POST", "/api/v1/experiments", small_experiment)
    assert made.status == 422
    assert [problem["path"] for problem in made.json["problems"]] == ["events[0]"]
    assert "faults of masters" in made.json["problems"][0]["message"]
