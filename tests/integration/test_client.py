"""The Python client against a playground, and the notebook of the docs, cell by cell."""

from __future__ import annotations

import inspect
import time
from pathlib import Path
from typing import Any

import nbformat
import pytest

from playground.client import (
    ApiProblem,
    AsyncClass,
    AsyncClient,
    AsyncRun,
    AsyncSeat,
    AsyncStudy,
    ClassHandle,
    Client,
    Progress,
    RunHandle,
    SeatHandle,
    StudyHandle,
    Unreachable,
)
from playground.client.messages import ACK_EVERY
from playground.runs.live.outbox import MOST_WAITING_EACH, WINDOW_FRAMES
from tests.support import PROJECT, Playground

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]


def test_a_script_runs_follows_and_takes_away(
    playground: Playground, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    heard: list[Progress] = []
    with Client(playground.url) as client:
        run = client.run(small_experiment, seed=4)
        frames = list(run.frames())
        assert frames[0].key
        assert (end := frames[-1].summary) is not None
        run.wait(60, tell=heard.append)
        assert heard[-1] == Progress("done", 1.0, heard[-1].eta_s)
        assert run.summary()["outcome_digest"] == end["outcome_digest"]
        assert len(run.tasks()) == run.summary()["tasks"]["total"]
        assert run.meta()["machines"] == 40
        assert run.explain(0)["decisions"]
        assert b"nbformat" in run.save("notebook.ipynb", tmp_path / "run.ipynb").read_bytes()
        fork = client.fork(run.experiment_id, name="mine")
        assert [node["name"] for node in client.tree(fork["id"])["nodes"]] == ["Small", "mine"]
        study = client.study(run.experiment_id, repeats=2).wait(90)
        assert study.results()["cells"][0]["n"] == 2
        assert len(study.table()) == 2
        assert b"<svg" in study.file("sheet.html", metric="makespan_s")
        assert b"<svg" in client.compared([run.id])
        assert client.claim("megha-f3-4-tail", "figure.csv").startswith(b"series,")
        with pytest.raises(ApiProblem, match="topology") as refused:
            client.create({"schema_version": 1})
        assert refused.value.status == 422
        with pytest.raises(ApiProblem):
            Client(playground.url).start(run.experiment_id)
    with pytest.raises(Unreachable):
        Client("http://127.0.0.1:9").schedulers()


def test_a_slow_reader_gets_the_last_frame_after_the_server_has_closed(
    playground: Playground, small_experiment: dict[str, Any]
) -> None:
    with Client(playground.url) as client:
        run = client.run(small_experiment, seed=4)
        whole = [frame.seq for frame in run.frames()]
        read = []
        for frame in run.frames():
            read.append(frame.seq)
            if frame.seq > whole[-1] - ACK_EVERY:
                time.sleep(0.1)  # the server's close comes in front of the acknowledgment
        assert read == whole
        assert run.frames(whole[-1] - 3).__next__().seq == whole[-1] - 2


def test_one_request_runs_an_experiment_and_waits_for_its_summary(
    playground: Playground, small_experiment: dict[str, Any]
) -> None:
    with Client(playground.url) as client:
        answer = client.ask("POST", "/api/v1/runs?wait=60", {"experiment": small_experiment, "seed": 11})
        told = answer.json()
        assert (answer.status_code, told["state"], told["seed"]) == (200, "done", 11)
        assert told["summary"]["tasks"]["completed"] == told["summary"]["tasks"]["total"] > 0
        client.own(told["experiment_id"], told["owner_token"])
        again = client.start(told["experiment_id"], seed=11).wait(60)
        assert again.summary()["outcome_digest"] == told["outcome_digest"]


async def test_a_program_with_an_event_loop_does_the_same(
    playground: Playground, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    async with AsyncClient(playground.url) as client:
        run = await client.run(small_experiment)
        seqs = [frame.seq async for frame in run.frames()]
        assert seqs == list(range(len(seqs)))
        heard: list[Progress] = []
        await run.wait(60, tell=heard.append)
        assert heard[-1].fraction == 1.0
        again = await client.open_run(run.id)
        assert (again.state, again.live_url) == ("done", run.live_url)
        assert (await again.summary())["seed"] == run.told["seed"]
        assert len(await again.tasks()) == (await again.summary())["tasks"]["total"]
        assert (await again.meta())["machines"] == 40
        assert (await again.explain(0))["decisions"]
        saved = await again.save("tasks.csv", tmp_path / "tasks.csv")
        assert saved.read_bytes() == await again.file("tasks.csv")
        fork = await client.fork(run.experiment_id, name="mine")
        assert [node["name"] for node in (await client.tree(fork["id"]))["nodes"]] == ["Small", "mine"]
        study = await client.open_study((await client.study(run.experiment_id, repeats=2)).id)
        assert len(await (await study.wait(90)).table()) == 2
        assert (await study.results(against=0))["cells"][0]["n"] == 2
        assert "megha" in [each["name"] for each in await client.schedulers()]


def test_a_program_that_reads_late_gets_each_frame(playground: Playground, small_experiment: dict[str, Any]) -> None:
    with Client(playground.url) as client:
        run = client.run(small_experiment)
        frames = run.frames()
        read = [next(frames)]
        run.wait(60)
        read += frames
        # More than may wait for a socket, so the later ones come from what is kept of the run.
        assert len(read) > MOST_WAITING_EACH + WINDOW_FRAMES
        assert [frame.seq for frame in read] == list(range(len(read)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Client, AsyncClient),
        (RunHandle, AsyncRun),
        (StudyHandle, AsyncStudy),
        (ClassHandle, AsyncClass),
        (SeatHandle, AsyncSeat),
    ],
    ids=["client", "run", "study", "class", "seat"],
)
def test_both_clients_take_the_same_calls(one: type, other: type) -> None:
    def calls(kind: type) -> dict[str, list[str]]:
        public = {name: getattr(kind, name) for name in dir(kind) if not name.startswith("_")}
        return {name: list(inspect.signature(it).parameters) if callable(it) else [] for name, it in public.items()}

    assert calls(one) == calls(other)


def test_the_notebook_of_the_docs_runs(playground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    monkeypatch.setenv("PLAYGROUND_URL", playground.url)
    notebook = nbformat.read(PROJECT / "docs" / "how-to" / "client.ipynb", as_version=4)
    nbformat.validate(notebook)
    scope: dict[str, Any] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, "cell", "exec"), scope)
    assert scope["summary"]["tasks"]["completed"] > 0
    assert {cell["scheduler"] for cell in scope["found"]["cells"]} == {0, 1}
