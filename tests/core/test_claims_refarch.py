"""Claims of the paper about the reference architecture, as docs/development/agreement.md tells them: those met and
those missed.
"""

from __future__ import annotations

import pytest

from scheduler_core.refarch import TABLE_III, TABLE_VIII, differences, group_table
from scheduler_core.refarch.tables import ACADEMIA, BEFORE, INDUSTRY, SINCE
from tests.core.claims_refarch import FITS, mean, measured, stage_s
from tests.tiers import wide

pytestmark = wide

JMS, JWT, TRT, NJSL = "job_makespan_s", "job_waiting_s", "task_response_s", "schedule_length"
FIFO = "fifo"
"""The order of submission, in every claim: the paper has one FIFO."""


def ratio(work: str, figure: str, one: str, other: str) -> float:
    return mean(work, figure, one) / mean(work, figure, other)


def test_askalon_the_sort_policy_dominates() -> None:
    assert 2.0 <= ratio("askalon", JMS, FIFO, "srtf") <= 3.0
    assert mean("askalon", JMS, "srtf") < mean("askalon", JMS, FIFO) < mean("askalon", JMS, "random")


@pytest.mark.xfail(strict=True, reason="missed: FIFO's makespan is shorter here")
def test_askalon_random_is_little_worse_than_fifo() -> None:
    assert 1.05 <= ratio("askalon", JMS, "random", FIFO) <= 1.35


@pytest.mark.xfail(strict=True, reason="missed: all tasks of a job come at once here, and keep its place in the line")
def test_askalon_fifo_waits_less_than_srtf() -> None:
    assert 0.6 <= ratio("askalon", JWT, FIFO, "srtf") <= 0.95


def test_the_order_of_becoming_eligible_meets_one_table_and_misses_the_other() -> None:
    """`ready` as FIFO: what it has right of Askalon it has wrong of Chronos."""
    assert 2.0 <= ratio("askalon", JMS, "ready", "srtf") <= 3.0
    assert 1.05 <= ratio("askalon", JMS, "random", "ready") <= 1.35
    assert 0.6 <= ratio("askalon", JWT, "ready", "srtf") <= 0.95
    assert ratio("chronos", JMS, "srtf", "ready") < 0.65
    assert mean("chronos", JMS, "ready") - mean("chronos", JWT, "ready") > 16


@pytest.mark.parametrize(
    ("work", "sorts", "most"),
    [("askalon", ("srtf", "fifo", "ready", "random"), 0.02), ("chronos", ("srtf", "fifo", "ready"), 0.01)],
)
def test_the_fit_policy_hardly_matters(work: str, sorts: tuple[str, ...], most: float) -> None:
    for t2 in sorts:  # one seed is enough: the three differ by as little
        found = [measured(work, 1, t2, r5)[JMS]["mean"] for r5 in FITS]
        assert max(found) / min(found) < 1 + most


@pytest.mark.xfail(strict=True, reason="missed: with RANDOM the first of a job's tasks comes early here")
def test_askalon_random_waits_longest_and_is_three_times_as_long_for_its_path() -> None:
    assert mean("askalon", JWT, "random") > mean("askalon", JWT, "srtf")
    assert ratio("askalon", NJSL, "random", FIFO) > 3


def test_chronos_srtf_is_best_and_jobs_run_their_eight_seconds_at_a_stretch() -> None:
    assert 0.65 <= ratio("chronos", JMS, "srtf", FIFO) <= 0.85
    for t2 in ("srtf", FIFO):
        assert mean("chronos", JMS, t2) - mean("chronos", JWT, t2) == pytest.approx(8, abs=0.8)


@pytest.mark.xfail(strict=True, reason="missed: RANDOM parts the tasks of a chain here")
def test_chronos_random_is_like_fifo() -> None:
    assert 0.97 <= ratio("chronos", JMS, FIFO, "random") <= 1.02


def test_response_of_tasks_orders_otherwise_than_makespan_of_jobs() -> None:
    for work in ("askalon", "chronos"):
        assert all(mean(work, TRT, "srtf") < mean(work, TRT, other) for other in ("fifo", "ready", "random"))
    assert mean("askalon", TRT, "random") < mean("askalon", TRT, FIFO)
    assert mean("askalon", JMS, FIFO) < mean("askalon", JMS, "random")


def test_srtf_has_the_dearest_sort_and_the_lowest_total() -> None:
    def total(t2: str) -> float:
        return sum(stage_s("askalon", stage, t2) for stage in ("T1", "T2", "R4", "R5"))

    assert all(stage_s("askalon", "T2", "srtf") > stage_s("askalon", "T2", other) for other in (FIFO, "random"))
    assert all(total("srtf") < total(other) for other in (FIFO, "random"))


def test_tables_ii_iii_and_viii() -> None:
    """Table II is checked; the columns were solved from Tables III and VIII, which are only consistent with them."""
    assert all(figure.agrees for figure in group_table())
    assert all(row.agrees for row in differences(TABLE_III, ACADEMIA, INDUSTRY))
    assert all(row.agrees for row in differences(TABLE_VIII, BEFORE, SINCE))
