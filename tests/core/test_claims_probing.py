"""Claims about schedulers that probe or keep queues at workers (claims_probing.py), as docs/development/agreement.md
tells them.

Medians of three seeds. A claim that is missed is a strict expected failure with its figure.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.claims_probing import SEEDS, on_servers, on_stages, on_trace, times
from tests.tiers import wide

pytestmark = wide


@pytest.mark.parametrize("q", [50, 90])
def test_hawk_beats_sparrow_on_both_classes(q: int) -> None:
    hawk, sparrow = on_trace("hawk", "google"), on_trace("sparrow", "google")
    assert 1 - 1 / times(hawk, sparrow, f"short p{q}") >= 0.5
    assert 1 - 1 / times(hawk, sparrow, f"long p{q}") > 0


def test_eagle_beats_hawk_and_no_probe_stands_behind_a_long_task() -> None:
    eagle, hawk = on_trace("eagle", "google"), on_trace("hawk", "google")
    assert {row["behind_long"] for row in eagle} == {0}
    assert times(eagle, hawk, "short p50") > 1
    assert times(eagle, hawk, "short p90") > 1


@pytest.mark.xfail(reason="1.8 times as fast at p50, 1.6 at p90; the claim is 3 to 10", strict=True)
@pytest.mark.parametrize("q", [50, 90])
def test_eagle_is_two_to_twelve_times_as_fast_for_short_jobs(q: int) -> None:
    assert 2 <= times(on_trace("eagle", "google"), on_trace("hawk", "google"), f"short p{q}") <= 12


@pytest.mark.parametrize("other", ["sparrow", "sparrow, no late binding", "yarn"])
def test_bounded_and_reordered_queues_win(other: str) -> None:
    assert times(on_servers("yacc-d"), on_servers(other), "all p50") > 1.3


def test_sparrow_is_near_one_who_knows_everything_and_jobs_wait_for_one_another_under_both() -> None:
    """The median job: within a fifth of the omniscient, which takes more than five times as long as the job alone."""
    rows = [(on_stages(seed), on_stages(seed, omniscient=True)) for seed in SEEDS]
    assert 1 < np.median([sparrow["all p50"] / ideal["all p50"] for sparrow, ideal in rows]) <= 1.2
    assert min(ideal["all p50"] / ideal["ideal p50"] for _, ideal in rows) > 4
