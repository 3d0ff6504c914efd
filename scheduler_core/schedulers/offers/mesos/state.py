"""Mesos' arrays: outstanding offers, the frameworks' waiting tasks, and the tree of shares."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records

# Kinds of events. A round of allocation sees everything else of its instant.
TASK_END, OFFERED, DECIDED, REPLY, FILTER_OVER = range(1, 6)
ALLOCATE = 65

IDLE, LAUNCHING = range(2)

SETTING = np.dtype([("interval_ns", "i8"), ("refuse_ns", "i8"), ("decision_ns", "i8"), ("tree", "i8")])
"""What events may set."""
RULES = np.dtype(
    [
        *SETTING.descr,
        ("delay_ns", "i8"),
        ("room", "i8"),  # events that one step may schedule
        ("phase", "i8"),
        ("who", "i8"),  # the framework whose answer takes effect now
        ("left", "i8"),  # machines of it that are still to come
        ("batch", "i8"),  # machines in the answer
        ("used", "i8"),  # tasks that it has started so far
        ("pending", "i8"),  # 1 while a round of allocation is to come
        ("latest_ns", "i8"),  # when the last one was
        ("quiet", "i8"),  # answers since the last start, release or new request
        ("offered", "i8"),  # machines under offer
        ("rounds", "i8"),
        ("offers", "i8"),
        ("declined", "i8"),
        ("rescinded", "i8"),
        ("lost", "i8"),
    ]
)
FRAMEWORK = np.dtype(
    [
        ("node", "i4"),
        ("first_group", "i4"),
        ("groups", "i4"),
        ("waiting", "i4"),
        ("first", "i4"),  # the machines under offer to it, in the order of the offers
        ("last", "i4"),
        ("fresh", "i4"),  # of the latest round, whose message has not gone out
        ("arrived", "i4"),  # machines whose offer has come
        ("in_hand", "i4"),  # those that it is thinking about
        ("under_way", "i4"),  # those of which its answer is on its way
        ("told", "i4"),  # 1: its oldest task already has the reason that no offer holds it
    ]
)
GROUP = np.dtype([("demand", "i4"), ("head", "i4"), ("tail", "i4"), ("waiting", "i4")])
"""Waiting tasks of one framework and one demand, the oldest first."""
OFFER = np.dtype([("to", "i4"), ("next", "i4"), ("first", "i4"), ("last", "i4")])
"""A machine: the framework that it is offered to, the next in that one's list, the tasks that it was accepted for."""


class MesosState(NamedTuple):
    """The arrays of Mesos: F frameworks, G groups, N nodes of the tree, M machines, R resources."""

    rules: Records  # (1,) RULES
    setting: Records  # (changes of parameters,) SETTING
    framework: Records  # (F,) FRAMEWORK
    group: Records  # (G,) GROUP, framework by framework
    node: Records  # (N,) NODE, parents first
    offer: Records  # (M,) OFFER
    given: Ints  # (M, R): free resources at the time of the offer
    filtered: Ints  # (F, M): until when the master does not offer a machine to a framework
    use: Ints  # (F, R): what runs, and what is under offer
    spare: Ints  # (R,): what is free and not under offer, over all machines
    room: Ints  # (R,): the rest of a machine while a framework decides
    total: npt.NDArray[np.float64]  # (R,): of all machines
    vector: npt.NDArray[np.float64]  # (N, R): use of each node, as part of all there is
