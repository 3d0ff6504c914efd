"""Experiments of earlier versions keep the rules under which they were made."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import BaseModel, Field

from scheduler_core import Experiment, ExperimentError, __version__, changed_rules, keep_rules, known, with_todays_rules
from scheduler_core.experiment import keeping
from scheduler_core.experiment.fields import Number, Part
from scheduler_core.experiment.formerly import KEY, former_default, formerly, version_of
from scheduler_core.schedulers import SCHEDULERS, UNLISTED
from scheduler_core.studies.grid import Grid
from scheduler_core.studies.plan import StudyPlan
from scheduler_core.world.spec import Params, SchedulerSpec


class FakeParams(Params):
    """Parameters of a scheduler whose rules changed in 0.2.0 and in 0.3.0."""

    profile: Literal["paper", "program"] = "paper"
    kept: int = 7
    changed: bool = Field(True, json_schema_extra=formerly("0.2.0", False))
    twice: int = Field(30, json_schema_extra=formerly("0.3.0", 20, earlier=formerly("0.2.0", 10)))
    by_profile: float = Field(3.0, json_schema_extra=formerly("0.2.0", 1.0, by_profile={"program": 2.0}))
    under_one: float = Field(6.0, json_schema_extra={**formerly("0.2.0", by_profile={"program": 5.0}), "unit": "s"})


WORLD = {
    "schema_version": 1,
    "topology": {"clusters": [{"machines": [{"count": 2}]}]},
    "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]},
}


@pytest.fixture(autouse=True)
def a_fake_scheduler() -> Iterator[None]:
    """Let experiments name the scheduler `fake`."""
    answers = known.registries()
    fake = SimpleNamespace(
        scheduler_params=lambda: {**answers.scheduler_params(), "fake": FakeParams},
        params_of=lambda name: FakeParams if name == "fake" else answers.params_of(name),
        trace_formats=answers.trace_formats,
        trace_format=answers.trace_format,
        plugin_sha256=answers.plugin_sha256,
    )
    before = list(known._answers)
    known.tell(lambda: fake)
    yield
    known._answers[:] = before


def experiment(**params: Any) -> dict[str, Any]:
    return copy.deepcopy(WORLD) | {"scheduler": {"name": "fake", "params": params}}


def kept_params(made_under: str, **params: Any) -> Any:
    return keep_rules(experiment(**params), made_under)["scheduler"]["params"]


def test_absent_parameters_get_what_they_were_in_the_version_that_made_the_experiment() -> None:
    assert kept_params("0.1.0") == {"changed": False, "twice": 10, "by_profile": 1.0}
    assert kept_params("0.1.7") == kept_params("0.1.0")
    assert kept_params("0.2.0") == {"twice": 20}
    assert kept_params("0.10.0") == {}


def test_a_profile_has_its_own_former_values() -> None:
    assert kept_params("0.1.0", profile="program") == {
        "profile": "program",
        "changed": False,
        "twice": 10,
        "by_profile": 2.0,
        "under_one": 5.0,
    }


def test_what_an_experiment_names_stays() -> None:
    named = {"changed": True, "twice": 1, "by_profile": 9.0, "under_one": 8.0, "kept": 2}
    assert kept_params("0.1.0", **named) == named


def test_the_experiment_given_never_changes_and_parses_afterwards() -> None:
    given = experiment()
    before = copy.deepcopy(given)
    kept = keep_rules(given, "0.1.0")
    assert given == before
    assert Experiment.parse(kept).scheduler.params == {
        "profile": "paper", "kept": 7, "changed": False, "twice": 10, "by_profile": 1.0, "under_one": 6.0,
    }  # fmt: skip


def test_without_a_statement_an_experiment_has_todays_rules() -> None:
    params = Experiment.parse(experiment()).scheduler.params
    assert (params["changed"], params["twice"], params["by_profile"]) == (True, 30, 3.0)


def test_scheduler_without_params_gets_them() -> None:
    bare = copy.deepcopy(WORLD) | {"scheduler": {"name": "fake"}}
    assert keep_rules(bare, "0.1.0")["scheduler"]["params"]["changed"] is False


def test_changed_rules_tell_then_and_today_and_leave_out_what_was_chosen_otherwise() -> None:
    stored = Experiment.parse(keep_rules(experiment(by_profile=9.0), "0.1.0")).to_dict()
    told = {rule.path: (rule.value, today) for rule, today in changed_rules(stored, "0.1.0")}
    assert told == {"scheduler.params.changed": (False, True), "scheduler.params.twice": (10, 30)}
    assert changed_rules(stored, "0.3.0") == []


def test_todays_rules_take_the_place_of_those_of_then_and_of_nothing_else() -> None:
    stored = Experiment.parse(keep_rules(experiment(by_profile=9.0, kept=2), "0.1.0")).to_dict()
    assert Experiment.parse(with_todays_rules(stored, "0.1.0")).scheduler.params == {
        "profile": "paper", "kept": 2, "changed": True, "twice": 30, "by_profile": 9.0, "under_one": 6.0,
    }  # fmt: skip


def test_an_experiment_that_todays_rules_refuse_offers_none() -> None:
    assert changed_rules(experiment(kept="many"), "0.1.0") == []


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"scheduler": None},
        {"scheduler": []},
        {"scheduler": {"name": 3}},
        {"scheduler": {"name": "nobody"}},
        {"scheduler": {"name": "fake", "params": []}},
        {"topology": 1, "workload": [], "network": "x"},
        {"topology": {"clusters": [1, None, {"machines": {}}]}},
    ],
)
def test_odd_data_stay_for_the_checks(odd: dict[str, Any]) -> None:
    assert keep_rules(odd, "0.1.0") == odd


def test_an_experiment_may_name_its_rules_itself() -> None:
    stated = experiment(kept=2) | {"rules": "0.1.0"}
    told = Experiment.parse(stated)
    assert told == Experiment.parse(keep_rules(experiment(kept=2), "0.1.0"))
    assert "rules" not in told.to_dict()
    assert told.digest() == Experiment.parse(told.to_dict()).digest()
    assert keep_rules(stated, __version__) == keep_rules(experiment(kept=2), "0.1.0")
    assert Experiment.parse(experiment() | {"rules": __version__}).scheduler.params["twice"] == 20


@pytest.mark.parametrize("odd", ["99.0.0", "next", "", 1, True, []])
def test_rules_that_are_not_known_are_refused_by_name(odd: Any) -> None:
    with pytest.raises(ExperimentError) as caught:
        Experiment.parse(experiment() | {"rules": odd})
    assert "rules" in {problem.path for problem in caught.value.problems}


def test_a_format_that_is_still_to_come_is_told_so() -> None:
    with pytest.raises(ExperimentError):
        keep_rules({"schema_version": 99}, "0.1.0")


def test_schedulers_of_a_study_keep_the_rules_of_the_version_that_made_it() -> None:
    plan = StudyPlan.parse({"schedulers": [{"name": "fake"}, {"name": "fake", "params": {"twice": 5}}], "repeats": 1})
    base = Experiment.parse(copy.deepcopy(WORLD) | {"scheduler": {"name": "megha"}}).to_dict()
    old, new = Grid(base, plan, "0.1.0"), Grid(base, plan)
    made = [old.run(number)[0] for number in range(2)]
    assert [old.experiment(cell, 1)["scheduler"]["params"].get("changed") for cell in made] == [False, False]
    assert [old.experiment(cell, 1)["scheduler"]["params"]["twice"] for cell in made] == [10, 5]
    assert [new.experiment(cell, 1)["scheduler"]["params"].get("changed") for cell in made] == [None, None]


class FakeGroup(Part):
    count: int = 1
    speed: Annotated[float, Number(0, 9)] = Field(2.0, json_schema_extra=formerly("0.2.0", 1.0))


class FakeDrawn(Part):
    kind: Literal["drawn"]
    sampling: str = Field("even", json_schema_extra=formerly("0.2.0", "independent"))


class FakeWritten(Part):
    kind: Literal["written"]
    order: str = Field("size", json_schema_extra=formerly("0.2.0", "arrival"))


class FakeNetwork(Part):
    delay_s: float = Field(0.001, json_schema_extra=formerly("0.2.0", 0.0005))


class FakeExperiment(Part):
    groups: tuple[FakeGroup, ...]
    named: dict[str, FakeGroup] = {}
    workload: Annotated[FakeDrawn | FakeWritten, Field(discriminator="kind")]
    network: FakeNetwork = FakeNetwork()
    extra: FakeNetwork | None = None


def kept_world(data: dict[str, Any], made_under: str, model: type[BaseModel] = FakeExperiment) -> dict[str, Any]:
    for rule in keeping.rules_of_part(model, data, made_under, ()):
        if rule.written:
            data = keeping.with_value(data, rule.place, rule.value)
    return data


def test_parts_of_the_world_get_their_former_values_wherever_they_stand() -> None:
    data = {"groups": [{"count": 3}, {"speed": 4.0}], "named": {"a": {}}, "workload": {"kind": "written"}}
    assert kept_world(data, "0.1.0") == {
        "groups": [{"count": 3, "speed": 1.0}, {"speed": 4.0}],
        "named": {"a": {"speed": 1.0}},
        "workload": {"kind": "written", "order": "arrival"},
        "network": {"delay_s": 0.0005},
    }
    assert kept_world(data, "0.2.0") == data


def test_a_place_is_written_as_problems_write_it() -> None:
    paths = [rule.path for rule in keeping.rules_of_part(FakeExperiment, {"groups": [{}]}, "0.1.0", ())]
    assert paths == ["groups[0].speed", "network.delay_s"]


def test_a_declaration_says_something_and_goes_on_in_order() -> None:
    with pytest.raises(TypeError):
        formerly("0.2.0")
    with pytest.raises(ValueError, match="not a version"):
        formerly("next", 1)
    with pytest.raises(ValueError, match="ascending"):
        formerly("0.2.0", 1, earlier=formerly("0.3.0", 2))
    assert former_default(formerly("0.2.0", None), "0.1.0") == (None,)


def _declared(model: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[tuple[str, Any]]:
    for name, field in model.model_fields.items() if model not in seen else ():
        yield f"{model.__name__}.{name}", field
        seen.add(model)
        for inner in keeping._models(field.annotation):
            yield from _declared(inner, seen)


def test_every_declaration_of_the_product_names_a_version_that_has_come() -> None:
    for model in (Experiment, *(spec.params for spec in (*SCHEDULERS, *UNLISTED))):
        for where, field in _declared(model, set()):
            for row in (field.json_schema_extra or {}).get(KEY, ()):
                assert version_of(row["before"]) <= version_of(__version__), where


@pytest.mark.parametrize("spec", [*SCHEDULERS, *UNLISTED], ids=lambda spec: spec.name)
def test_every_scheduler_still_takes_what_its_parameters_were_in_the_first_version(spec: SchedulerSpec) -> None:
    profile = spec.params.model_fields.get("profile")
    for params in ({"profile": name} for name in get_args(profile.annotation)) if profile else ({},):
        kept = keep_rules({"scheduler": {"name": spec.name, "params": params}}, "0.1.0")["scheduler"]["params"]
        told = spec.params.model_validate(kept).model_dump(mode="json")
        assert {name: told[name] for name in kept} == kept
