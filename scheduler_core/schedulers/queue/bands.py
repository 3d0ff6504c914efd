"""Pack jobs whose tasks are decided together (gangs and rack rules) as records of the queue family."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.records import NOBODY, Records, World, records
from scheduler_core.schedulers.queue.state import BAND
from scheduler_core.schedulers.shared.bound import Bound, Numbers


def bands_of(world: World, bound: Bound, job_of_group: Numbers, group: Records) -> Records:
    """Return BAND records (B,), at least one; write the groups' bands. `job_of_group` is -1 without a band."""
    jobs, first, count = np.unique(job_of_group[job_of_group >= 0], return_index=True, return_counts=True)
    band = records(max(len(jobs), 1), BAND)
    group["band"] = NOBODY
    if len(jobs):
        before = int((job_of_group < 0).sum())  # groups are in order of their job, those without a band first
        band["job"], band["first_group"], band["groups"] = jobs, before + first, count
        band["gang"], band["rule"] = bound.gang[jobs], bound.rule[jobs]
        group["band"][before : before + int(count.sum())] = np.repeat(np.arange(len(jobs)), count)
    return band
