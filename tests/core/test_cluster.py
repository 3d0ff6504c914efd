"""The machines of an experiment in arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Cluster, Experiment, ExperimentError, Limits, build_cluster


def build(clusters: list[dict[str, Any]], limits: Limits | None = None, **topology: Any) -> Cluster:
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": clusters, **topology},
            "scheduler": {"name": "sparrow"},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]},
        }
    )
    return build_cluster(experiment, **({"limits": limits} if limits else {}))


def test_machines_are_laid_out_by_cluster_group_and_rack() -> None:
    cluster = build(
        [
            {
                "name": "a",
                "repeat": 2,
                "racks": 2,
                "machines": [{"count": 2, "cpus": 4, "memory_gb": 0.5}, {"cpus": 0.0004}],
            },
            {"name": "b", "machines": [{"count": 1, "cpus": 8, "gpus": 2, "resources": {"disk": 1.5}}]},
        ],
        global_masters=3,
    )
    assert cluster.names == ("cpus", "memory_gb", "gpus", "disk")
    small = [[4000, 500, 0, 0], [4000, 500, 0, 0], [1, 0, 0, 0]]
    assert cluster.capacity.tolist() == [*small, *small, [8000, 0, 2000, 1500]]
    assert cluster.cluster_of.tolist() == [0, 0, 0, 1, 1, 1, 2]
    assert cluster.rack_of.tolist() == [0, 0, 1, 2, 2, 3, 4]
    assert cluster.cluster_names == ("a-0", "a-1", "b")
    assert cluster.cluster_first.tolist() == [0, 3, 6, 7]
    assert cluster.global_masters == 3
    assert (cluster.capacity.dtype, cluster.cluster_of.dtype, cluster.rack_of.dtype, cluster.cluster_first.dtype) == (
        np.int64,
        np.int32,
        np.int32,
        np.int64,
    )


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 30), st.integers(1, 30)), min_size=1, max_size=5))
def test_racks_are_contiguous_even_and_numbered_through(groups: list[tuple[int, int, int]]) -> None:
    clusters = [
        {"name": f"c{i}", "repeat": repeat, "racks": min(racks, count), "machines": [{"count": count}]}
        for i, (repeat, count, racks) in enumerate(groups)
    ]
    cluster = build(clusters)
    sizes = np.bincount(cluster.rack_of)
    assert (np.diff(cluster.rack_of) >= 0).all()
    assert (sizes > 0).all()
    assert len(sizes) == sum(repeat * min(racks, count) for repeat, count, racks in groups)
    for first, stop in zip(cluster.cluster_first[:-1], cluster.cluster_first[1:], strict=True):
        in_cluster = np.bincount(cluster.rack_of[first:stop] - cluster.rack_of[first])
        assert np.ptp(in_cluster) <= 1
        assert len(set(cluster.cluster_of[first:stop])) == 1


def test_a_pool_is_one_machine_of_everything() -> None:
    cluster = build([{"repeat": 3, "machines": [{"count": 2, "cpus": 1.5}, {"count": 1, "gpus": 1}]}], pooled=True)
    assert cluster.capacity.tolist() == [[12_000, 0, 3_000]]
    assert cluster.cluster_first.tolist() == [0, 1]


def test_more_machines_than_the_limit_are_refused() -> None:
    with pytest.raises(ExperimentError, match=r"at most 5 \(limit 'machines'\)"):
        build([{"machines": [{"count": 6}]}], Limits(machines=5))
