"""Experiments that an earlier version stored keep its rules wherever they are read."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from django.utils import timezone
from pydantic import Field
from pytest_django import Settings

from playground.models import Experiment, Run, Study
from playground.runs import execution
from scheduler_core import __version__, known
from scheduler_core.experiment.formerly import formerly
from scheduler_core.schedulers.federated.megha.shared.params import MeghaParams
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]
THEN, TODAY = 10.0, 0.05
OLD = "0.1.0"


class ChangedParams(MeghaParams):
    """Megha as if the heartbeat had another default since 0.2.0."""

    heartbeat_s: float = Field(TODAY, title="Heartbeat", json_schema_extra={**formerly("0.2.0", THEN), "unit": "s"})


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def a_changed_default() -> Iterator[None]:
    answers, before = known.registries(), list(known._answers)
    changed = SimpleNamespace(
        scheduler_params=lambda: {**answers.scheduler_params(), "megha": ChangedParams},
        params_of=lambda name: ChangedParams if name == "megha" else answers.params_of(name),
        trace_formats=answers.trace_formats,
        trace_format=answers.trace_format,
        plugin_sha256=answers.plugin_sha256,
    )
    known.tell(lambda: changed)
    yield
    known._answers[:] = before


def as_of_before(created: dict[str, Any]) -> Experiment:
    """Make a row one of an earlier version, in which the parameter did not exist."""
    row = Experiment.objects.get(public_id=created["id"])
    del row.data["scheduler"]["params"]["heartbeat_s"]
    row.core_version = OLD
    row.save()
    return row


def outcome(client: JsonClient, created: dict[str, Any]) -> Run:
    run = client.send(f"experiments/{created['id']}/runs").json()
    execution.execute_run(run_id=run["id"])
    row = Run.objects.get(public_id=run["id"])
    assert row.state == "done", row.error_message
    return row


def params(client: JsonClient, created: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = client.read(f"experiments/{created['id']}").json()["experiment"]["scheduler"]["params"]
    return found


def test_an_experiment_of_before_runs_to_its_outcome_of_before(
    browser: JsonClient, small_experiment: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    created = browser.make(small_experiment)
    before = outcome(browser, created)
    as_of_before(created)
    request.getfixturevalue("a_changed_default")
    again = outcome(browser, created)
    assert again.outcome_digest == before.outcome_digest
    posted = browser.make(small_experiment)
    assert params(browser, posted)["heartbeat_s"] == TODAY
    assert outcome(browser, posted).outcome_digest != before.outcome_digest
    # The digest of the row is what was stored; that of the run has the values written out, and so is that of a fork.
    shown = browser.read(f"experiments/{created['id']}").json()
    assert shown["experiment_digest"] == created["experiment_digest"]
    forked = browser.send(f"experiments/{created['id']}/fork").json()
    assert forked["experiment_digest"] == again.summary["experiment_digest"]  # type: ignore[index]
    assert outcome(browser, forked).outcome_digest == before.outcome_digest


@pytest.mark.usefixtures("a_changed_default")
def test_what_is_shown_forked_and_handed_on_has_the_former_values_written_out(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    created = browser.make(small_experiment)
    row = as_of_before(created)
    shown = browser.read(f"experiments/{created['id']}").json()
    assert shown["experiment"]["scheduler"]["params"]["heartbeat_s"] == THEN
    assert shown["former_rules"] == {
        "version": OLD,
        "values": [
            {
                "path": "scheduler.params.heartbeat_s",
                "label": "Heartbeat",
                "unit": "s",
                "value": THEN,
                "today": TODAY,
            },
        ],
    }
    forked = browser.send(f"experiments/{created['id']}/fork").json()
    assert params(browser, forked)["heartbeat_s"] == THEN
    assert browser.read(f"experiments/{forked['id']}").json()["former_rules"] is None
    assert Experiment.objects.get(public_id=forked["id"]).core_version == __version__
    tree = browser.read(f"experiments/{created['id']}/tree").json()
    assert not [change for node in tree["nodes"] for change in node["changes"]]
    run = browser.send(f"experiments/{created['id']}/runs").json()
    notebook = nbformat.reads(browser.read(f"runs/{run['id']}/notebook.ipynb").content.decode(), as_version=4)
    assert f'"heartbeat_s": {THEN}' in "".join(cell.source for cell in notebook.cells)
    row.refresh_from_db()
    assert "heartbeat_s" not in row.data["scheduler"]["params"], "what is stored never changes"


@pytest.mark.usefixtures("a_changed_default")
def test_a_value_that_somebody_chose_is_no_former_rule(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    small_experiment["scheduler"] = {"name": "megha", "params": {"heartbeat_s": 7.0}}
    created = browser.make(small_experiment)
    Experiment.objects.update(core_version=OLD)
    assert browser.read(f"experiments/{created['id']}").json()["former_rules"] is None
    assert params(browser, created)["heartbeat_s"] == 7.0


@pytest.mark.usefixtures("a_changed_default")
def test_a_link_of_before_is_written_out_without_being_stored(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    small_experiment["scheduler"] = {"name": "megha"}
    told = browser.send("former-rules", {**small_experiment, "rules": OLD}).json()
    assert told["experiment"]["scheduler"]["params"]["heartbeat_s"] == THEN
    assert "rules" not in told["experiment"]
    assert told["former_rules"]["version"] == OLD
    values = {each["path"]: each for each in told["former_rules"]["values"]}
    assert values["scheduler.params.heartbeat_s"]["today"] == TODAY
    plain = browser.send("former-rules", small_experiment).json()
    assert plain == {"experiment": small_experiment, "former_rules": None}
    refused = browser.send("former-rules", {**small_experiment, "rules": "99.0.0"})
    assert (refused.status_code, refused.json()["problems"][0]["path"]) == (422, "rules")
    assert not Experiment.objects.exists()


@pytest.mark.usefixtures("a_changed_default")
def test_an_experiment_that_names_its_rules_is_stored_with_them(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    small_experiment["scheduler"] = {"name": "megha"}
    assert params(browser, browser.make({**small_experiment, "rules": OLD}))["heartbeat_s"] == THEN
    assert params(browser, browser.make({**small_experiment, "rules": __version__}))["heartbeat_s"] == TODAY


@pytest.mark.usefixtures("a_changed_default")
def test_a_study_of_before_keeps_the_rules_of_all_its_schedulers(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    small_experiment["scheduler"] = {"name": "sparrow"}
    created = browser.make(small_experiment)
    plan = {"schedulers": [{"name": "sparrow"}, {"name": "megha"}], "repeats": 2}
    row = Experiment.objects.get(public_id=created["id"])
    copies = []
    for version in (__version__, OLD):
        study = Study.objects.create(experiment=row, plan=plan, runs=4, core_version=version, sent_at=timezone.now())
        copies.append(browser.send(f"studies/{study.public_id}/fork", {"run": 1}).json())
    assert [params(browser, each)["heartbeat_s"] for each in copies] == [TODAY, THEN]
