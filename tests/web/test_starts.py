"""The packed start of a run and the modules of event loops over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from playground.models import Run
from playground.runs.results.starts import tag_of
from scheduler_core.engine.wasm import packed
from tests.web.conftest import JsonClient
from tests.web.test_known import asked

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def test_a_module_is_kept_for_good_under_its_name(browser: JsonClient) -> None:
    built = packed.manifest()["schedulers/probing/sparrow/kernel.py:advance"]
    answer = browser.read(f"engine/{built.file}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/wasm")
    assert answer.content == packed.module_bytes(built)
    assert "immutable" in answer["Cache-Control"]


@pytest.mark.parametrize("name", ["none.wasm", "manifest.json", ".."])
def test_no_other_file_is_a_module(browser: JsonClient, name: str) -> None:
    assert browser.read(f"engine/{name}").status_code == 404


def test_a_run_that_is_not_done_has_no_start_yet(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    run = asked(browser, small_experiment)
    assert browser.read(f"runs/{run['id']}/start").status_code == 409


def test_a_touchable_start_is_another_file_than_the_run_s(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    run = Run.objects.get(public_id=asked(browser, small_experiment)["id"])
    tag = tag_of(run, touchable=True)
    assert tag != tag_of(run)
    address = f"/api/v1/runs/{run.public_id}/start"
    assert browser.get(f"{address}?touchable=true", headers={"If-None-Match": tag}).status_code == 304
    assert browser.get(address, headers={"If-None-Match": tag}).status_code == 409  # it asks for the run's own start
    assert browser.get(f"{address}?touchable=perhaps").status_code == 422
