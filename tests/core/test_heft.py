"""HEFT against the worked example that its paper gives, and the pipeline's rank against HEFT's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.refarch.heft import plan, upward_ranks
from scheduler_core.schedulers.pipeline.keys import Work, ranks

# Ten tasks on three processors, and what each edge costs between two of them (Topcuoglu, Hariri and Wu).
COSTS = [
    (14, 16, 9),
    (13, 19, 18),
    (11, 13, 19),
    (13, 8, 17),
    (12, 13, 10),
    (13, 16, 9),
    (7, 15, 11),
    (5, 11, 14),
    (18, 12, 20),
    (21, 7, 16),
]
EDGES = {
    (0, 1): 18,
    (0, 2): 12,
    (0, 3): 9,
    (0, 4): 11,
    (0, 5): 14,
    (1, 7): 19,
    (1, 8): 16,
    (2, 6): 23,
    (3, 7): 27,
    (3, 8): 23,
    (4, 8): 13,
    (5, 7): 15,
    (6, 9): 17,
    (7, 9): 11,
    (8, 9): 13,
}


def test_the_ranks_of_the_published_example() -> None:
    found = upward_ranks(COSTS, EDGES)
    wanted = [108, 77, 80, 80, 69, 63.333, 42.667, 35.667, 44.333, 14.667]
    assert found == pytest.approx(wanted, abs=0.001)


def test_the_plan_of_the_published_example_ends_after_80() -> None:
    placed = plan(COSTS, EDGES)
    assert max(each.end for each in placed) == 80
    assert [each.processor for each in placed] == [2, 0, 2, 1, 2, 1, 2, 0, 1, 1]
    for (parent, child), cost in EDGES.items():
        away = 0 if placed[parent].processor == placed[child].processor else cost
        assert placed[child].start >= placed[parent].end + away
    for one in range(len(COSTS)):
        for other in range(one):
            a, b = placed[one], placed[other]
            assert a.processor != b.processor or a.end <= b.start or b.end <= a.start


@given(
    seconds=st.lists(st.integers(1, 9), min_size=1, max_size=8),
    links=st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))),
    slow=st.lists(st.sampled_from([1.0, 1.5, 2.0]), min_size=1, max_size=3),
    transfer=st.integers(0, 4),
)
def test_the_pipeline_ranks_as_heft_does(
    seconds: list[int], links: set[tuple[int, int]], slow: list[float], transfer: int
) -> None:
    """One task a node; every processor's cost is the duration by its slowness, every edge the same transfer."""
    count = len(seconds)
    edges = {(a, b): float(transfer) for a, b in links if a < b < count}
    parents = [[a for a, b in sorted(edges) if b == node] for node in range(count)]
    sizes = np.array([len(each) for each in parents], np.int64)
    zeros, numbers = np.zeros(count, np.int64), np.arange(count, dtype=np.int64)
    work = Work(
        seed=1, job_of=zeros, queue_of_job=np.zeros(1, np.int64), share=np.ones(1), arrival_ns=zeros[:1],
        duration_ns=np.array(seconds, np.int64) * 10**9, node_of=numbers, job_of_node=zeros,
        first_parent=np.cumsum(sizes) - sizes, parents_of=sizes,
        parents=np.array([a for each in parents for a in each], np.int64), slowness=float(np.mean(slow)),
        transfer_ns=transfer * 10**9,
    )  # fmt: skip
    wanted = upward_ranks([[one * factor for factor in slow] for one in seconds], edges)
    assert ranks(work, work.slowness, work.transfer_ns) / 1e9 == pytest.approx(wanted, abs=1e-6)
