"""The lab's endpoints: facts with evidence, previews of drafts, refusals in sentences."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from scheduler_core import compile_drawing
from tests.web.conftest import JsonClient
from tests.web.test_never_500 import ODD_BODIES, assert_problem

pytestmark = [pytest.mark.django_db, pytest.mark.redis]
PATHS = ["constraint-previews", "workload-previews"]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What a worker does when it starts."""
    compile_drawing()


@pytest.fixture
def draft(small_experiment: dict[str, Any]) -> dict[str, Any]:
    cluster = {"machines": [{"count": 200, "cpus": 4}], "constraint_mix": "google-a"}
    return {
        "schema_version": 1,
        "topology": {"global_masters": 2, "clusters": [cluster]},
        "constraints": {"catalogue": "megha-21", "soft": [{"name": "c03", "slowdown": 1.4}]},
        "workload": {
            "kind": "synthetic",
            "jobs": 50,
            "arrivals": {"kind": "poisson", "offered_load": 1.3},
            "duration_s": {"kind": "exponential", "mean": 10},
        },
        "scheduler": {"name": "sparrow"},
    }


def test_catalogues_and_presets_say_where_their_numbers_come_from(browser: JsonClient) -> None:
    found = browser.read("constraint-catalogues").json()
    catalogues = {one["name"]: one["constraints"] for one in found["catalogues"]}
    sizes = {name: len(constraints) for name, constraints in catalogues.items()}
    assert sizes == {"megha-21": 21, "megha-clusters": 21, "phoenix-9": 9, "custom": 0}
    shares = [share for one in catalogues["phoenix-9"] for share in one["machine_shares"].values()]
    assert {share["evidence"] for share in shares} == {"authors' code", "synthetic"}
    presets = {preset["name"]: preset for preset in browser.read("workload-presets").json()}
    assert presets["goog"]["evidence"] == "measured"
    assert presets["alibaba"]["evidence"] == "synthetic"
    assert presets["goog"]["targets"]["tasks"] == 312_558
    assert presets["goog"]["found"].keys() == presets["goog"]["targets"].keys()


def test_a_draft_is_previewed_whatever_its_scheduler_would_refuse(browser: JsonClient, draft: dict[str, Any]) -> None:
    found = browser.send("constraint-previews", {"experiment": draft})
    assert found.status_code == 200, found.content
    row = found.json()["constraints"][3]
    assert (row["name"], row["soft"], row["slowdown"]) == ("c03", True, 1.4)
    load = browser.send("workload-previews", {"experiment": draft, "cutoff_s": 12}).json()
    assert load["cutoff_s"] == 12
    assert any(one["path"] == "workload.arrivals" for one in load["warnings"])


def test_constraints_of_a_trace_that_is_not_there_are_previewed_all_the_same(
    browser: JsonClient, draft: dict[str, Any]
) -> None:
    draft["workload"] = {"kind": "trace", "trace": "not-uploaded-yet"}
    assert browser.send("constraint-previews", {"experiment": draft}).json()["machines"] == 200
    refused = browser.send("workload-previews", {"experiment": draft})
    assert_problem(refused)
    assert refused.json()["problems"][0]["path"] == "workload.kind"


def test_problems_name_the_field_and_the_setting(
    browser: JsonClient, draft: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_MACHINES = 100
    answer = browser.send("constraint-previews", {"experiment": draft})
    assert_problem(answer)
    item = answer.json()["problems"][0]
    assert item["path"] == "topology.clusters"
    assert "PLAYGROUND_LIMIT_MACHINES" in item["allowed"]
    draft["constraints"]["soft"][0]["name"] = "c99"
    for path in PATHS:
        paths = [one["path"] for one in browser.send(path, {"experiment": draft}).json()["problems"]]
        assert "constraints.soft[0].name" in paths


def test_a_draft_is_bounded_in_bytes(browser: JsonClient, draft: dict[str, Any], settings: Settings) -> None:
    settings.LIMIT_DRAFT_BYTES = 300
    answer = browser.send("workload-previews", {"experiment": draft})
    assert_problem(answer)
    assert "PLAYGROUND_LIMIT_DRAFT_BYTES" in answer.json()["problems"][0]["allowed"]


def test_who_asks_without_end_is_told_to_wait(
    browser: JsonClient, stranger: JsonClient, draft: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_DRAFTS_PER_VIEWER = 2
    asked = [browser.send("constraint-previews", {"experiment": draft}, token="a" * 20) for _ in range(4)]
    refused = [answer for answer in asked if answer.status_code == 429]
    assert refused
    assert "PLAYGROUND_LIMIT_DRAFTS_PER_VIEWER" in refused[0].json()["problems"][0]["allowed"]
    assert int(refused[0]["Retry-After"]) >= 1
    assert stranger.send("constraint-previews", {"experiment": draft}, token="b" * 20).status_code == 200
    assert browser.send("experiments", raw=b"{}", token="a" * 20).status_code == 422


@pytest.mark.parametrize("body", ODD_BODIES, ids=lambda body: repr(body[:30]))
@pytest.mark.parametrize("path", PATHS)
def test_an_odd_draft_is_refused(browser: JsonClient, path: str, body: bytes) -> None:
    assert_problem(browser.send(path, raw=body))
    assert_problem(browser.send(path, raw=b'{"experiment": ' + body + b"}"))


@pytest.mark.parametrize("cutoff", [0, -1, "1", True, [], 1e30])
def test_an_odd_cutoff_is_refused(browser: JsonClient, draft: dict[str, Any], cutoff: Any) -> None:
    answer = browser.send("workload-previews", {"experiment": draft, "cutoff_s": cutoff})
    assert_problem(answer)
    assert answer.json()["problems"][0]["path"] == "cutoff_s"


CONFIGURATION: dict[str, Any] = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "percentageOfNodesToScore": 40,
    "extenders": [],
    "profiles": [{"plugins": {"score": {"enabled": [{"name": "NodeResourcesFit", "weight": 5}]}}}],
}


def test_a_scheduler_configuration_becomes_parameters_and_comes_back(browser: JsonClient) -> None:
    read = browser.send("kube-configurations", {"configuration": CONFIGURATION}).json()
    assert read["scheduler"]["name"] == "kubernetes"
    params = read["scheduler"]["params"]
    assert (params["percentage"], params["fit_weight"], params["taint_weight"]) == (40, 5, 3), "and the defaults"
    assert read["not_understood"] == ["extenders"]
    written = browser.send("kube-configurations", {"scheduler": read["scheduler"]}).json()["configuration"]
    again = browser.send("kube-configurations", {"configuration": written}).json()
    assert again == {"scheduler": read["scheduler"], "not_understood": []}


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"configuration": {"kind": "Pod"}}, "apiVersion, kind"),
        ({"configuration": {**CONFIGURATION, "percentageOfNodesToScore": 400}}, "percentageOfNodesToScore"),
        (
            {"configuration": {**CONFIGURATION, "profiles": [{"plugins": {"score": {"enabled": [3]}}}]}},
            "profiles[0].plugins.score.enabled[0]",
        ),
        ({"scheduler": {"name": "sparrow"}}, "scheduler.name"),
        ({"scheduler": {"name": "kubernetes", "params": {"fit_weight": -1}}}, "scheduler.params.fit_weight"),
        ({"scheduler": 3}, "scheduler.name"),
        ({}, ""),
    ],
)
def test_what_is_no_scheduler_configuration_is_refused(browser: JsonClient, body: dict[str, Any], path: str) -> None:
    answer = browser.send("kube-configurations", body)
    assert (answer.status_code, answer.json()["problems"][0]["path"]) == (422, path)
