"""The whole range of every number that a request holds beside experiments: it is taken or refused, never a fault."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from pytest_django import Settings

from tests.core.test_number_range import numbers_in
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]

#: As JSON: what no double holds, and whole numbers beyond every column, too.
EDGES = ["5e-324", "-5e-324", "1e-310", "2.3e-308", "1e-15", "0", "-0.0", "-1", "0.5", "9007199254740993", "1e18",
         "9223372036854775808", "-9223372036854775809", "1e200", "1.7976931348623157e308", "-1e308", "1e309",
         "-1e309", "1" + "0" * 400, "NaN"]  # fmt: skip
HEARTBEAT = "scheduler.params.heartbeat_s"
MARK = "@number@"
P99 = {"says": "p99", "value": "run.allocation_delay_s.p99", "unit": "s", "better": "less"}


def bodies(experiment: dict[str, Any], trace: str) -> dict[str, Any]:
    change = {
        "schedulers": [{"name": "megha", "open": {"heartbeat_s": {"least": 1, "most": 20}}}, {"name": "sparrow"}],
        "values": [{"path": "topology.global_masters", "least": 1, "most": 4}],
    }
    limits = [{"says": "m", "value": "run.makespan_s", "unit": "s", "at_most": 100}]
    return {
        "classes/{class}/questions": {"kind": "number", "text": "How long?", "low": 0.01, "high": 10, "log": True},
        "classes/{class}/questions ": {
            "kind": "curve", "text": "Draw", "path": HEARTBEAT, "values": [1, 10, 30], "low": 0, "high": 1,
        },
        "PUT classes/{class}/explore": {"parameters": [{"path": HEARTBEAT, "least": 1, "most": 20}]},
        "PUT classes/{class}/questions/1/answer": {"value": 1},
        "challenges": {
            "title": "x", "experiment": "{experiment}", "objective": P99, "limits": limits, "change": change,
            "seeds": 4,
        },
        "experiments/{id}/studies": {"axes": [{"path": HEARTBEAT, "values": [1, 2]}], "repeats": 1},
        "experiments/{id}/fork": {"at_s": 1, "seed": 1},
        "experiments/{id}/runs": {"seed": 1},
        "experiments/{id}/asks": {"question": "machines", "promise": "makespan_s <= 5", "seeds": 1},
        "traces/imports": {
            "trace": trace,
            "cut": {"from_s": 0, "to_s": 5, "sample": 0.5, "sample_seed": 1, "rate_factor": 2, "tasks": 5},
        },
        "workload-previews": {"experiment": "{experiment}", "cutoff_s": 2},
    }  # fmt: skip


@pytest.mark.wide
def test_no_number_of_a_request_finds_a_fault(small_experiment: dict[str, Any], settings: Settings) -> None:
    for name in ("RUNS", "STUDIES", "CHALLENGES", "IMPORTS", "SEARCHES"):
        setattr(settings, f"LIMIT_{name}_PER_ADDRESS", 10_000)
    settings.LIMIT_RUNS_AT_ONCE = settings.LIMIT_STUDIES = settings.LIMIT_CHALLENGES = 10_000
    browser = JsonClient(headers={"host": "localhost"}, raise_request_exception=False)
    made = browser.make(small_experiment)["id"]
    room = browser.send("classes", {"experiment": made}).json()
    assert browser.send("classes/join", {"code": room["code"]}).status_code == 200
    trace = browser.read("traces").json()[-1]["id"]
    right, faults = set(), []
    for name, body in bodies(small_experiment, trace).items():
        verb, _, path = name.strip().rpartition(" ")
        path = path.replace("{class}", room["id"]).replace("{id}", made)
        whole = json.loads(json.dumps(body).replace('"{experiment}"', json.dumps(small_experiment)))
        places = len(list(numbers_in(body)))
        for at, edge in [(-1, "")] + [(at, edge) for at in range(places) for edge in EDGES]:
            sent = copy.deepcopy(whole if at < 0 else body)
            if at >= 0:
                holder, key = list(numbers_in(sent))[at]
                holder[key] = MARK
            text = json.dumps(sent).replace('"{experiment}"', json.dumps(small_experiment)).replace(f'"{MARK}"', edge)
            answer = browser.generic(verb or "POST", f"/api/v1/{path}", text.encode(), content_type="application/json")
            if at < 0 and answer.status_code < 300:
                right.add(name)
            if answer.status_code >= 500 and not (path.endswith("previews") and answer.status_code == 503):
                faults.append((name, at, edge[:24], answer.status_code))
    assert faults == []
    assert len(right) >= 9, right
