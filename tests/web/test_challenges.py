"""The challenges that come along: their parts fit, and their reference entries beat their baselines."""

from __future__ import annotations

import pytest

from playground.arena.challenges import checked_spec
from playground.arena.declared import Spec, shipped
from playground.arena.measured import check_expression
from playground.arena.parts import with_part
from playground.arena.ranking import Outcome, Row, ranked
from scheduler_core import Experiment
from scheduler_core.claims.expressions import Expression
from scheduler_core.studies.running import run_to_end, under_seed
from tests.tiers import wide


def outcome(spec: Spec, part: dict[str, object]) -> Outcome:
    """Run an entry under seeds of this test's own."""
    base = Experiment.parse(spec.experiment).to_dict()
    experiment = Experiment.parse(with_part(spec, base, part))
    figures, unfinished = {}, 0
    for number in range(spec.seeds):
        run = run_to_end(under_seed(experiment, 2**62 + 7919 * number))
        figures[number] = {name: Expression.parse(text).value({"run": run}) for name, text in spec.figures().items()}
        unfinished += run.summary["tasks"]["completed"] < run.summary["tasks"]["total"]
    return Outcome(spec.seeds, figures, unfinished)


@pytest.mark.parametrize("name", ["tame-the-tail", "old-news", "share-nicely", "full-house"])
def test_a_shipped_challenge_fits_together(name: str) -> None:
    spec = shipped()[name]
    assert checked_spec(spec.model_dump(mode="json")) == spec
    assert spec.reference is not None


@wide
@pytest.mark.parametrize("name", ["tame-the-tail", "old-news", "share-nicely", "full-house"])
def test_the_reference_beats_the_baseline_within_the_limits(name: str) -> None:
    spec = shipped()[name]
    reference = spec.reference
    assert reference is not None
    rows: list[Row] = ranked(
        spec,
        {0: outcome(spec, {}), 1: outcome(spec, {"scheduler": reference.scheduler, "values": reference.values})},
        baseline=0,
    )
    assert [(row.key, row.place, row.out) for row in rows] == [(1, 1, ""), (0, 2, "")], [
        (row.estimate, [(held.limit.says, held.value) for held in row.limits]) for row in rows
    ]


@pytest.mark.parametrize("number", ["1e309", "1e16", "-1e309", "9" * 30])
def test_an_objective_holds_no_number_beyond_a_double(number: str) -> None:
    with pytest.raises(ValueError, match="number above 1e\\+15"):
        check_expression(f"run.makespan_s * {number}")
    assert check_expression("run.makespan_s * 1e15")
