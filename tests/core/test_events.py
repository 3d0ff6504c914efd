"""The order of events, and the two sources that keep it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Cluster, Experiment, build_cluster, build_workload
from scheduler_core.engine import events
from scheduler_core.engine.records import LANES, NEVER, World
from scheduler_core.world import pack


def empty_world(arrivals: list[int]) -> World:
    """A world whose jobs arrive at the given times in ns and in which nothing else happens."""
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "c", "machines": [{"count": 1}]}]},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]} for _ in arrivals]},
            "scheduler": {"name": "megha"},
        }
    )
    cluster: Cluster = build_cluster(experiment)
    world = pack.pack_world(cluster, build_workload(experiment, cluster), 1, 0)
    world.job["arrival_ns"] = np.sort(arrivals)
    return world


def drain(world: World, until_ns: int = NEVER - 1) -> list[tuple[int, int, int]]:
    """(time, kind, a) of every event up to a time."""
    found = []
    while True:
        kind, time_ns, a, _ = events.next_event(world, until_ns)
        if kind < 0:
            return found
        found.append((int(time_ns), int(kind), int(a)))


entries = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from([1, 2, 3, 65, 66]), st.integers(-1, LANES - 1)), max_size=60
)


@given(entries, st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_events_come_by_time_then_kind_then_order_of_scheduling(
    scheduled: list[tuple[int, int, int]], arrivals: list[int]
) -> None:
    world = empty_world(arrivals)
    for number, (time_ns, kind, lane) in enumerate(scheduled):
        if lane < 0:
            events.schedule(world, time_ns, kind, number, 0)
        else:
            events.schedule_in_lane(world, lane, time_ns, kind, number, 0)
    wanted = [(time_ns, kind, number) for number, (time_ns, kind, _) in enumerate(scheduled)]
    wanted += [(time_ns, events.KIND_JOB_ARRIVAL, job) for job, time_ns in enumerate(sorted(arrivals))]
    assert drain(world) == sorted(wanted)


@given(entries)
def test_growing_keeps_every_event_and_the_order(scheduled: list[tuple[int, int, int]]) -> None:
    world = empty_world([5])
    for number, (time_ns, kind, lane) in enumerate(scheduled):
        events.schedule_in_lane(world, max(lane, 0), time_ns, kind, number, 0)
    first = drain(world, 3)
    world = pack.grow_lanes(pack.grow_heap(world))
    later = drain(world)
    wanted = sorted((time_ns, kind, number) for number, (time_ns, kind, _) in enumerate(scheduled))
    assert first == [event for event in wanted if event[0] <= 3]
    assert later == sorted([*(event for event in wanted if event[0] > 3), (5, events.KIND_JOB_ARRIVAL, 0)])


def test_nothing_is_taken_before_its_time() -> None:
    world = empty_world([7])
    events.schedule(world, 9, 1, 0, 0)
    assert drain(world, 6) == []
    assert drain(world, 7) == [(7, events.KIND_JOB_ARRIVAL, 0)]
    assert world.control[0].now_ns == 7
