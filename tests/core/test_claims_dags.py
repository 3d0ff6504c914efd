"""The claims of Carbyne's paper on a smaller scale, as docs/development/agreement.md tells them of the whole one.

A hundred jobs at once on forty machines, one seed. What is missed there is a strict expected failure here.
"""

from __future__ import annotations

import functools

import pytest

from scheduler_core.metrics.dags import improvement
from tests.core.claims_dags import OFFLINE, PACKING, TETRIS, Measured, leftover
from tests.tiers import wide

pytestmark = wide


@functools.cache
def offline() -> Measured:
    return Measured(OFFLINE | {"jobs": 100}, seeds=(11,), machines=40)


def test_drf_is_more_even_than_carbyne_and_carbyne_than_sjf() -> None:
    """carbyne-f1-4-fair, with Tetris as packing alone."""
    names: tuple[tuple[str, dict[str, float]], ...] = (("drf", {}), ("carbyne", {}), ("tetris", PACKING), ("sjf", {}))
    drf, carbyne, packing, sjf = (offline().median("jain", name, **params) for name, params in names)
    assert drf > carbyne > sjf
    assert drf > packing


@pytest.mark.xfail(strict=True, reason="Tetris' term for short jobs makes it nearly shortest job first")
def test_tetris_ends_jobs_later_than_carbyne() -> None:
    """carbyne-f4-jct."""
    sjf, carbyne, tetris = (
        offline().median("jct", name, **params) for name, params in (("sjf", {}), ("carbyne", {}), ("tetris", TETRIS))
    )
    assert sjf <= carbyne < tetris


def test_packing_alone_ends_jobs_later_than_carbyne() -> None:
    """carbyne-f4-jct, with Tetris as packing alone."""
    assert offline().ratio("jct", "tetris", "carbyne", PACKING) > 1.1


@pytest.mark.xfail(strict=True, reason="most jobs are held by their share and not by their critical path")
def test_drf_takes_far_longer_than_carbyne_in_the_mean() -> None:
    """carbyne-f4-jct: DRF takes 1.3 times as long or more."""
    assert offline().ratio("jct", "drf", "carbyne") >= 1.3


def test_more_altruism_gains_more_and_none_is_drf() -> None:
    """carbyne-f11-altruism and carbyne-f7-jobs."""
    none, half, whole = (offline().factor("drf", after_params={"altruism": part}) for part in (0.0, 0.5, 1.0))
    assert none["mean"] == 1.0
    assert 1.1 <= half["mean"] <= 1.4
    assert 1.3 <= whole["mean"] <= 1.8
    assert whole["slowed"] <= 0.25
    assert whole["below_0.8"] <= 0.08


def test_half_of_the_decisions_leave_much_of_the_shares() -> None:
    """carbyne-leftover, on the whole scale: on the smaller one jobs have too few machines to leave much, 12 %."""
    assert Measured(OFFLINE, seeds=(11,)).of_summary(leftover, "carbyne") >= 0.15


@pytest.mark.xfail(strict=True, reason="what jobs leave is decided by sizes that are drawn independently of the graphs")
def test_barriers_go_with_what_jobs_leave() -> None:
    """carbyne-corr."""
    found = offline().runs("carbyne")[0].summary["graphs"]["leftover_correlation"]
    assert min(found[name] for name in ("barriers", "critical_path", "stages", "paths")) > 0.4


@pytest.mark.parametrize("error", [-0.5, 0.5])
@pytest.mark.parametrize("what", ["duration_error", "demand_error"])
def test_wrong_estimates_cost_no_more_than_altruism_gains(what: str, error: float) -> None:
    """carbyne-f10-error; no machine is over-committed (the run's own arrays), and all tasks end."""
    wrong = Measured(OFFLINE | {"jobs": 100, "estimates": {what: error}}, seeds=(11,), machines=40)
    assert wrong.factor("drf")["mean"] >= 0.95
    for run in wrong.runs("carbyne"):
        assert run.summary["tasks"]["completed"] == run.summary["tasks"]["total"]
        assert max(run.summary["utilisation"].values()) <= 1.0


def test_plans_of_dagps_are_no_worse_for_half_of_the_jobs() -> None:
    """carbyne-f12-dagps."""
    (tetris,), (dagps,) = offline().runs("carbyne"), offline().runs("carbyne", packer="dagps")
    assert improvement(tetris.jobs, dagps.jobs)["p50"] >= 1.0
