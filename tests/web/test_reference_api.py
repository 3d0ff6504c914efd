"""The reference architecture over HTTP: stages, policies, the matrix and its tables in one answer."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core import refarch
from tests.web.conftest import JsonClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def reference(browser: JsonClient) -> dict[str, Any]:
    answer = browser.read("reference-architecture")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def test_stages_carry_their_policies_and_the_parameter_that_chooses_them(reference: dict[str, Any]) -> None:
    stages = {stage["id"]: stage for stage in reference["stages"]}
    assert len(stages) == 33
    assert [group["id"] for group in reference["groups"]] == ["J", "T", "M", "R"]
    assert (stages["T2"]["param"], stages["T3"]["param"], stages["T3"]["always"]) == ("t2", None, True)
    best_fit = next(policy for policy in stages["R5"]["policies"] if policy["name"] == "best_fit")
    assert best_fit["needs"] == [{"stage": "R4", "what": "which machines have room"}]
    assert set(reference["default_pipeline"]) == {stage for stage, each in stages.items() if each["policies"]}


def test_cells_are_certain_or_name_their_candidates(reference: dict[str, Any]) -> None:
    cells = [cell for system in reference["systems"] for cell in system["cells"]]
    certain = [cell for cell in cells if len(cell["candidates"]) == 1]
    assert (len(cells), len(certain)) == (14 * 33, 273)
    assert all((cell["evidence"] == "open") == (len(cell["candidates"]) > 1) for cell in cells)
    assert {word for cell in cells for word in cell["candidates"]} == {"full", "partial", "none"}


def test_tables_have_what_is_published_beside_what_follows(reference: dict[str, Any]) -> None:
    figures = {(row["system"], row["group"]): row for row in reference["groups_table"]}
    assert len(figures) == 56
    assert all(row["agrees"] for row in figures.values())
    assert figures["Condor", "J"]["published"] == 64
    assert figures["Condor", "J"]["recomputed"] == pytest.approx(450 / 7)  # four full and a partial of seven
    third, eighth = reference["difference_tables"]
    assert (third["id"], third["halves"], eighth["halves"]) == ("III", ["academia", "industry"], ["before", "since"])
    for table in (third, eighth):
        assert len(table["rows"]) == 10
        assert all(row["agrees"] for row in table["rows"])
    assert sum(exact for table in (third, eighth) for row in table["rows"] for exact in row["exact"]) == 15


def test_each_system_has_a_pipeline_that_runs(
    reference: dict[str, Any], browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    assert [system["name"] for system in reference["systems"]] == [system.name for system in refarch.SYSTEMS]
    for system in reference["systems"]:
        preset = system["pipeline"]
        made = browser.send("experiments", small_experiment | {
            "scheduler": {"name": preset["scheduler"], "params": preset["params"]}
        })  # fmt: skip
        assert made.status_code == 201, (system["name"], made.content)
        assert [one["stage"] for one in preset["stages"]] == [stage["id"] for stage in reference["stages"]]
    apollo = next(system["pipeline"] for system in reference["systems"] if system["name"] == "Apollo")
    assert {"stage": "T5", "choices": ["none", "start_up"]} in apollo["open"]
    assert "M5" not in [one["stage"] for one in apollo["open"]]  # its row specifies it in full
    selects = next(one for one in apollo["stages"] if one["stage"] == "M5")
    assert (selects["policy"], selects["ours"], apollo["params"]["m5"]) == ("least_loaded", False, "least_loaded")


def test_who_has_it_already_is_told_so(browser: JsonClient) -> None:
    first = browser.read("reference-architecture")
    again = browser.get("/api/v1/reference-architecture", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = browser.get("/api/v1/reference-architecture", headers={"If-None-Match": '"another"'})
    assert other.status_code == 200
    german = browser.get("/api/v1/reference-architecture?lang=de", headers={"If-None-Match": first["ETag"]})
    assert german.status_code == 200
    stages = {stage["id"]: stage["name"] for stage in german.json()["stages"]}
    english = {stage["id"]: stage["name"] for stage in first.json()["stages"]}
    assert stages["T2"] != english["T2"]
    assert [one["name"] for one in german.json()["systems"]] == [one["name"] for one in first.json()["systems"]]
