"""The claims of Sirius' figures 7 to 11 and of Quincy on data (claims_flow.py), as docs/development/agreement.md
tells them.

Medians of five seeds. A claim that is missed is a strict expected failure with its figure; settings stay as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scheduler_core import Experiment
from tests.core.claims_flow import (
    ALSCHED,
    AT_ONCE,
    LOADS,
    images,
    latency,
    median,
    of_summary,
    presets,
    reading,
    runs,
    snp,
    three_sets,
)
from tests.tiers import wide

pytestmark = wide

PRESETS = Path(__file__).resolve().parents[2] / "fixtures" / "presets"

SNP, RESPONSE = of_summary("running", "snp"), of_summary("running", "response_s", "mean")
DELAY, JAIN = of_summary("allocation_delay_s", "mean"), of_summary("fairness", "jain_mean")
OVER_CORE = of_summary("running", "read_gb", "remote")
ALSCHEDS: tuple[tuple[str, dict[str, Any]], ...] = (("sirius-placement", ALSCHED), ("swarm", {}))


@pytest.mark.parametrize("load", LOADS)
def test_tasks_beside_their_data_are_about_twice_as_near_to_their_ideal_as_by_chance(load: str) -> None:
    """sirius-f7-snp; Sirius' fair shares over Quincy's costs are within 10 % of these alone."""
    sirius, fair, firmament, chance = (
        median(runs(snp, scheduler, load=load), SNP)
        for scheduler in ("quincy", "sirius-fairness", "firmament", "random-queue")
    )
    assert 1.5 <= sirius / chance <= 2.5
    assert 1.5 <= fair / chance <= 2.5
    assert abs(sirius - firmament) <= 0.1 * firmament
    assert abs(fair - firmament) <= 0.1 * firmament


@pytest.mark.parametrize(("scheduler", "params"), ALSCHEDS)
def test_ten_tasks_on_ten_gpus_take_half_as_long_as_by_chance(scheduler: str, params: dict[str, Any]) -> None:
    """sirius-f8-gpu, T = 10."""
    chance = median(runs(images, "random-queue", tasks=10), RESPONSE)
    assert 1.6 <= chance / median(runs(images, scheduler, tasks=10, **params), RESPONSE) <= 2.4


def test_twenty_tasks_take_less_under_sirius_than_under_swarm_as_ten_of_them_wait_for_a_gpu() -> None:
    """sirius-f8-gpu, T = 20: ten take 10 s, ten wait for 10 s; Swarm runs ten without a GPU, for 30 s."""
    sirius, swarm = (median(runs(images, name, tasks=20, **params), RESPONSE) for name, params in ALSCHEDS)
    assert sirius == pytest.approx(15, rel=0.01)
    assert swarm == pytest.approx(20, rel=0.01)


def test_twenty_tasks_take_as_long_under_any_scheduler_where_none_waits() -> None:
    """The rule of before 0.2.0, with which this claim was missed."""
    assert median(runs(images, "sirius-placement", tasks=20, **AT_ONCE), RESPONSE) == pytest.approx(20, rel=0.01)


def test_where_half_have_no_use_of_a_gpu_the_flow_keeps_them_off() -> None:
    """sirius-f8-gpu, T = 20, our reading: the queue gives GPUs away to who comes first."""
    sirius, swarm = (median(runs(images, name, tasks=20, plain=True, **params), RESPONSE) for name, params in ALSCHEDS)
    assert sirius == pytest.approx(10, rel=0.01)
    assert swarm > 1.2 * sirius


def test_decisions_of_the_flow_are_there_before_those_of_the_queue() -> None:
    """sirius-f9-delay: a round decides on all tasks at once, the queue on one after another.

    No task waits for a GPU here: the delay of decisions is told, not what it is worth to wait for.
    """
    for tasks in (10, 320):
        sirius = median(runs(images, "sirius-placement", tasks=tasks, **AT_ONCE), DELAY)
        assert sirius < median(runs(images, "swarm", tasks=tasks), DELAY)


def test_priority_makes_queries_four_times_as_fast_under_sirius_and_kubernetes() -> None:
    """sirius-f10-11-prio."""
    equal, first = (
        [median(runs(three_sets, name, first=some), latency(0)) for name in ("sirius-priority", "kubernetes")]
        for some in (False, True)
    )
    assert 3.5 <= equal[0] / first[0] <= 7
    assert abs(equal[0] / equal[1] - 1) <= 0.15
    assert abs(first[0] / first[1] - 1) <= 0.15
    assert first[0] <= 1


@pytest.mark.xfail(strict=True, reason="4.1 s; how long the others' tasks take is ours")
def test_queries_wait_for_five_seconds_without_priority() -> None:
    """sirius-f10-11-prio."""
    assert median(runs(three_sets, "sirius-priority", first=False), latency(0)) >= 5


@pytest.mark.parametrize(("queue", "weights"), [
    ("random-queue", {}),
    ("kubernetes", {"least_allocated": 0.0, "balanced": 0.0, "spread": 0.0, "affinity": 0.0}),
])  # fmt: skip
def test_a_flow_reads_less_over_the_core_than_queues_and_ends_sooner(queue: str, weights: dict[str, Any]) -> None:
    """quincy-data; the second is a queue that looks at data alone."""
    flow, other = runs(reading, "quincy"), runs(reading, queue, **weights)
    assert median(flow, OVER_CORE) < median(other, OVER_CORE) / 3.9
    assert median(flow, RESPONSE) < median(other, RESPONSE)


@pytest.mark.xfail(strict=True, reason="0.91 under both: with room for all, queues get what they ask for")
def test_a_flow_is_fairer_than_a_queue() -> None:
    """quincy-data, by Jain's index over the queues."""
    assert median(runs(reading, "quincy"), JAIN) > 1.01 * median(runs(reading, "random-queue"), JAIN)


@pytest.mark.parametrize("preset", presets())
def test_presets_are_the_settings_of_the_claims(preset: str) -> None:
    ours = Experiment.from_file(PRESETS / f"{preset}.json")
    assert ours.digest() == presets()[preset].digest()
    assert ours.question.endswith("?")
    assert "synthetic" in ours.name.lower()
