"""Compiled schedulers of graphs against a slow plain version: every start, on every machine."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scheduler_core import Experiment, simulate
from tests.core.dag_experiments import dag_experiments
from tests.core.oracles_carbyne import plain_carbyne
from tests.core.oracles_dags import PlainChoice, PlainOrder, Undecided
from tests.tiers import examples


@pytest.mark.parametrize("scheduler", ["drf", "wdrf", "max-min", "capacity", "sjf", "srtf", "cpm"])
@examples(60)
@given(data=st.data())
def test_every_task_starts_when_and_where_the_plain_version_starts_it(scheduler: str, data: st.DataObject) -> None:
    strict = {"work_conserving": data.draw(st.booleans())} if scheduler in ("drf", "wdrf") else {}
    made = data.draw(dag_experiments(scheduler, **strict))
    plain, tasks = PlainOrder(made).run(), simulate(made).tasks
    found = [(plain.start_ns.get(task, -1), plain.machine.get(task, -1)) for task in range(len(tasks))]
    assert list(zip(tasks["first_start_ns"].tolist(), tasks["machine"].tolist(), strict=True)) == found


@pytest.mark.parametrize("scheduler", ["tetris", "tetris-fair", "choosy"])
@examples(60)
@given(data=st.data())
def test_machines_choose_as_if_they_looked_at_every_stage(scheduler: str, data: st.DataObject) -> None:
    knobs = {}
    if scheduler != "choosy":
        knobs = {
            "epsilon": data.draw(st.sampled_from([0.0, 0.5, 1.0])),
            "barrier": data.draw(st.sampled_from([0.0, 0.5, 1.0])),
            "fairness": 1.0 if scheduler == "tetris-fair" else data.draw(st.sampled_from([0.0, 0.25, 0.5])),
        }
    made = data.draw(dag_experiments(scheduler, **knobs))
    try:
        plain = PlainChoice(made).run()
    except Undecided:
        assume(False)
    tasks = simulate(made).tasks
    found = [(plain.start_ns.get(task, -1), plain.machine.get(task, -1)) for task in range(len(tasks))]
    assert list(zip(tasks["first_start_ns"].tolist(), tasks["machine"].tolist(), strict=True)) == found


@pytest.mark.parametrize(
    "former", [(), ("drawn", "selfish", "planned_share", "placement"), ("selfish",), ("placement",)]
)
@examples(60)
@given(data=st.data())
def test_carbyne_plans_gives_up_and_hands_on_as_the_plain_version_does(
    former: tuple[str, ...], data: st.DataObject
) -> None:
    """Under today's rules, under those of 0.1.0, and with some of these."""
    old = {"drawn": "job", "selfish": "own_share", "planned_share": "every_resource", "placement": "first_fit"}
    made = data.draw(dag_experiments("carbyne", packer="tetris", **{name: old[name] for name in former}))
    if made.scheduler.params["unsized_data"] and not made.topology.pooled:
        told = made.to_dict()
        told["topology"]["clusters"][0]["racks"] = data.draw(st.integers(1, 2))
        made = Experiment.parse(told)
    try:
        plain = plain_carbyne(made)
    except Undecided:
        assume(False)
    tasks = simulate(made).tasks
    found = [(plain.start_ns.get(task, -1), plain.machine.get(task, -1)) for task in range(len(tasks))]
    assert list(zip(tasks["first_start_ns"].tolist(), tasks["machine"].tolist(), strict=True)) == found
