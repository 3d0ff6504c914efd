"""Claims of Phoenix' paper (claims_phoenix.py) on the Yahoo-like work, one seed; docs/development/agreement.md has
all of them.

`python -m tests.core.claims_phoenix` measures every trace over three seeds. A claim that is missed is a strict expected
failure with its figure; settings stay as they are.
"""

from __future__ import annotations

import pytest

from tests.core.claims_phoenix import Ran, run, short_response
from tests.tiers import wide

pytestmark = wide

YH, SEED = "yh", 1


def ran(scheduler: str, constrained: bool = True) -> Ran:
    return run(scheduler, YH, SEED, constrained)


@pytest.mark.xfail(strict=True, reason="1.00; medians of three seeds 0.98, 0.98, 0.91 on three traces")
def test_p99_of_short_jobs_is_lower_than_under_eagle_c() -> None:
    """phoenix-abs-p99-eagle: 1.3 to 2.5 times."""
    assert 1.3 <= short_response(ran("eagle-c"), 99) / short_response(ran("phoenix"), 99) <= 2.5


def test_short_jobs_take_less_than_under_hawk_c() -> None:
    """phoenix-abs-hawk, the ordering."""
    for q in (90, 99):
        assert short_response(ran("phoenix"), q) < short_response(ran("hawk-c"), q)


def test_constraints_cost_waits_and_hawk_c_more_than_eagle_c() -> None:
    """phoenix-f2-queue, the ordering; Yacc-D's place in it is the next test."""
    free, eagle, hawk = (one.wait_s[one.short].mean() for one in (ran("eagle-c", False), ran("eagle-c"), ran("hawk-c")))
    assert free < eagle < hawk


@pytest.mark.xfail(strict=True, reason="21 times with this seed; the median of three seeds is 5.3 times, 413 s")
def test_constraints_cost_yacc_d_as_much_as_eagle_c() -> None:
    """phoenix-f2-queue: 1.5 to 3.5 times the wait without constraints, which is Eagle-C's here."""
    free, yacc = (one.wait_s[one.short].mean() for one in (ran("eagle-c", False), ran("yacc-d")))
    assert 1.5 <= yacc / free <= 3.5


def test_long_jobs_are_not_harmed() -> None:
    """phoenix-fair-long."""
    phoenix, eagle = ran("phoenix"), ran("eagle-c")
    assert 0.9 <= phoenix.response_s[~phoenix.short].mean() / eagle.response_s[~eagle.short].mean() <= 1.1


def test_the_drawn_work_has_the_shares() -> None:
    """phoenix-share: half to 60 % constrained, nine in ten short."""
    one = ran("eagle-c")
    assert 0.5 <= (one.asks != 0).mean() <= 0.6
    assert 0.88 <= one.short.mean() <= 0.92
