"""Experiments of earlier versions run to their outcomes of then: digests that those versions' own code gave.

`data/outcomes-VERSION.json` is written once, by the code of that version: `python -m tests.core.test_former_outcomes`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from scheduler_core import SCHEDULERS, Experiment, __version__, simulate, unsupported
from tests.tiers import all_but_wide

DATA = Path(__file__).parent / "data"
EXPONENTIAL = {"kind": "exponential", "mean": 4}
FOUR = {"kind": "constant", "value": 4}
PLAIN = {
    "kind": "synthetic",
    "jobs": 30,
    "arrivals": {"kind": "poisson", "rate_per_s": 0.8},
    "tasks_per_job": FOUR,
    "duration_s": EXPONENTIAL,
}
GRAPHS = {
    "kind": "dag",
    "jobs": 20,
    "arrivals": {"kind": "poisson", "rate_per_s": 0.4},
    "tasks_per_stage": FOUR,
    "duration_s": EXPONENTIAL,
}


def experiment(scheduler: str, profile: str, graphs: bool) -> dict[str, Any]:
    """Name nothing that has a default: what is left out is what may change."""
    return {
        "schema_version": 1,
        "seed": 3,
        "topology": {"global_masters": 2, "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 6}]}]},
        "workload": GRAPHS if graphs else PLAIN,
        "scheduler": {"name": scheduler, "params": {"profile": profile} if profile else {}},
    }


def cases() -> list[tuple[str, str, bool]]:
    found = []
    for spec in SCHEDULERS:
        profile = spec.params.model_fields.get("profile")
        for name in get_args(profile.annotation) if profile else ("",):
            for graphs in (False, True):
                asked = Experiment.parse(experiment(spec.name, name, graphs))
                if not unsupported(asked, spec.honors(asked)):
                    found.append((spec.name, name, graphs))
    return found


def outcome(data: dict[str, Any]) -> str:
    return str(simulate(Experiment.parse(data)).summary["outcome_digest"])


RECORDED = [
    (*case, path.stem.removeprefix("outcomes-"))
    for path in sorted(DATA.glob("outcomes-*.json"))
    for case in json.loads(path.read_text())
]
ONE_A_FAMILY = ("megha", "sparrow", "omega", "kubernetes", "quincy", "carbyne", "tetrisched", "pipeline")


@pytest.mark.parametrize(("scheduler", "profile", "graphs", "digest", "version"), all_but_wide(RECORDED, ONE_A_FAMILY))
def test_an_experiment_of_an_earlier_version_runs_to_its_outcome(
    scheduler: str, profile: str, graphs: bool, digest: str, version: str
) -> None:
    assert outcome(experiment(scheduler, profile, graphs) | {"rules": version}) == digest


if __name__ == "__main__":
    rows = []
    for case in cases():
        try:
            rows.append([*case, outcome(experiment(*case))])
            print(*rows[-1], flush=True)
        except Exception as error:
            print(*case, "left out:", error, flush=True)
    path = DATA / f"outcomes-{__version__}.json"
    path.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")
