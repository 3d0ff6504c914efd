"""Experiments of before 0.2.0 with flow and queue schedulers: written out, their rules give the outcomes of then."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core import Experiment, keep_rules, simulate
from tests.tiers import all_but_wide

GPU = {"catalogue": "custom", "task_share": 0.5, "soft": [{"name": "gpu", "slowdown": 2}],
       "custom": [{"name": "gpu", "attribute": "gpu", "comparison": "==", "value": True}]}  # fmt: skip
SHARES = {"a": 0.5, "b": 0.3, "c": 0.195, "d": 0.005}
WORK = {"kind": "synthetic", "jobs": 80, "arrivals": {"kind": "poisson", "offered_load": 1.1},
        "tasks_per_job": {"kind": "lognormal", "median": 6, "sigma": 0.8, "max": 40},
        "duration_s": {"kind": "lognormal", "median": 5, "sigma": 0.8},
        "demand": {"cpus": 1, "memory_gb": 2}}  # fmt: skip
FAILS = {"at_s": 20, "kind": "fail", "target": {"machine": 2}, "duration_s": 15}
SHARE = {"at_s": 30, "kind": "set", "target": {"queue": "c"}, "value": {"share": 0.1}}


def _set(at_s: float, **value: Any) -> dict[str, Any]:
    return {"at_s": at_s, "kind": "set", "target": {"scheduler": True}, "value": value}


MOVING = {"solver": "ics", "preemption": True, "stay_cost": 0.5, "run_cost": 0.1, "input_gb": 1}
MIXED = {"preemption": True, "priority_cost": 10000.0, "stay_cost": 100, "input_gb": 0.5}
SWITCHES = (_set(25, fair=True, load_cost=0.5, solver="cold"), _set(35, solver="ics"))
CASES: dict[str, tuple[str, dict[str, Any], tuple[dict[str, Any], ...], str]] = {
    "quincy": ("quincy", {}, (FAILS,), "af38a855b6df903dbb19ad40cbff630ba7ae478b5671b5999dacc6c1aad3d4c3"),
    "firmament": ("firmament", {}, (FAILS,), "af38a855b6df903dbb19ad40cbff630ba7ae478b5671b5999dacc6c1aad3d4c3"),
    "sirius-fairness": (
        "sirius-fairness",
        {},
        (FAILS,),
        "ed48ba45da992670bde0143a2ac47562afc0b851e4687dfe2855b2b4393630b1",
    ),
    "sirius-placement": (
        "sirius-placement",
        {},
        (FAILS,),
        "57ee17b92de5c5e1d026304eeaa38e5ba4276d67660dc6ad3cd26138d370a9fc",
    ),
    "sirius-priority": (
        "sirius-priority",
        {},
        (FAILS, SHARE),
        "bd7fb0c8991bc8f0051ccdeb7b839c5a5ea7c980facfa812dd490b923e9b1912",
    ),
    "sirius-mixed": (
        "sirius-mixed",
        {},
        (FAILS, SHARE),
        "28ccdebccb47b3418eaa369b0f4ae91dec2bb72c1a820ca50d1942e1972da7be",
    ),
    "random-queue": ("random-queue", {}, (FAILS,), "1cec70c662717be4caf2fc72e2a2ff64d96fdfff49c26fdffd98c55a9fba6719"),
    "swarm": ("swarm", {}, (FAILS,), "e722ab497c426f35f190000aa7e6b69ffedca046b99cca30a85798b5f0dd13fa"),
    "kubernetes-papers": (
        "kubernetes-papers",
        {},
        (FAILS, SHARE),
        "334e55cad43d3c2194e1c0f77e3dc4029e5cdd7df10f3922e61fcb0b6a9a44ee",
    ),
    "borg-like": ("borg-like", {}, (FAILS, SHARE), "42827b7e7ffb82cbe3d701f98e3b02bc597ff6c1a442b3b75999a8ef39704d2a"),
    "quincy-ics": ("quincy", MOVING, (FAILS,), "c367df009d6c1552b8025d444f805860326b5536fa9b048ceaf4d1400361cd40"),
    "quincy-cold": (
        "quincy",
        {"solver": "cold"},
        (FAILS,),
        "3462cab969d21711159281a79648234e15e97d74670d68d4f5d77f26d18d1c34",
    ),
    "mixed-switch": (
        "sirius-mixed",
        MIXED,
        SWITCHES,
        "e25261741882d2a712975c7703f35995f0647568043654d243b4280c3cdfc8a2",
    ),
}
"""Name: scheduler, its parameters, events, and the outcome of commit cfc9d22, before any of these rules changed."""


def stored(name: str) -> dict[str, Any]:
    """An experiment as it was stored then: what it does not name had the defaults of then."""
    scheduler, params, events, _ = CASES[name]
    machine = {"count": 6, "cpus": 4, "memory_gb": 16}
    return {
        "schema_version": 1,
        "seed": 7,
        "queues": [{"name": queue, "share": share} for queue, share in SHARES.items()],
        "topology": {"clusters": [{"name": "c", "racks": 3,
                                   "machines": [machine | {"attributes": {"gpu": True}}, machine]}]},
        "constraints": GPU,
        "workload": WORK,
        "events": list(events),
        "scheduler": {"name": scheduler, "params": params},
    }  # fmt: skip


def outcome(data: dict[str, Any]) -> str:
    digest: str = simulate(Experiment.parse(data)).summary["outcome_digest"]
    return digest


@pytest.mark.parametrize(
    "name", all_but_wide(CASES, ["sirius-placement", "sirius-priority", "quincy-ics", "borg-like"])
)
def test_an_upgraded_experiment_runs_to_its_old_outcome(name: str) -> None:
    assert outcome(keep_rules(stored(name), "0.1.0")) == CASES[name][3]


@pytest.mark.parametrize("name", ["sirius-placement", "sirius-priority"])
def test_todays_defaults_are_other_rules(name: str) -> None:
    assert outcome(stored(name)) != CASES[name][3]


def test_the_former_name_of_a_solver_is_read_as_its_present_one() -> None:
    chosen = ({"name": "quincy", "params": MOVING | {"solver": solver}} for solver in ("ics", "ssp"))
    old, new = (Experiment.parse(stored("quincy-ics") | {"scheduler": scheduler}) for scheduler in chosen)
    assert old.scheduler.params["solver"] == "ssp"
    assert old.digest() == new.digest()
