"""Studies over HTTP, without workers: what is asked and refused, who may, and what is told of rows as they come."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from django.utils import timezone
from pytest_django import Settings

from playground.models import RunState, Study, StudyRun
from playground.storage import connections, leases, workers
from playground.studies import execution, signals
from playground.studies.service import remove_old_studies
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]

HEARTBEAT = "scheduler.params.heartbeat_s"
PLAN = {
    "axes": [{"path": HEARTBEAT, "values": [1, 10]}],
    "repeats": 3,
    "schedulers": [{"name": "megha"}, {"name": "sparrow"}],
}


def begin(browser: JsonClient, experiment: dict[str, Any], plan: Any = PLAN) -> Any:
    made = browser.make(experiment)
    return browser.send(f"experiments/{made['id']}/studies", plan)


def begun(browser: JsonClient, experiment: dict[str, Any], plan: Any = PLAN) -> dict[str, Any]:
    answer = begin(browser, experiment, plan)
    assert answer.status_code == 202, answer.content
    told: dict[str, Any] = answer.json()
    return told


def finish(study_id: str, numbers: dict[int, float]) -> None:
    """Write rows as a worker does when they are done."""
    for number, delay in numbers.items():
        summary = {"scheduler": "megha", "outcome_digest": f"{number}", "allocation_delay_s": {"p99": delay}}
        StudyRun.objects.filter(study__public_id=study_id, number=number).update(
            state=RunState.DONE, summary=summary, seconds=2.0
        )


def test_a_study_is_a_row_a_run_and_a_message_a_run(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    told = begun(browser, small_experiment)
    # Megha at two heartbeats and Sparrow, which has none, each under three seeds.
    assert (told["runs"], told["state"], told["done"], told["progress"], told["mine"]) == (9, "running", 0, 0.0, True)
    assert [one["label"] for one in told["schedulers"]] == ["Megha", "Sparrow"]
    assert told["seeds"] == [1, 2, 3]
    assert told["socket_url"] == f"ws://localhost/ws/studies/{told['id']}"
    assert workers.waiting_in_queue("studies") == 9
    assert StudyRun.objects.filter(study__public_id=told["id"], state=RunState.QUEUED).count() == 9
    listed = browser.read(f"experiments/{told['experiment_id']}/studies").json()
    assert [study["id"] for study in listed] == [told["id"]]


def test_partial_results_are_told_as_they_come(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    study_id = begun(browser, small_experiment)["id"]
    nothing = browser.read(f"studies/{study_id}/results").json()
    assert (nothing["cells"], nothing["metrics"], nothing["runs"]) == ([], [], 0)
    # Cells: Megha at 1 s, Sparrow, Megha at 10 s; seed by seed.
    finish(study_id, {0: 1.0, 1: 2.0, 2: 4.0, 3: 3.0, 4: 4.5})
    progress = browser.read(f"studies/{study_id}").json()
    assert (progress["done"], progress["progress"]) == (5, pytest.approx(5 / 9))
    # Two seconds a run, four of them left, one worker.
    assert progress["eta_s"] == 8.0
    told = browser.read(f"studies/{study_id}/results?metric=allocation_delay_s.p99").json()
    assert told["metrics"] == ["allocation_delay_s.p99"]
    assert told["labels"] == {"allocation_delay_s.p99": "Queueing delay, p99"}
    cells = {cell["cell"]: cell for cell in told["cells"]}
    assert (cells[0]["value"], cells[0]["n"]) == (2.0, 2)
    # t with one degree of freedom is 12.706: 2 ± 12.706 * sqrt(2) / sqrt(2)
    assert cells[0]["high"] == pytest.approx(2 + 12.7062, abs=1e-3)
    assert (cells[2]["n"], cells[2]["low"]) == (1, None)
    assert told["comparisons"][0]["difference"]["value"] == 1.25
    assert told["comparisons"][0]["verdict"] == "not distinguishable yet"

    table = pa_csv.read_csv(io.BytesIO(browser.read(f"studies/{study_id}/table.csv").getvalue()))
    assert table.column(HEARTBEAT).to_pylist() == [1, None, 10, 1, None]
    assert table.column("allocation_delay_s.p99").to_pylist() == [1.0, 2.0, 4.0, 3.0, 4.5]
    parquet = pq.read_table(io.BytesIO(browser.read(f"studies/{study_id}/table.parquet").getvalue()))
    assert parquet.column("seed").to_pylist() == [1, 1, 1, 2, 2]


def test_numbers_of_parts_of_the_summary_come_in_one_answer(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    study_id = begun(browser, small_experiment)["id"]
    finish(study_id, {0: 1.0, 1: 2.0, 3: 3.0, 4: 4.5})
    for number, pending in {0: 1, 1: 3, 3: 2, 4: 6}.items():
        row = StudyRun.objects.get(study__public_id=study_id, number=number)
        row.summary = {**row.summary, "by_queue": {"a.b": {"pending": pending}}, "room": {"held": {"cpus": 0.5}}}
        row.save()
    told = browser.read(f"studies/{study_id}/results?also=by_queue,room").json()
    pending, held = told["also"]
    assert (pending["metric"], held["metric"], held["unit"]) == ("by_queue.a.b.pending", "room.held.cpus", "1")
    assert [cell["value"] for cell in pending["cells"]] == [1.5, 4.5], "means of two seeds, Megha and Sparrow"
    assert pending["comparisons"][0]["difference"]["value"] == 3, "paired by seed: 2 and 4"
    assert browser.read(f"studies/{study_id}/results").json()["also"] == []


@pytest.mark.parametrize(
    ("query", "path"),
    [("metric=odd", "metric"), ("statistic=mode", "statistic"), ("against=7", "against"), ("against=x", "against")],
)
def test_what_cannot_be_told_is_said(
    browser: JsonClient, small_experiment: dict[str, Any], query: str, path: str
) -> None:
    study_id = begun(browser, small_experiment)["id"]
    finish(study_id, {0: 1.0})
    answer = browser.read(f"studies/{study_id}/results?{query}")
    assert (answer.status_code, answer.json()["problems"][0]["path"].split(".")[-1]) == (422, path)


@pytest.mark.parametrize(
    ("plan", "path"),
    [
        ({"axes": [{"path": HEARTBEAT, "values": [1, -5]}]}, "axes[0].values[1]"),
        ({"axes": [{"path": "nothing.there", "values": [1]}]}, "axes[0].path"),
        ({"schedulers": [{"name": "nobody"}]}, "schedulers[0].name"),
        ({"schedulers": [{"name": "sparrow", "params": {"probe_ratio": "many"}}]}, "schedulers[0]"),
        ({"repeats": 1001}, "repeats"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_faults_of_a_plan_are_named_by_their_place(
    browser: JsonClient, small_experiment: dict[str, Any], plan: dict[str, Any], path: str
) -> None:
    answer = begin(browser, small_experiment, plan)
    assert (answer.status_code, answer.json()["problems"][0]["path"]) == (422, path)
    assert Study.objects.count() == 0


def test_limits_are_named_by_their_settings(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_STUDY_RUNS = 8
    allowed = begin(browser, small_experiment).json()["problems"][0]["allowed"]
    assert allowed == "at most 8 (setting PLAYGROUND_LIMIT_STUDY_RUNS)"
    settings.LIMIT_STUDY_RUNS, settings.LIMIT_STUDY_TASKS = 100, 900
    found = begin(browser, small_experiment).json()["problems"][0]
    assert found["path"] == "workload.jobs"
    assert found["allowed"] == "at most 100 (setting PLAYGROUND_LIMIT_STUDY_TASKS, shared by 9 runs)"
    settings.LIMIT_STUDY_TASKS, settings.LIMIT_STUDIES = 10**8, 1
    begun(browser, small_experiment)
    again = begin(browser, small_experiment)
    assert (again.status_code, "PLAYGROUND_LIMIT_STUDIES" in again.content.decode()) == (429, True)


def test_only_the_owner_writes_and_anyone_with_the_id_reads(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    told = begun(browser, small_experiment)
    path = f"studies/{told['id']}"
    assert stranger.read(path).json()["mine"] is False
    assert stranger.send(f"experiments/{told['experiment_id']}/studies", PLAN).status_code == 403
    for verb in ("pause", "resume", "cancel"):
        assert stranger.send(f"{path}/{verb}").status_code == 403
    assert stranger.delete(f"/api/v1/{path}").status_code == 403
    assert stranger.read("studies/nothing").status_code == 404
    assert browser.delete(f"/api/v1/{path}").status_code == 204
    assert (browser.read(path).status_code, StudyRun.objects.count()) == (404, 0)


def test_a_pause_holds_back_what_waits_and_a_resumption_queues_it_again(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    study_id = begun(browser, small_experiment)["id"]
    finish(study_id, {0: 1.0})
    for _ in range(2):
        assert browser.send(f"studies/{study_id}/pause").json()["state"] == "paused"
    # A message that is on its way does nothing.
    assert execution.execute_study_run(study_id=study_id, number=1) is False
    connections.client().delete("studies")
    for _ in range(2):
        assert browser.send(f"studies/{study_id}/resume").json()["state"] == "running"
    assert workers.waiting_in_queue("studies") == 8
    assert signals.asked_to_stop(study_id) == ""


def test_cancelling_keeps_what_was_found_and_is_final(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    study_id = begun(browser, small_experiment)["id"]
    finish(study_id, {0: 1.0, 1: 2.0})
    for _ in range(2):
        told = browser.send(f"studies/{study_id}/cancel").json()
        assert (told["state"], told["done"]) == ("cancelled", 2)
    assert execution.execute_study_run(study_id=study_id, number=5) is False
    assert browser.send(f"studies/{study_id}/resume").status_code == 409
    assert browser.read(f"studies/{study_id}/results").json()["runs"] == 2


def test_a_study_names_the_defaults_that_suit_one_trace(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    others = [{"name": "sparrow"}, {"name": "hawk"}, {"name": "eagle"}]
    told = begun(browser, small_experiment, {"schedulers": others})
    share = {"parameter": "Workers that may run long jobs", "value": 0.98, "trace": "Yahoo trace"}
    assert told["fitted"] == [share | {"schedulers": ["Hawk", "Eagle"]}]
    chosen = [*others[:2], {"name": "eagle", "params": {"long_partition_share": 0.9}}]
    told = begun(browser, small_experiment, {"schedulers": chosen})
    assert told["fitted"] == [share | {"schedulers": ["Hawk"]}]
    varied = {"axes": [{"path": "scheduler.params.long_partition_share", "values": [0.8, 0.9]}], "schedulers": others}
    assert begun(browser, small_experiment, varied)["fitted"] == []


def test_a_study_says_which_varied_parameter_changes_nothing(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    axes = [{"path": "scheduler.params.locality", "values": [0, 1]}, {"path": "workload.jobs", "values": [5, 6]}]
    told = begun(browser, small_experiment, {"axes": axes, "schedulers": [{"name": "kubernetes-papers"}]})
    [locality, jobs] = told["plan"]["axes"]
    assert locality["needs"] == ["Input size", "Data without sizes"]
    assert len(locality["idle"]) == 1
    assert "idle" not in jobs


def test_a_run_of_a_study_becomes_an_experiment_to_look_at(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    study_id = begun(browser, small_experiment)["id"]
    made = stranger.send(f"studies/{study_id}/fork", {"run": 5})
    assert made.status_code == 201
    experiment = stranger.read(f"experiments/{made.json()['id']}").json()
    assert (experiment["experiment"]["seed"], experiment["mine"]) == (2, True)
    assert experiment["experiment"]["scheduler"]["params"]["heartbeat_s"] == 10
    assert experiment["name"] == "Small: Megha, Heartbeat interval 10\u202fs, seed 2"
    for wrong in (9, -1, "1", None, True):
        assert stranger.send(f"studies/{study_id}/fork", {"run": wrong}).status_code == 422


def test_what_a_dead_worker_held_and_messages_that_were_lost_are_queued_again(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    study_id = begun(browser, small_experiment)["id"]
    connections.client().delete("studies")
    rows = StudyRun.objects.filter(study__public_id=study_id)
    rows.filter(number=0).update(state=RunState.RUNNING, claim="gone", attempts=1)
    rows.filter(number=1).update(state=RunState.RUNNING, claim="gone", attempts=settings.LIMIT_RUN_ATTEMPTS)
    rows.filter(number=2).update(state=RunState.RUNNING, claim="alive", attempts=1)
    leases.take_lease(f"{study_id}.2", "alive")
    assert execution.recover_studies() == 1
    assert dict(rows.values_list("number", "state")) == {
        0: "queued",
        1: "failed",
        2: "running",
        **dict.fromkeys(range(3, 9), "queued"),
    }
    assert browser.read(f"studies/{study_id}").json()["error"]["code"] == "worker_lost"
    # Redis was emptied a while ago: everything that waits is sent again.
    connections.client().delete("studies")
    Study.objects.update(sent_at=timezone.now() - timedelta(minutes=1))
    assert execution.recover_studies() == 7
    assert workers.waiting_in_queue("studies") == 7


def test_a_study_whose_last_worker_died_after_its_last_row_is_ended(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    study_id = begun(browser, small_experiment)["id"]
    finish(study_id, dict.fromkeys(range(9), 1.0))
    execution.recover_studies()
    assert browser.read(f"studies/{study_id}").json()["state"] == "done"


def test_old_studies_are_deleted_unless_they_are_not_over(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    old, unfinished = (begun(browser, small_experiment)["id"] for _ in range(2))
    browser.send(f"studies/{old}/cancel")
    Study.objects.update(created_at=timezone.now() - timedelta(days=settings.KEEP_STUDIES_DAYS + 1))
    remove_old_studies()
    assert [study.public_id for study in Study.objects.all()] == [unfinished]
