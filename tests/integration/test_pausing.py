"""Pausing a run with real parts: its worker is freed, and it goes on to the same frames in whatever worker takes it."""

from __future__ import annotations

import io
import os
import shutil
import signal
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack
import pytest
from websockets.sync.client import connect

from scheduler_core import Experiment, RecordingReader, RunView, Simulation
from scheduler_core.studies.cluster_measures import add_cluster_measures
from tests.contracts import unpacked
from tests.support import (
    PATIENCE_S,
    Playground,
    answers,
    endless_experiment,
    small_experiment,
    start_playground,
    wait_until,
)
from tests.support_api import Api, Viewing, watch
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

SEED = 3


@pytest.fixture
def api(playground: Playground) -> Api:
    return Api(playground.url)


@pytest.fixture(name="long_experiment")
def _long_experiment() -> dict[str, Any]:
    return long_experiment()


def long_experiment() -> dict[str, Any]:
    """Return an experiment of some seconds: enough to be stopped in the middle."""
    long = small_experiment()
    long["workload"]["jobs"] = 200_000
    # Heartbeats that cost nothing but the computer's time make it last.
    free = {"request_us": 0, "send_ns": 0, "update_us": 0, "apply_ns": 0}
    long["scheduler"]["params"] = {"heartbeat_s": 0.005, **free}
    return long


@dataclass(frozen=True)
class Undisturbed:
    """The long experiment as the library simulates it without a pause."""

    outcome_digest: str
    frames: list[dict[str, Any]]


@pytest.fixture(scope="module")
def undisturbed() -> Undisturbed:
    simulation = Simulation(Experiment.parse(long_experiment() | {"seed": SEED}))
    for _ in simulation.run():
        pass
    add_cluster_measures(simulation)  # as the worker does
    recording = io.BytesIO()
    RunView(simulation).write_recording(recording)
    assert simulation.result is not None
    return Undisturbed(simulation.result.summary["outcome_digest"], _comparable(RecordingReader(recording)))


def pause_in_the_middle(api: Api, run_id: str, *, past: float = 0.0) -> dict[str, Any]:
    """Ask for a pause as soon as a run has frames and is further than `past`: the rest of it takes some seconds.

    Between the look that finds it there and the request lies nothing, so that a busy machine does not end it first.
    """

    def is_under_way() -> bool:
        run = api.run(run_id)
        return run["frames"] > 0 and run["progress"] >= past

    wait_until(is_under_way, seconds=90, what="the run is under way")
    asked = api.call("POST", f"/api/v1/runs/{run_id}/pause")
    assert asked.status == 200, asked.body
    assert asked.json["pausing"] or asked.json["state"] == "paused"
    paused = api.wait(run_id, {"paused", "done"}, seconds=30)
    assert paused["state"] == "paused"
    assert past <= paused["progress"] < 1
    assert paused["pausing"] is False
    return paused


def resume(api: Api, run_id: str) -> dict[str, Any]:
    answer = api.call("POST", f"/api/v1/runs/{run_id}/resume")
    assert answer.status == 200, answer.body
    resumed: dict[str, Any] = answer.json
    return resumed


def frames_of(api: Api, run_id: str) -> list[dict[str, Any]]:
    """Return the recording's frames, without what depends on the clock."""
    return _comparable(RecordingReader(io.BytesIO(api.call("GET", f"/api/v1/runs/{run_id}/recording").body)))


def _comparable(reader: RecordingReader) -> list[dict[str, Any]]:
    frames = [frame.to_wire() for frame in reader.frames()]
    frames[-1]["end"].pop("performance")
    return frames


def snapshots_of(playground: Playground, run_id: str) -> list[Path]:
    return list((playground.data_dir / "recordings" / "snapshots").glob(f"{run_id}*"))


def watching(run: dict[str, Any]) -> tuple[threading.Thread, list[Viewing]]:
    seen: list[Viewing] = []
    thread = threading.Thread(target=lambda: seen.append(watch(run["socket_url"], send=[{"notices": True}])))
    thread.start()
    return thread, seen


def first_frames(run: dict[str, Any], count: int) -> list[int]:
    """Return the first numbers that a viewer is shown."""
    seen = Viewing()
    with connect(run["socket_url"], max_size=2**24) as socket:
        while len(seen.covered()) < count:
            message = unpacked("run-socket", socket.recv(timeout=PATIENCE_S))
            if "seq" in message:
                seen.frames.append(message)
                socket.send(msgpack.packb({"ack": message["seq"]}))
    return seen.covered()


@wide
def test_a_paused_run_frees_its_worker_and_goes_on_as_if_nothing_had_been(
    api: Api, long_experiment: dict[str, Any], undisturbed: Undisturbed
) -> None:
    run = api.start(long_experiment, seed=SEED)
    thread, seen = watching(run)
    paused = pause_in_the_middle(api, run["id"])
    # Twice is once, and the only worker has hands for another run.
    again = api.call("POST", f"/api/v1/runs/{run['id']}/pause")
    assert (again.status, again.json["state"]) == (200, "paused")
    long_experiment["workload"]["jobs"] = 50
    between = Api(api.url)
    assert between.wait(between.start(long_experiment)["id"], seconds=30)["state"] == "done"
    assert api.run(run["id"])["state"] == "paused"

    assert resume(api, run["id"])["state"] in {"queued", "running"}
    pause_in_the_middle(api, run["id"], past=paused["progress"] + 0.01)
    resume(api, run["id"])
    ended = api.wait(run["id"])
    assert (ended["state"], ended["outcome_digest"]) == ("done", undisturbed.outcome_digest)
    assert frames_of(api, run["id"]) == undisturbed.frames

    thread.join(timeout=PATIENCE_S)
    assert seen[0].covered() == list(range(ended["frames"]))
    states = [message["notice"]["state"] for message in seen[0].others if "notice" in message]
    assert "paused" in states
    assert states[-1] == "done"


def test_a_pause_that_is_taken_back_and_one_of_a_queued_run(api: Api, small_experiment: dict[str, Any]) -> None:
    first = api.start(endless_experiment(), seed=5)
    api.wait(first["id"], {"running"})
    owner = Api(api.url, api.token)
    second = api.start(endless_experiment(), seed=6)
    assert api.run(second["id"])["queue_position"] == 1
    paused = api.call("POST", f"/api/v1/runs/{second['id']}/pause").json
    assert (paused["state"], paused["queue_position"]) == ("paused", None)
    owner.call("POST", f"/api/v1/runs/{first['id']}/cancel")
    # Its message reached the worker long ago; it starts only when it is asked to go on.
    other = Api(api.url)
    assert other.wait(other.start(small_experiment)["id"], seconds=30)["state"] == "done"
    assert api.run(second["id"])["state"] == "paused"
    resume(api, second["id"])
    api.wait(second["id"], {"running"})
    api.call("POST", f"/api/v1/runs/{second['id']}/pause")
    assert resume(api, second["id"])["pausing"] is False
    cancelled = api.call("POST", f"/api/v1/runs/{second['id']}/cancel").json
    assert cancelled["state"] == "cancelled"


def test_a_paused_run_is_cancelled_and_leaves_no_file(api: Api, playground: Playground) -> None:
    run = api.start(endless_experiment(), seed=7)
    pause_in_the_middle(api, run["id"])
    snapshots = playground.data_dir / "recordings" / "snapshots"
    assert len(list(snapshots.glob(f"{run['id']}*"))) == 1
    assert api.call("POST", f"/api/v1/runs/{run['id']}/cancel").json["state"] == "cancelled"
    assert list(snapshots.glob(f"{run['id']}*")) == []
    for what in ("pause", "resume"):
        refused = api.call("POST", f"/api/v1/runs/{run['id']}/{what}")
        assert (refused.status, refused.json["type"]) == (409, "ended")
        assert "cancelled" in refused.json["problems"][0]["message"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], Playground]]:
    plays: list[Playground] = []

    def started() -> Playground:
        plays.append(start_playground(tmp_path / "var", PLAYGROUND_LIMIT_RUNS_AT_ONCE="100"))
        wait_until(lambda: answers(plays[-1].url + "/readyz"), seconds=60, what="the playground is ready")
        return plays[-1]

    yield started
    for play in plays:
        if play.process.poll() is None:
            play.stop()


def _of_another_version(path: Path) -> None:
    """Make a saved run one of an earlier core."""
    copy = path.with_suffix(".old")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            changed = data.replace(b'"core_version": "', b'"core_version": "0.0.')
            new.writestr(name, changed if name == "saved.json" else data)
    shutil.move(copy, path)


CHANGES = ("nothing", "another version", "the file is gone")


@wide
def test_paused_runs_survive_a_restart_of_everything(
    start: Callable[[], Playground], long_experiment: dict[str, Any], undisturbed: Undisturbed
) -> None:
    """Three runs are paused; before they go on, two of the files that they lie in become of no use."""
    before = start()
    api = Api(before.url)
    created = api.create(long_experiment)
    runs: dict[str, dict[str, Any]] = {}
    for change in CHANGES:
        runs[change] = api.call("POST", f"/api/v1/experiments/{created['id']}/runs", {"seed": SEED}).json
        runs[change] |= {"at_pause": pause_in_the_middle(api, runs[change]["id"])}
    assert before.stop() == 0

    after = start()
    api.url = after.url
    files = list((after.data_dir / "recordings" / "snapshots").iterdir())
    assert len(files) == len(CHANGES)
    for change, run in runs.items():
        paused, found = run["at_pause"], api.run(run["id"])
        assert (found["state"], found["progress"], found["frames"]) == ("paused", paused["progress"], paused["frames"])
        run["socket_url"] = found["socket_url"]
        (file,) = (path for path in files if path.name.startswith(run["id"]))
        if change == "another version":
            _of_another_version(file)
        elif change == "the file is gone":
            file.unlink()
        else:
            # Redis has forgotten the frames; who comes now sees them all the same.
            assert first_frames(run, paused["frames"]) == list(range(paused["frames"]))
        thread, seen = watching(run)
        resume(api, run["id"])
        ended = api.wait(run["id"])
        thread.join(timeout=PATIENCE_S)
        assert (ended["state"], ended["outcome_digest"]) == ("done", undisturbed.outcome_digest), change
        assert seen[0].covered() == list(range(len(undisturbed.frames))), change
        assert ended["frames"] == len(undisturbed.frames)
    said = after.log.read_text()
    assert said.count("simulated from its start again") == 2
    assert said.count("put aside by version 0.0.") == 1


def went_on(found: dict[str, Any], paused: dict[str, Any]) -> bool:
    return bool(found["state"] == "running" and found["progress"] > paused["progress"] + 0.01)


@wide
def test_a_run_that_is_paused_then_drained_and_loses_its_worker_is_as_if_nothing_had_been(
    playground: Playground, api: Api, long_experiment: dict[str, Any], undisturbed: Undisturbed
) -> None:
    """Three worker processes compute it, one after the other, and each continues where the one before was."""
    before = len(playground.log.read_text())
    run = api.start(long_experiment, seed=SEED)
    paused = pause_in_the_middle(api, run["id"])
    thread, seen = watching(run)
    resume(api, run["id"])
    # A run that is queued again tells the pause's own fraction, which is rounded: only a running one has gone on.
    wait_until(lambda: went_on(api.run(run["id"]), paused), seconds=60, what="it goes on")
    os.kill(playground.children()["runs"], signal.SIGTERM)
    drained = api.wait(run["id"], {"queued"}, seconds=30)
    assert paused["progress"] < drained["progress"] < 1
    assert [path.name[: len(run["id"])] for path in snapshots_of(playground, run["id"])] == [run["id"]]
    api.wait(run["id"], {"running"})
    wait_until(lambda: api.run(run["id"])["progress"] > drained["progress"], seconds=60, what="another one goes on")
    os.kill(playground.children()["runs"], signal.SIGKILL)
    ended = api.wait(run["id"])
    assert (ended["state"], ended["outcome_digest"]) == ("done", undisturbed.outcome_digest)
    thread.join(timeout=PATIENCE_S)
    assert seen[0].covered() == list(range(len(undisturbed.frames)))
    assert frames_of(api, run["id"]) == undisturbed.frames
    assert snapshots_of(playground, run["id"]) == []
    assert "simulated from its start again" not in playground.log.read_text()[before:]
