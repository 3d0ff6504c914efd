"""Every waiting and every stopped task has an answer; what is said to help, does; runs part where they are said to."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from scheduler_core import (
    Experiment,
    ExperimentError,
    KeptMoments,
    Simulation,
    describe,
    explain,
    first_difference,
    message_log,
    part_messages,
    simulate,
    smallest_change,
)
from scheduler_core.engine.records import TASK_ASKED, TASK_WAITING
from scheduler_core.explanation import standing
from scheduler_core.explanation.candidates import candidates
from scheduler_core.explanation.sentences import sentences
from tests.core.experiments import LOOPS
from tests.core.test_reasons import MIXED, WAYS, crowded
from tests.tiers import wide

#: Names that the data give to clusters and queues that nobody named; people read Cluster 1 and Queue 0.
OF_DATA = re.compile(r"\b(?:lm-|q)\d")
UNEQUAL = [{"name": "q0", "share": 0.8}, {"name": "q1", "share": 0.2}]


def contended(scheduler: str = "megha", **parts: Any) -> Experiment:
    return crowded(scheduler, **{"queues": UNEQUAL, **parts})


@pytest.mark.parametrize("scheduler", LOOPS)
def test_every_task_has_an_answer_at_every_instant(scheduler: str) -> None:
    simulation = Simulation(crowded(scheduler), frames=0)
    waited = 0
    for t_s in (0.05, 1.03, 2.4):
        simulation.advance_to(round(t_s * 1e9))
        for task in range(0, len(simulation.world.task), 3):
            told = standing(simulation, task, sentences(simulation, task))
            assert told["answer"].endswith(".")
            assert not OF_DATA.search(" ".join([told["answer"], *(group["sentence"] for group in told["ruled_out"])]))
            assert "{" not in told["answer"]
            if simulation.world.task[task].state in (TASK_WAITING, TASK_ASKED):
                waited += 1
                row = simulation.world.task[task]
                waits_s = (simulation.now_ns - simulation.world.job[row.job].arrival_ns) / 1e9
                assert row.attempts or sum(told["delay_s"].values()) > waits_s - 1e-9
                assert sum(group["machines"] for group in told["ruled_out"]) == 8
                assert all(group["sentence"].endswith(".") for group in told["ruled_out"])
    assert waited > 10


@pytest.mark.parametrize("scheduler", LOOPS)
def test_a_question_that_goes_on_from_a_kept_instant_has_the_same_answer(scheduler: str) -> None:
    experiment, moments = crowded(scheduler), KeptMoments(worth_s=0)
    last = int(simulate(experiment).summary["tasks"]["total"]) - 1
    # The second goes on from the first one's instant, the third asks about what came before it.
    for task, t_s in ((last // 2, 2.4), (last, 2.4), (last // 4, None), (last, None)):
        assert explain(experiment, task, t_s, moments=moments) == explain(experiment, task, t_s)
    assert moments.hits == 3


def test_machines_are_ruled_out_by_the_first_thing_that_does() -> None:
    """Of six machines one is too small, one lacks the property, one has failed, two are busy and one has room."""
    mine = {"cpus": 2, "constraint_shares": {"a": 1}}
    experiment = Experiment.parse({
        "schema_version": 1,
        "topology": {"clusters": [{"machines": [
            {"cpus": 1, "constraint_shares": {"a": 1}}, {"cpus": 2, "constraint_shares": {"a": 0}},
            {**mine, "count": 3}, {**mine, "cpus": 3}]}]},
        "constraints": {"catalogue": "custom", "custom": [{"name": "a", "machine_share": 0.5}]},
        "queues": [{"name": "left", "share": 0.5}, {"name": "right", "share": 0.5}],
        "workload": {"kind": "inline", "jobs": [
            {"arrival_s": 0, "queue": "left", "durations_s": [50] * 3, "demand": {"cpus": 2}, "constraints": ["a"]},
            {"arrival_s": 1, "queue": "right", "durations_s": [5], "demand": {"cpus": 2}, "constraints": ["a"]}]},
        "events": [{"at_s": 0.5, "kind": "fail", "target": {"machine": 3}}],
        "scheduler": {"name": "kubernetes"},
    })  # fmt: skip
    told = explain(experiment, 3, 2.0)
    assert {group["why"]: group["machines"] for group in told["ruled_out"]} == {
        "too_small": 1, "constraint": 1, "offline": 1, "busy": 3,
    }  # fmt: skip
    busy = next(group for group in told["ruled_out"] if group["why"] == "busy")
    assert [(one["name"], one["machines"]) for one in busy["by"]] == [("queue left", 3)]
    assert "None of 6 machines has room" in told["answer"]
    change = smallest_change(experiment, 3, 2.0)
    assert {one["kind"] for one in change["helps"]} >= {"constraint", "machine", "event"}
    gains = [one["earlier_s"] for one in change["helps"]]
    assert gains == sorted(gains, reverse=True)
    assert len(set(gains)) > 1


def test_a_stopped_task_is_told_by_whom_and_what_is_said_to_help_does_when_it_is_run() -> None:
    experiment = contended()
    stopped = int(np.flatnonzero(simulate(experiment).tasks["attempts"] > 1)[0])
    told = explain(experiment, stopped)
    assert "preempted" in [one["reason"] for one in told["decisions"]]
    assert len(told["stopped_s"]) == 1
    change = smallest_change(experiment, stopped)
    assert change["goal"] == "lasting"
    assert change["over"] == "all"
    for one in change["helps"]:
        tasks = simulate(Experiment.parse(one["experiment"])).tasks
        assert tasks[stopped]["last_start_ns"] / 1e9 == one["start_s"] < change["start_s"]
    starts = [one["start_s"] for one in change["helps"]]
    assert len(set(starts)) > 1
    assert starts == sorted(starts), "the largest gain comes first"


def test_changes_name_parts_as_the_map_does() -> None:
    targets = [{"cluster": "lm-1"}, {"local_master": "lm-0"}, {"global_master": 1}, {"rack": 1}, {"machine": 3}]
    fails = [{"at_s": 0.2 + at / 10, "kind": "fail", "target": one, "duration_s": 1} for at, one in enumerate(targets)]
    sets = [{"at_s": 0.1, "kind": "set", "target": {"queue": "q1"}, "value": {"share": 0.3}}]
    texts = set()
    for events in (fails[:3], fails[3:] + sets):
        simulation = Simulation(contended(events=events), frames=0)
        simulation.advance_to(2 * 10**9)
        texts |= {one.text for one in candidates(simulation, 30, 2.0, [])}
    assert not [text for text in texts if OF_DATA.search(text)]
    assert texts >= {
        "With one machine more in Cluster 1 (1 CPU)",
        "Without the failure of Cluster 1 at 200 ms",
        "Without the failure of the Local Master of Cluster 0 at 300 ms",
        "Without the failure of Master 1 at 400 ms",
        "Without the failure of rack 1 at 500 ms",
        "Without the failure of machine 3 at 600 ms",
        "Without the change of Queue 1 at 100 ms",
        "With a share of 81 % instead of 80 % for Queue 0",
    }


@pytest.mark.parametrize(("fails_s", "gain_s"), [(0.01, 0.02), (5.0, 6.0)])
def test_a_gain_that_cannot_be_told_from_none_does_not_count(
    monkeypatch: pytest.MonkeyPatch, fails_s: float, gain_s: float
) -> None:
    """A machine fails, and its task starts once more: the next task starts `gain_s` later than it could."""
    event = {"at_s": gain_s - fails_s, "kind": "fail", "target": {"machine": 0}, "duration_s": fails_s}
    experiment = Experiment.parse({
        "schema_version": 1, "topology": {"clusters": [{"machines": [{"cpus": 1}]}]}, "events": [event],
        "workload": {"kind": "inline", "jobs": [{"arrival_s": at, "durations_s": [60]} for at in (0, 1e-3)]},
        "scheduler": {"name": "fifo"},
    })  # fmt: skip
    change = smallest_change(experiment, 1)
    gains = {one["kind"]: one["earlier_s"] for one in change["helps"]}
    assert change["start_s"] == pytest.approx(60 + gain_s, abs=0.01)
    assert ("event" in gains) == (gain_s > 1)
    assert gains.get("event", gain_s) == pytest.approx(gain_s, abs=0.001)
    assert gains["machine"] > 59
    monkeypatch.setattr("scheduler_core.explanation.smallest.LEAST_GAIN", 2.0)
    none = smallest_change(experiment, 1)
    assert none["helps"] == []
    assert re.search(
        r"starts the task noticeably earlier: the largest gain is 6\d(\.\d)? s of a wait of", none["sentence"]
    )


LOADED: dict[str, dict[str, Any]] = {
    "plain": {"kind": "synthetic", "tasks": 200, "tasks_per_job": {"kind": "constant", "value": 5},
              "duration_s": {"kind": "exponential", "mean": 2}},
    "classes": {"kind": "synthetic", "jobs": 40, "tasks_per_job": {"kind": "constant", "value": 2},
                "duration_s": {"kind": "exponential", "mean": 2}, "classes": [
        {"name": "short", "weight": 0.8},
        {"name": "long", "weight": 0.2, "tasks_per_job": {"kind": "constant", "value": 3}}]},
    "graphs": {"kind": "dag", "jobs": 30, "duration_s": {"kind": "exponential", "mean": 2}},
}  # fmt: skip


@pytest.mark.parametrize("kind", LOADED)
def test_with_a_machine_more_the_same_jobs_come_when_they_came(kind: str) -> None:
    """A load is of the machines that there are: kept, more machines would bring the work forward."""
    work = {"arrivals": {"kind": "poisson", "offered_load": 0.9}, **LOADED[kind]}
    simulation = Simulation(crowded("drf" if kind == "graphs" else "megha", workload=work), frames=0)
    simulation.prepare()
    more = [one for one in candidates(simulation, 50, 1.0, []) if one.kind == "machine"]
    assert len(more) == 3
    for one in more:
        changed = Simulation(Experiment.parse(one.data), frames=0)
        changed.prepare()
        assert changed.cluster.machines > simulation.cluster.machines
        assert np.abs(changed.world.job["arrival_ns"] - simulation.world.job["arrival_ns"]).max() <= 1


def test_what_can_never_start_is_helped_by_nothing_small_and_bounds_are_said() -> None:
    experiment = crowded("sparrow")
    hopeless = int(np.flatnonzero(simulate(experiment).tasks["attempts"] == 0)[0])
    never = smallest_change(experiment, hopeless)
    assert never["helps"] == []
    assert never["start_s"] is None
    assert "None of" in never["sentence"]
    assert smallest_change(experiment, 100, most_s=0)["over"] == "time"
    few = smallest_change(experiment, hopeless, most_candidates=0)
    assert (few["over"], few["tried"]) == ("count", 0)


def test_runs_part_at_the_first_decision_that_differs() -> None:
    experiment = contended()
    assert first_difference(experiment, experiment)["same"]
    data = experiment.to_dict()
    data["events"] = [{"at_s": 1.5, "kind": "fail", "target": {"machine": 0}, "duration_s": 1}]
    forked = Experiment.parse(data)
    found = first_difference(experiment, forked)
    logs = []
    for one in (experiment, forked):
        simulation = Simulation(one, frames=0)
        for _ in simulation.run():
            pass
        logs.append(simulation.decisions())
    at = next(n for n, (a, b) in enumerate(zip(*(log.tolist() for log in logs), strict=False)) if a != b)
    assert found["decisions"] == at
    assert found["t_s"] >= 1.5
    assert found["t_s"] == min(log[at]["t_ns"] for log in logs) / 1e9
    assert (found["mine"]["task"], found["other"]["task"]) == (logs[0][at]["task"], logs[1][at]["task"])
    with pytest.raises(ExperimentError, match="another workload"):
        first_difference(experiment, Experiment.parse(data | {"workload": {
            "kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]}}))  # fmt: skip


# Of each scheduler with a board what is said in a run, the change of the experiment under which that is all of it, and
# which of its counters count which arrows.
TOLD: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "megha": ("request make_room granted refused launch end ended stopped heartbeat", {"queues": UNEQUAL}, {}),
    "centralised": ("request make_room granted launch end ended stopped heartbeat", {}, {}),
    "sparrow": ("probe ask task nothing", {}, {"probes": "probe", "noops": "nothing"}),
    "hawk": ("probe ask task nothing place contact none steal", MIXED, {"probes": "probe", "noops": "nothing"}),
    "eagle": ("probe ask task place refuse", MIXED, {}),
    "phoenix": ("probe ask task place refuse", MIXED, {}),
    "pigeon": ("spread launch end", {"params": {"group_size": 3}}, {"tasks_done": "end"}),
    "pcssampler": ("try taken back probe answer stay ended", {"params": {"schedulers": 2}},
                   {"probes": "probe", "known": "try", "sampled": "stay", "refused": "back"}),
    "yacc-d": ("send bounce", WAYS["yacc-d"][0], {"sent": "send", "bounced": "bounce"}),
    "apollo": ("regular spare token copy", WAYS["apollo"][0],
               {"regular": "regular", "opportunistic": "spare", "upgrades": "token", "duplicates": "copy"}),
    "mercury": ("ask give queue stopped shed beat", WAYS["mercury"][0],
                {"given": "give", "queued": "queue", "preemptions": "stopped", "shed": "shed", "node_beats": "beat"}),
    "omega": ("commit accepted conflict start end", {"params": {"schedulers": 3, "split": "key"}},
              {"transactions": "commit", "conflicts": "conflict", "tasks_done": "end"}),
    "hydra": ("route ask fetch given launch withdraw again policy beat ended", {"params": {"resend_s": 0}},
              {"resent": "withdraw", "node_beats": "beat", "tasks_done": "ended"}),
}  # fmt: skip


@pytest.mark.parametrize("scheduler", TOLD)
def test_the_log_of_messages_is_what_the_run_counts(scheduler: str) -> None:
    kinds, parts, counted = TOLD[scheduler]
    experiment = crowded(scheduler, **parts)
    log = message_log(experiment, most=20_000)
    assert log["over"] == "end"
    simulation = Simulation(experiment, frames=0)
    for _ in simulation.run():
        pass
    counters = simulation.counters()
    arrows = Counter(one["kind"] for one in log["messages"])
    beside = {kind["kind"] for kind in log["kinds"] if not kind["counted"]}
    assert sum(arrows[kind] for kind in arrows.keys() - beside) == counters["messages"]
    assert {name: arrows[kind] for name, kind in counted.items()} == {name: counters[name] for name in counted}
    assert arrows.keys() == set(kinds.split())
    for one in log["messages"]:
        took_s = 0 if one["kind"] in beside else log["delay_s"]
        assert one["arrives_s"] - one["sent_s"] == pytest.approx(took_s, abs=1e-8)
    lanes = {lane["id"] for lane in log["lanes"]}
    assert {one["frm"] for one in log["messages"]} | {one["to"] for one in log["messages"]} <= lanes
    assert sum(lane["sent"] for lane in log["lanes"]) == len(log["messages"])
    runs = sorted((one["task"], one["start_s"], one["end_s"]) for one in log["spans"] if one["task"] is not None)
    tasks = simulation.result.tasks if simulation.result else []
    last = [one for one in runs if one[0] == 0][-1]
    assert last[1:] == (tasks[0]["last_start_ns"] / 1e9, tasks[0]["end_ns"] / 1e9)


def test_a_task_s_own_messages_tell_its_way_from_request_to_end() -> None:
    log = message_log(contended(), task=0)
    assert [one["kind"] for one in log["messages"]] == ["request", "launch", "granted", "end", "ended"]
    assert [lane["kind"] for lane in log["lanes"]] == ["gm", "lm", "machine"]
    assert [span["task"] for span in log["spans"]] == [0]
    later = message_log(contended(), from_s=4.0, most=50)
    assert any(span["start_s"] < 4 < span["end_s"] for span in later["spans"])  # what runs already when a log begins
    for silent, said in (
        (crowded("kubernetes"), "Kubernetes decides everything in one place"),
        (crowded("sparrow", {"profile": "public-simulator"}), "under the profile paper"),
    ):
        assert said in describe(silent)["no_messages"]
        with pytest.raises(ExperimentError, match=said):
            message_log(silent)


@wide
def test_what_parts_sent_and_received_adds_up_and_a_large_run_is_counted_over_a_stretch() -> None:
    experiment, end_s = contended(), 1e6
    log = message_log(experiment, most=10_000)
    ends = [(one["frm"], one["to"]) for one in log["messages"]]
    gm = part_messages(experiment, "owner", 1, end_s)
    assert gm["whole"]
    assert (gm["sent"], gm["received"]) == tuple(sum(pair[side] == "gm-1" for pair in ends) for side in (0, 1))
    parts = [part_messages(experiment, "partition", lm, end_s, owner=1) for lm in (0, 1)]
    assert [sum(part[side] for part in parts) for side in ("sent", "received")] == [gm["sent"], gm["received"]]
    machine = part_messages(experiment, "machine", 3, end_s)
    assert {kind["kind"] for kind in machine["kinds"]} == {"launch", "end"}
    assert machine["messages"][-1]["frm"].startswith("machine 3")
    tasks = range(3)
    job, queue = (part_messages(experiment, kind, 0, end_s) for kind in ("job", "queue"))
    assert sum(part_messages(experiment, "task", task, end_s)["sent"] for task in tasks) == job["sent"] > 0
    assert job["sent"] < queue["sent"]
    halls = [part_messages(crowded("pigeon"), "cluster", number, end_s) for number in (0, 1)]  # nobody speaks for one
    assert json.loads(json.dumps(halls)) == halls
    assert all(hall["sent"] == hall["received"] for hall in halls)
    assert sum(hall["sent"] for hall in halls) == 120
    until = part_messages(experiment, "owner", 1, 2.0)
    assert 0 < until["sent"] < gm["sent"]
    stretch = part_messages(experiment, "owner", 1, 4.0, most_events=100)
    assert not stretch["whole"]
    assert 0 < stretch["from_s"] < stretch["until_s"] <= 4.0
    seen = [one for one in log["messages"] if stretch["from_s"] < one["sent_s"] < 4.0 - 0.06]
    assert sum(one["frm"] == "gm-1" for one in seen) <= stretch["sent"] <= gm["sent"]
    with pytest.raises(ExperimentError, match="no owner 2"):
        part_messages(experiment, "owner", 2, end_s)
