"""Signatures of schedulers: each is complete, names what exists, and reaches enough to be worth showing.

The runs are claims (`signature-NAME`), which test_statements runs with all others.
"""

from __future__ import annotations

import pytest

from scheduler_core import Experiment, signature_cards, signature_experiment, signature_experiments
from scheduler_core.claims import known_claims
from scheduler_core.claims.over_seeds import ENOUGH, seeds_inside
from scheduler_core.claims.running import check_together
from scheduler_core.experiment import unsupported
from scheduler_core.schedulers import SCHEDULERS, scheduler_by_name
from scheduler_core.world.signature import Figure
from scheduler_core.world.spec import SchedulerSpec

SIGNED = list(SCHEDULERS)
OTHER_SEEDS = tuple(range(401, 411))
"""Seeds that no example run was made with.

The claims' own are 1 to 5; 101 to 110, 201 to 210 and 301 to 320 were used to choose sizes.
"""


@pytest.mark.parametrize("spec", SIGNED, ids=lambda spec: spec.name)
def test_its_experiments_can_be_run(spec: SchedulerSpec) -> None:
    for key, data in signature_experiments(spec.name).items():
        experiment = Experiment.parse(data)
        honored = scheduler_by_name(experiment.scheduler.name).honors(experiment)
        assert not unsupported(experiment, honored), key
        machines = sum(group.count for cluster in experiment.topology.clusters for group in cluster.machines)
        assert machines <= 400, key
    begun = signature_experiments(spec.name)
    assert Experiment.parse(begun["own"]).to_dict() == Experiment.parse(begun["frm"]).to_dict(), "begins elsewhere"


@pytest.mark.parametrize("spec", SIGNED, ids=lambda spec: spec.name)
def test_it_names_what_the_scheduler_has(spec: SchedulerSpec) -> None:
    signature = spec.signature
    assert signature is not None
    counted = {f"counters.{counter.name}" for counter in spec.counters}
    for figure in filter(None, (signature.number, signature.touched)):
        for path in (*figure.of, *figure.per):
            assert not path.startswith("counters.") or path in counted, path
    resources = {"of_cpus", "of_memory_gb", "of_gpus"} if spec.by_resource else set()
    assert signature.opens.layer in {layer.name for layer in spec.layers} | resources
    assert scheduler_by_name(signature.against.name).name != spec.name or signature.against.label


@pytest.mark.parametrize("spec", SIGNED, ids=lambda spec: spec.name)
def test_its_idea_reaches_enough_or_says_that_it_does_not(spec: SchedulerSpec) -> None:
    signature = spec.signature
    assert signature is not None
    moved = signature.against.moved
    far = (moved.least is not None and moved.least >= 1.2) or (moved.most is not None and moved.most <= 1 / 1.2)
    touches = signature.touched is not None and signature.least_touched >= 0.05
    assert touches or far or signature.misses


@pytest.mark.parametrize("spec", SIGNED, ids=lambda spec: spec.name)
def test_a_reason_why_the_idea_is_not_seen_has_a_condition(spec: SchedulerSpec) -> None:
    signature = spec.signature
    assert signature is not None
    assert not signature.unseen or signature.touched or signature.shown or signature.needs


def test_cards_and_claims_are_made_of_signatures() -> None:
    cards = signature_cards()
    assert [card["name"] for card in cards] == [spec.name for spec in SIGNED]
    assert {f"signature-{card['name']}" for card in cards} == {
        claim for claim, one in known_claims().items() if one.source == "signatures"
    }
    assert Experiment.parse(signature_experiment("hawk")).scheduler.name == "hawk"


def test_a_figure_is_a_quotient_of_sums() -> None:
    summary = {"a": {"b": 3, "c": 1}, "d": 8, "none": None}
    assert Figure("x", ("a.b", "a.c"), ("d",)).value(summary) == 0.5
    assert Figure("x", ("d",)).value(summary) == 8
    assert Figure("x", ("none",)).value(summary) is None
    assert Figure("x", ("d",), ("a.missing",)).value(summary) is None


@pytest.mark.wide
@pytest.mark.parametrize("spec", SIGNED, ids=lambda spec: spec.name)
def test_its_sentences_hold_under_nine_of_ten_other_seeds(spec: SchedulerSpec) -> None:
    """Each seed alone, not the median: a reader runs one seed. `make test` holds the figures that are shown."""
    claim = known_claims()[f"signature-{spec.name}"]
    (found,) = check_together([claim], seeds=OTHER_SEEDS)
    inside = seeds_inside(claim, found)
    assert sum(inside.values()) >= ENOUGH * len(OTHER_SEEDS), {
        seed: {name: values[at] for name, values in found.figures.items()}
        for at, (seed, held) in enumerate(inside.items())
        if not held
    }
