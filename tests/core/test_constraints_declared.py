"""Constraints as an experiment declares them: marginals within sampling error, comparisons exactly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from scheduler_core import (
    Experiment,
    ExperimentError,
    build_cluster,
    build_workload,
    constraint_catalogues,
    constraint_preview,
    explain,
    scheduler_by_name,
    simulate,
    unsupported,
)
from scheduler_core.constraints import machine_offers, rack_rules, relaxed_factor, soft_mask, task_asks
from scheduler_core.constraints.vectors import eligible, packed_bits
from tests.core.test_constraints import experiment, within

AB = [{"name": "a", "machine_share": 0.3}, {"name": "b", "machine_share": 0.8}, {"name": "c", "machine_share": 0.5}]


def own(machines: list[dict[str, Any]] | None = None, cluster: dict[str, Any] | None = None, **more: Any) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {
                "clusters": [
                    {"machines": machines or [{"count": 20_000}], "constraint_mix": "custom"} | (cluster or {})
                ]
            },
            "constraints": {"catalogue": "custom", "custom": AB} | more,
            "workload": {
                "kind": "synthetic",
                "jobs": 20_000,
                "arrivals": {"kind": "at_once"},
                "tasks_per_job": {"kind": "constant", "value": 2},
                "duration_s": {"kind": "constant", "value": 1},
            },
            "scheduler": {"name": "megha"},
        }
    )


def offers(it: Experiment) -> Any:
    return machine_offers(it, build_cluster(it))


def asks(it: Experiment) -> Any:
    return task_asks(it, build_workload(it, build_cluster(it)))


def share(masks: Any, bit: int) -> float:
    return float((masks >> bit & 1).mean())


@pytest.mark.parametrize(
    "more", [{}, {"correlation": 0.6}, {"correlated": [{"first": "a", "second": "b", "correlation": -0.5}]}]
)
def test_shares_of_machines_are_met_with_and_without_correlation(more: dict[str, Any]) -> None:
    """Each within 4.5 standard errors: a right sampler fails one such check in about 150,000."""
    masks = offers(own(**more))
    for bit, wanted in enumerate((0.3, 0.8, 0.5)):
        assert within(share(masks, bit), wanted, len(masks)), bit


def test_correlated_properties_come_together_as_normal_variables_do() -> None:
    masks = offers(
        own(
            custom=[AB[2], AB[2] | {"name": "d"}, AB[2] | {"name": "e"}],
            correlated=[{"first": "c", "second": "d", "correlation": 0.8}],
        )
    )
    both = float(((masks & 3) == 3).mean())
    # Two normal variables above their medians: a quarter and the arcsine of their correlation.
    assert within(both, 0.25 + math.asin(0.8) / (2 * math.pi), len(masks))
    assert within(float(((masks & 5) == 5).mean()), 0.25, len(masks))


def test_correlations_that_contradict_each_other_are_refused() -> None:
    pairs = [("a", "b", 0.9), ("b", "c", 0.9), ("a", "c", -0.9)]
    it = own(correlated=[{"first": a, "second": b, "correlation": r} for a, b, r in pairs])
    with pytest.raises(ExperimentError, match="contradict"):
        offers(it)


def test_shares_of_groups_go_before_those_of_clusters_and_mixes() -> None:
    groups = [{"count": 10_000, "constraint_shares": {"a": 1}}, {"count": 10_000}]
    masks = offers(own(groups, {"constraint_shares": {"a": 0, "b": 0.1}}))
    assert share(masks[:10_000], 0) == 1
    assert share(masks[10_000:], 0) == 0
    assert within(share(masks, 1), 0.1, len(masks))
    assert within(share(masks, 2), 0.5, len(masks))


def test_any_mix_can_be_laid_out_in_blocks() -> None:
    masks = offers(own([{"count": 1000}], layout="blocks"))
    for bit, wanted in enumerate((0.3, 0.8, 0.5)):
        have = masks >> bit & 1
        assert have.sum() == wanted * 1000
        assert np.abs(np.diff(np.append(have, have[0]))).sum() <= 2


@pytest.mark.parametrize(
    ("comparison", "value", "holds"),
    [
        (">=", 2.5, "010"),
        (">", 3.1, "000"),
        ("<", 3, "100"),
        ("<=", 3.1, "110"),
        ("==", 2.2, "100"),
        ("!=", 2.2, "010"),
    ],
)
def test_attributes_decide_comparisons_whatever_the_mix(comparison: str, value: float, holds: str) -> None:
    groups = [{"count": 2, "attributes": {"clock": 2.2}}, {"count": 3, "attributes": {"clock": 3.1}}, {"count": 4}]
    fast = {"name": "fast", "attribute": "clock", "comparison": comparison, "value": value}
    for mix in ("custom", None):
        masks = offers(own(groups, {"constraint_mix": mix}, custom=[*AB, fast]))
        wanted = [int(flag) for flag, group in zip(holds, groups, strict=True) for _ in range(int(group["count"]))]
        assert (masks >> 3 & 1).tolist() == wanted


def test_tasks_ask_with_the_probabilities_given() -> None:
    wanted = {"a": 0.05, "b": 0.4}
    masks = asks(own(asks={"probabilities": wanted}))
    assert within(share(masks, 0), 0.05, len(masks))
    assert within(share(masks, 1), 0.4, len(masks))
    assert share(masks, 2) == 0
    assert within(float(((masks & 3) == 3).mean()), 0.02, len(masks))


@pytest.mark.parametrize("wanted", [0.23, 0.5])
def test_classes_of_tasks_are_scaled_to_the_share_of_constrained_ones(wanted: float) -> None:
    classes = [{"weight": 3}, {"weight": 1, "factor": 4}]
    declared = {"probabilities": {"a": 0.1, "b": 0.05}, "classes": classes, "scale_to_share": True}
    masks = asks(own(task_share=wanted, asks=declared))
    assert within(float((masks != 0).mean()), wanted, len(masks))


def test_tasks_have_as_many_different_constraints_as_asked() -> None:
    masks = asks(own(task_share=0.6, asks={"per_task": [1, 0, 3]}))
    counts = np.bitwise_count(masks.astype(np.uint64))
    for count, wanted in ((0, 0.4), (1, 0.15), (2, 0.0), (3, 0.45)):
        assert within(float((counts == count).mean()), wanted, len(masks)), count


def test_tasks_of_a_job_may_ask_alike() -> None:
    masks = asks(own(asks={"probabilities": {"a": 0.5, "b": 0.5}, "unit": "job"}))
    assert (masks[::2] == masks[1::2]).all()
    assert len(set(masks.tolist())) == 4


def test_rack_rules_are_drawn_and_refused_by_name_where_they_are_not_honored() -> None:
    it = own(soft=[{"name": "b", "slowdown": 1.5}], racks=[{"kind": "spread", "share": 0.05}])
    mask, slowdowns = soft_mask(it.constraints)  # type: ignore[arg-type]
    assert mask == 2
    assert relaxed_factor(slowdowns, 2) == 1.5
    rules = rack_rules(it, build_workload(it, build_cluster(it)).jobs)
    assert set(rules.tolist()) == {0, 2}
    assert within(float((rules == 2).mean()), 0.05, len(rules))
    paths = [problem.path for problem in unsupported(it, scheduler_by_name("megha").honors(it))]
    assert paths == ["constraints.racks"]
    paths = [problem.path for problem in unsupported(it, scheduler_by_name("sparrow").honors(it))]
    assert paths == ["constraints.soft"]


def on_few_machines(scheduler: str = "megha", **more: Any) -> Any:
    """Four tasks of 10 s that ask for a and b, on two machines that offer both and two that offer only b."""
    groups = [{"count": 2, "constraint_shares": {"a": 1, "b": 1}}, {"count": 2, "constraint_shares": {"a": 0, "b": 1}}]
    job = {"arrival_s": 0, "durations_s": [10, 10, 10, 10], "constraints": ["a", "b"]}
    data = own(groups, **more).to_dict() | {"workload": {"kind": "inline", "jobs": [job]}}
    return simulate(Experiment.parse(data | {"scheduler": {"name": scheduler}}))


@pytest.mark.parametrize("scheduler", ["megha", "centralised"])
def test_a_relaxed_constraint_costs_run_time_by_its_slowdown(scheduler: str) -> None:
    hard = on_few_machines(scheduler).tasks
    assert sorted(hard["machine"].tolist()) == [0, 0, 1, 1]
    soft = on_few_machines(scheduler, soft=[{"name": "a", "slowdown": 2.5}])
    took = (soft.tasks["end_ns"] - soft.tasks["last_start_ns"]) / 1e9
    assert dict(zip(soft.tasks["machine"].tolist(), took.tolist(), strict=True)) == {0: 10, 1: 10, 2: 25, 3: 25}
    assert soft.summary["counters"]["relaxed"] == 2


def test_what_only_lacks_soft_constraints_can_run_and_says_so() -> None:
    it = own([{"count": 2, "constraint_shares": {"a": 0, "b": 1}}], soft=[{"name": "a"}]).to_dict()
    job = {"arrival_s": 0, "durations_s": [1], "constraints": ["a", "b"]}
    one = Experiment.parse(it | {"workload": {"kind": "inline", "jobs": [job]}})
    assert simulate(one).tasks["end_ns"][0] > 0
    told = explain(one, 0)["decisions"]
    assert [decision["reason"] for decision in told] == ["matched", "relaxed"]
    assert told[1]["arguments"]["count_x"] == "1"


def test_slowdowns_that_nanoseconds_cannot_count_are_refused() -> None:
    soft = [{"name": name, "slowdown": 1000} for name in "abc"]
    with pytest.raises(ExperimentError) as caught:
        on_few_machines(soft=soft)
    assert [problem.path for problem in caught.value.problems] == ["constraints.soft"]


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"soft": [{"name": "x"}]}, "constraints.soft[0].name"),
        ({"asks": {"probabilities": {"x": 0.5}}}, "constraints.asks.probabilities"),
        ({"asks": {}}, "constraints.asks"),
        ({"correlated": [{"first": "a", "second": "a", "correlation": 0.5}]}, "constraints.correlated[0]"),
        ({"layout": "blocks", "correlation": 0.5}, "constraints"),
        (
            {"custom": [{"name": "f", "attribute": "clock", "comparison": ">", "value": 1}]},
            "constraints.custom[0].attribute",
        ),
        ({"custom": [{"name": "f", "attribute": "clock"}]}, "constraints.custom[0]"),
        ({"custom": [{"name": "f"}]}, "constraints.custom[0]"),
    ],
)
def test_what_names_nothing_is_refused_by_its_path(more: dict[str, Any], path: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        own(**more)
    assert path in {problem.path for problem in caught.value.problems}


def test_bit_vectors_count_the_machines_that_a_plain_loop_finds() -> None:
    it = own([{"count": 777}])
    masks = offers(it)
    wanted = np.arange(8, dtype=np.int64)
    slow = [sum(1 for offer in masks.tolist() if offer & mask == mask) for mask in range(8)]
    assert eligible(packed_bits(masks, 3), wanted, len(masks)).tolist() == slow


def test_a_preview_tells_supply_demand_and_what_nothing_can_hold() -> None:
    it = own([{"count": 500}], {"constraint_shares": {"a": 0}}, asks={"probabilities": {"a": 0.2, "b": 0.4}})
    found = constraint_preview(it)
    a, b, _ = found["constraints"]
    assert (a["supply"], a["crv"]) == (0, None)
    assert b["crv"] == pytest.approx(b["demand"] / b["supply"])
    assert within(found["unholdable_share"], 0.2, found["sampled_tasks"])
    assert [row["constraints"] for row in found["eligible"]] == [0, 1, 2]
    assert sum(row["tasks"] for row in found["eligible"]) == pytest.approx(1)
    assert found["clusters"][0]["supply"] == pytest.approx([row["supply"] for row in found["constraints"]])
    assert set(found["machine"]["offers"]) <= {"a", "b", "c"}


def test_a_preview_tells_soft_constraints_from_what_nothing_can_hold() -> None:
    it = own(
        [{"count": 500}],
        {"constraint_shares": {"a": 0, "c": 0}},
        soft=[{"name": "a"}],
        asks={"probabilities": {"a": 0.3, "c": 0.1}},
    )
    found = constraint_preview(it)
    assert within(found["unholdable_share"], 0.1, found["sampled_tasks"])
    assert within(found["relaxed_share"], 0.3 * 0.9, found["sampled_tasks"])
    assert found["asks_from"] == "drawn"


def test_a_preview_of_a_trace_reads_nothing() -> None:
    data = own().to_dict() | {"workload": {"kind": "trace", "path": "/nowhere/to/be.found"}}
    assert constraint_preview(Experiment.parse(data))["sampled_tasks"] > 0


def test_a_preview_sums_the_six_kinds_of_resources() -> None:
    found = constraint_preview(experiment("phoenix", "phoenix-9"))
    assert [row["axis"] for row in found["axes"]] == ["cpu", "memory", "disk", "os", "clock", "network"]
    assert [row["constraints"] for row in found["axes"]] == [2, 0, 2, 2, 1, 1]


def test_catalogues_say_the_evidence_of_every_number() -> None:
    megha, clusters, phoenix, _ = constraint_catalogues()["catalogues"]
    assert len(megha["constraints"]) == len(clusters["constraints"]) == 21
    assert megha["constraints"][0]["machine_shares"]["google-a"] == {"value": 0.376, "evidence": "measured"}
    assert megha["constraints"][0]["machine_shares"]["google-b"]["evidence"] == "synthetic"
    family = next(one for one in phoenix["constraints"] if one["name"] == "platform_family")
    assert family["machine_shares"]["phoenix"] == {"value": 0.55, "evidence": "synthetic"}
    assert phoenix["constraints"][0]["machine_shares"]["phoenix"]["evidence"] == "authors' code"
