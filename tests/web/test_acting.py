"""A parameter that changes nothing for want of data says so: in the catalogue, for the studio, and in a study."""

from __future__ import annotations

from playground.catalogue.service import schedulers
from playground.ground.acting import NEEDS, SPEAKS_OF, is_inactive
from playground.studies.idle import idle_words
from scheduler_core import SCHEDULERS, scheduler_by_name
from tests.core.test_nothing_there import OF_CONSTRAINTS, OF_DATA, OF_QUEUES

GIVES = {"input_gb", "unsized_data"}


def test_every_parameter_that_speaks_of_data_says_what_it_needs() -> None:
    """`test_nothing_there` runs them: without data, none of `OF_DATA` changes anything."""
    for spec in SCHEDULERS:
        known = spec.params.model_fields.keys()
        if GIVES & known:
            assert OF_DATA & known <= NEEDS.keys(), spec.name
    assert NEEDS.keys() <= OF_DATA
    [fields] = [one["params"]["properties"] for one in schedulers() if one["name"] == "kubernetes-papers"]
    assert fields["locality"]["acts_with"] == ["input_gb", "unsized_data"]
    assert fields["rack_gb_s"]["acts_with"] == ["input_gb"]
    assert "acts_with" not in fields["input_gb"]
    assert "acts_with" not in fields["affinity"]
    assert fields["affinity"]["speaks_of"] == "constraints"
    assert "speaks_of" not in fields["spread"]


def test_every_parameter_that_speaks_of_constraints_or_queues_says_so() -> None:
    """`test_nothing_there` runs them: without constraints, and with one queue, none of them changes anything."""
    assert {name for name, of in SPEAKS_OF.items() if of == "constraints"} == OF_CONSTRAINTS
    assert {name for name, of in SPEAKS_OF.items() if of == "queues"} == OF_QUEUES


def test_a_parameter_is_inactive_until_tasks_have_data() -> None:
    params = scheduler_by_name("kubernetes-papers").params().model_dump()
    assert is_inactive("locality", params)
    assert not is_inactive("locality", params | {"input_gb": 1.0})
    assert not is_inactive("locality", params | {"unsized_data": True})
    assert is_inactive("rack_gb_s", params | {"unsized_data": True})
    assert not is_inactive("locality", params, {"input_gb"}), "the study varies the size"
    assert not is_inactive("spread", params)
    assert not is_inactive("wait_s", scheduler_by_name("fair").params().model_dump()), "its data are on by default"


def test_a_study_says_which_varied_parameter_changes_nothing() -> None:
    path, other = "scheduler.params.locality", "scheduler.params.input_gb"
    one = {"name": "kubernetes-papers", "params": {}, "label": "Kubernetes"}
    assert idle_words(path, [one], {path}) == {
        "idle": ["Kubernetes"],
        "needs": ["Input size", "Data without sizes"],
    }
    assert idle_words(path, [one], {path, other}) == {}
    assert idle_words(path, [one | {"params": {"input_gb": 2.0}}], {path}) == {}
    assert idle_words("workload.jobs", [one], {"workload.jobs"}) == {}
