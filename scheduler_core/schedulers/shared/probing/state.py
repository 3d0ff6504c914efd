"""The arrays of schedulers with probes: worker queues, waiting probes, and tasks that share probes."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, Records

# Kinds of events. MORE goes before all others of its instant: what a worker was doing, it goes on with.
MORE, TASK_END, ANSWER, ASK, LENGTH, TO_WORKER, PUBLIC, FREED, CONTACT, STOLEN, REFUSED, CALL = range(1, 13)
# Consequences of machines out of service: a probe comes back, a task loses its machine, an unplaced one tries again.
BACK, LOST_TASK, RETRY = range(13, 16)
# What a scheduler tells a worker: one kind of event, so that messages of one instant arrive in the order of sending.
PROBE, CANCEL, TASK = range(3)
LANE_TO_WORKER, LANE_TO_SCHEDULER, LANE_ANSWER, LANE_FAR = range(4)

# What stands in a probe's `task` while it carries none.
WAITING, ASKED, CANCELLED, UNUSED, FLYING = NOBODY, -2, -3, -4, -5
"""FLYING: on its way to another worker; only where it may be called back meanwhile."""

AT_ONCE = 8
"""Most probes that one event serves; what is left is served by events of the same instant, so no buffer overflows."""

COMMON_RULES = [
    ("delay_ns", "i8"),
    ("probes_per_1000_tasks", "i8"),
    ("least_probes", "i8"),  # least number of probes, even for one task
    ("repeats", "i8"),  # 1 where one job may draw a worker several times
    ("probe_kind", "i8"),  # the event that a probe's arrival is
    ("public", "i8"),  # 1 under the rules of the public simulator
    ("cancels", "i8"),  # 1 when a job cancels probes that it does not need any more
    ("free_probe", "i8"),  # first of the list of unused probes
    ("unused_probes", "i8"),
    ("room", "i8"),  # events and probes that one arrival may need
    ("probes", "i8"),
    ("noops", "i8"),
    ("waiting", "i8"),  # entries in the queues of all workers
    ("again", "i8"),  # random numbers for what came back
    ("parked", "i8"),  # the first and the last of the probes for which no machine is in service, plus one
    ("last_parked", "i8"),
    ("parks", "i8"),  # how many there are
    ("retries", "i8"),  # number of them that try again now
]
"""Columns that the rules of every scheduler of the family begin with."""

PROBE_RECORD = np.dtype([("group", "i4"), ("next", "i4"), ("task", "i4"), ("ahead", "i4"), ("since_ns", "i8")])
GROUP = np.dtype(
    [
        ("next", "i4"),  # the next task to hand out, a place in `order`
        ("end", "i4"),
        ("demand", "i4"),
        ("able", "i4"),  # the row of `eligible` for draws of its workers
        ("first_probe", "i4"),  # linked: probes that have not asked yet; without late binding those that have answered
        ("last_probe", "i4"),
        ("unanswered", "i4"),
        ("long", "i4"),  # 1 for jobs that the central scheduler places, where a scheduler tells long from short
        ("estimate_ns", "i8"),  # estimated duration of one task
        ("remaining", "i4"),  # tasks that the scheduler does not know to have a machine
        ("seen", "i4"),  # how much of the flips of the bitmap its scheduler has heard of
    ]
)
"""Tasks that are alike and share their probes: those of a job, or one alone where each task is sampled for itself."""
LINK = np.dtype([("next", "i4"), ("previous", "i4"), ("worker", "i4")])
ELIGIBLE = np.dtype(
    [("machines", "i4"), ("first", "i4"), ("positions", "i4"), ("listed", "i4"), ("asks", "i8"), ("demand", "i8")]
)
"""How many machines in service could hold a demand and offer what it `asks` for; they are drawn from a list, or from a
range until one is met: all, a rack."""


class Probing(Protocol):
    """The arrays that the shared functions need: M workers, D demand classes, J jobs, G groups, T tasks."""

    @property
    def rules(self) -> Records:
        """(1,) COMMON_RULES and more."""

    @property
    def worker(self) -> Records:
        """(M,) a queue: first, last, length, and more."""

    @property
    def probe(self) -> Records:
        """(capacity,) PROBE_RECORD or more, free ones linked."""

    @property
    def link(self) -> Records:
        """(capacity,) LINK: probes of one group; (1,) where nobody needs to find them."""

    @property
    def group(self) -> Records:
        """(G,) GROUP."""

    @property
    def order(self) -> npt.NDArray[np.int32]:
        """(T,) tasks, group after group."""

    @property
    def eligible(self) -> Records:
        """(D and more,) ELIGIBLE of each demand; more rows: demands within one rack, or without constraints."""

    @property
    def listed(self) -> npt.NDArray[np.int32]:
        """Machines of the classes that have a list."""

    @property
    def sampled_for(self) -> npt.NDArray[np.int32]:
        """(M,) the last group that sampled the worker, plus one."""
