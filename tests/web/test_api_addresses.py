"""Every error of the API is a problem, also for an address or a method that it does not have."""

from __future__ import annotations

import pytest

from tests.web.conftest import JsonClient
from tests.web.test_never_500 import assert_problem

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.mark.parametrize("method", ["get", "post", "delete"])
@pytest.mark.parametrize("address", ["nix", "claims/nix", "runs/x/nix", "studies", "experiments/"])
def test_an_address_that_no_operation_has_gives_a_problem(browser: JsonClient, method: str, address: str) -> None:
    answer = getattr(browser, method)(f"/api/v1/{address}")
    assert_problem(answer)
    assert answer.status_code == 404
    assert f"/api/v1/{address}" in answer.json()["problems"][0]["message"]


def test_a_method_that_an_address_does_not_take_gives_a_problem(browser: JsonClient) -> None:
    answer = browser.delete("/api/v1/schedulers")
    assert_problem(answer)
    assert (answer.status_code, answer["Allow"]) == (405, "GET")
    assert answer.json()["problems"][0]["allowed"] == "GET"


def test_the_description_of_the_api_is_where_it_was(browser: JsonClient) -> None:
    assert browser.get("/api/v1/docs").status_code == 200
    assert browser.get("/api/v1/openapi.json").json()["openapi"].startswith("3.")
