"""Eagle's arrays."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.shared.probing.central import CENTRAL_RULES, CENTRAL_WORKER, Central

# In which order a worker serves its queue: as they come, the shortest remaining job, the latest that may go past the
# others (what the program of Phoenix's authors comes to where it means the shortest), the scarcest constraint.
FIRST, SHORTEST, LATEST, SCARCEST = range(4)

EAGLE_RULES = [
    *CENTRAL_RULES,
    ("rounds", "i8"),
    ("sticks", "i8"),  # 1 with sticky batch probing
    ("cap", "i8"),  # thousandths of its own estimate for which others may keep a probe waiting
    ("unconstrained", "i8"),  # the ratio of what asks for nothing
    ("entries", "i8"),  # number of rows of `entry` that belong to runs, or did
    ("longest", "i8"),  # entries that the longest run has room for
    ("flips", "i8"),  # number of changes of the bitmap: its version
    ("placed", "i8"),
    ("refused", "i8"),
    ("fallbacks", "i8"),
    ("sticky", "i8"),
    ("overtaking", "i8"),
    ("reorders", "i8"),  # of them in the order of the scarcest constraint
    ("dropped", "i8"),
    ("behind_long", "i8"),
    ("lacking", "i8"),  # tasks that started on a worker that lacks something they ask for
]
RULES = np.dtype(EAGLE_RULES)
WORKER = np.dtype(
    [
        *CENTRAL_WORKER,
        ("seen", "i4"),  # version of the bitmap that the worker has a copy of
        ("power", "i4"),  # its run of entries has room for 2 to the power of this
    ]
)
PROBE = np.dtype(
    [
        ("group", "i4"),
        ("next", "i4"),
        ("task", "i4"),
        ("ahead", "i4"),
        ("since_ns", "i8"),
        ("turn", "i4"),  # number of its refusals; of a long task, the version that came with it
        ("sticky", "i4"),  # 1 when it has fetched a task before
    ]
)
ENTRY = np.dtype(
    [
        ("probe", "i4"),
        ("group", "i4"),  # the probe's; ~group from when it asks until the task that it has fetched has ended
        ("patience_ns", "i8"),  # how long others may still keep it waiting by going past it
    ]
)
"""What a worker's queue is made of: a run of entries in the order of coming, so that looking at all is quick."""


class Sticky(Central, Protocol):
    """The arrays that Eagle's functions need in addition to those of the central scheduler."""

    @property
    def first_group(self) -> npt.NDArray[np.int32]:
        """(J + 1,) the first group of each job."""

    @property
    def entry(self) -> Records:
        """(capacity,) ENTRY: for each worker the run from its `first` to before its `last`."""

    @property
    def bit(self) -> npt.NDArray[np.int32]:
        """(M,) whether the central scheduler counts the worker among those with long tasks.

        Twice the number of the latest change, plus 1 if it does; NOBODY before any change.
        """

    @property
    def flip(self) -> npt.NDArray[np.int32]:
        """(2 x long tasks and more,) all changes: what was in `bit` before each. Copies of it are prefixes."""

    @property
    def ratio(self) -> Ints:
        """(constraints,) how scarce each is: demand over supply, in millionths; (1,) where nobody compares them."""


class EagleState(NamedTuple):
    """See scheduler_core.schedulers.shared.probing.state.Probing and probing.central.Central."""

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER
    probe: Records  # (capacity,) PROBE: probes and long tasks
    entry: Records  # (capacity,) ENTRY
    link: Records
    group: Records
    first_group: npt.NDArray[np.int32]
    order: npt.NDArray[np.int32]
    eligible: Records
    listed: npt.NDArray[np.int32]
    sampled_for: npt.NDArray[np.int32]
    wait_ns: Ints
    who: npt.NDArray[np.int32]
    chosen: npt.NDArray[np.int32]
    bit: npt.NDArray[np.int32]  # (M,)
    flip: npt.NDArray[np.int32]  # (2 x long tasks + 1 and more,)
    ratio: Ints  # (1,)
