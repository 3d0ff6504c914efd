"""What catalogues say that they draw, in the words of `constraints.asks`, is what they draw."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core import Experiment, constraint_catalogues, constraint_preview

TASKS = 40_000
PLAIN = {
    "schema_version": 1,
    "topology": {"clusters": [{"machines": [{"count": 10}]}]},
    "workload": {
        "kind": "synthetic",
        "tasks": 10,
        "arrivals": {"kind": "at_once"},
        "duration_s": {"kind": "constant", "value": 1},
    },
    "scheduler": {"name": "megha"},
}


def _preview(catalogue: dict[str, Any], share: float, *, spelled_out: bool) -> dict[str, Any]:
    constraints: dict[str, Any] = {"catalogue": catalogue["name"], "task_share": share}
    if spelled_out:
        constraints["asks"] = catalogue["asks"]
    data = PLAIN | {"constraints": constraints}
    return constraint_preview(Experiment.parse(data), tasks=TASKS)


@pytest.mark.parametrize("share", [0.23, 0.5])
@pytest.mark.parametrize("name", ["megha-21", "megha-clusters", "phoenix-9"])
def test_spelled_out_asks_draw_what_the_catalogue_draws(name: str, share: float) -> None:
    catalogue = next(each for each in constraint_catalogues()["catalogues"] if each["name"] == name)
    given, spelled = (_preview(catalogue, share, spelled_out=out) for out in (False, True))
    # Five standard deviations of the difference of two such shares; 22 comparisons at most.
    assert abs(given["constrained_share"] - spelled["constrained_share"]) < 5 * (2 * 0.25 / TASKS) ** 0.5
    for one, other in zip(given["constraints"], spelled["constraints"], strict=True):
        p = one["demand"]
        assert abs(p - other["demand"]) < 5 * (2 * p * (1 - p) / TASKS) ** 0.5 + 1e-9, one["name"]
