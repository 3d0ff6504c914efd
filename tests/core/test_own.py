"""The scheduler that runs a policy of one's own: what it computes, what it knows, and how its runs end."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import (
    Experiment,
    ExperimentError,
    Simulation,
    check_policy,
    explain,
    policy_decision,
    policy_view,
    policy_words,
    simulate,
)
from scheduler_core.cli.main import main
from scheduler_core.engine.jit import kernel
from scheduler_core.policy import LANGUAGE_VERSION, WORDS, PolicyError
from scheduler_core.policy.evaluate import evaluate
from scheduler_core.schedulers.own.interpreting import answer, prepare
from scheduler_core.schedulers.own.params import policy_of
from scheduler_core.schedulers.own.reading import read
from scheduler_core.schedulers.own.state import SCORE
from tests.core.experiments import experiments
from tests.core.policies import anything, expressions
from tests.core.policies import text as any_text
from tests.core.test_policy_text import compiles_or_says_why
from tests.support import PROJECT
from tests.tiers import FUZZED, examples, wide

POLICIES = PROJECT / "fixtures" / "policies"


@kernel
def _answer(w, s, t, m):  # type: ignore[no-untyped-def]
    j = w.task[t].job
    prepare(w, s, SCORE, t, j)
    return answer(w, s, SCORE, t, j, m, -1)


@kernel
def _read(w, s, number, t, m):  # type: ignore[no-untyped-def]
    return read(w, s, number, t, w.task[t].job, m, t)


def small(**params: Any) -> Experiment:
    """Six tasks for a machine of one CPU and one of four."""
    jobs = [{"arrival_s": 0.1 * n, "durations_s": [1.0, 2.0], "demand": {"cpus": 1}} for n in range(3)]
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "c", "machines": [{"count": 1, "cpus": 1}, {"count": 1, "cpus": 4}]}]},
            "network": {"message_delay_s": 0.01},
            "workload": {"kind": "inline", "jobs": jobs},
            "scheduler": {"name": "own", "params": params},
        }
    )


def ran(experiment: Experiment) -> Simulation:
    simulation = Simulation(experiment, frames=0)
    for _ in simulation.run():
        pass
    return simulation


_VERDICTS = dict.fromkeys(("out_of_service", "unsuited", "no_room", "filtered", "usable"), 0)
PLACE = ("task", "job", "queue", "machine", "rack", "cluster", "now")


@examples(300, few=25)
@given(text=expressions(PLACE), data=st.data())
def test_the_kernel_computes_what_plain_python_computes(text: str, data: st.DataObject) -> None:
    """To the last bit, in the middle of a run, for every machine; random numbers apart."""
    experiment = data.draw(experiments("own"))
    params = {"policy": "score: " + text.replace("random()", "0.25")}
    data_of = experiment.to_dict() | {"scheduler": {"name": "own", "params": params}}
    try:
        simulation = Simulation(Experiment.parse(data_of), frames=0, slice_events=7)
    except ExperimentError:
        return
    simulation.prepare()
    simulation.advance_to(750_000_000)
    world, state, policy = simulation.world, simulation.state, policy_of(params)
    machines = range(len(world.machine))
    t = len(world.task) - 1

    def of(m: int) -> Any:
        return lambda number: _read(world, state, number, t, m)

    for m in machines:
        rack = [of(n) for n in machines if world.machine["rack"][n] == world.machine["rack"][m]]
        plain = evaluate(policy, "score", of(m), [of(n) for n in machines], rack)
        mine = _answer(world, state, t, m)
        assert mine == plain or (math.isnan(mine) and math.isnan(plain))


def test_a_policy_that_refuses_every_machine_is_stuck_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, policy = tmp_path / "small.json", tmp_path / "none.policy"
    file.write_text(json.dumps(small().to_dict()))
    policy.write_text("filter: machine.cpus > 100")
    assert main(["run", str(file), "--policy", str(policy)]) == 3
    assert "stuck" in capsys.readouterr().err
    experiment = small(policy=policy.read_text())
    summary = simulate(experiment).summary
    assert (summary["finished"], summary["tasks"]["completed"]) == ("stuck", 0)
    assert "filter refuses each of the 2 machines" in explain(experiment, 0)["answer"]


@pytest.mark.parametrize(
    "params",
    [
        {"policy": "filter: now < 0"},
        {"policy": "filter: task.wait_s < 0", "news": "stale", "heartbeat_s": 1},
        {"policy": "filter: machine.cpus > 9", "news": "sample", "sample": 1},
        {"policy": "filter: 1 / 0", "wait_at": "machine"},
    ],
)
def test_runs_that_can_never_go_on_end(params: dict[str, Any]) -> None:
    assert simulate(small(**params)).summary["finished"] == "stuck"


def test_a_policy_that_reads_the_clock_is_asked_again() -> None:
    tasks = simulate(small(policy="filter: task.wait_s >= 5", tick_s=0.5)).tasks
    waited_s = (tasks["first_start_ns"] - tasks["arrival_ns"]) / 1e9
    assert ((waited_s >= 5) & (waited_s <= 16)).all()


def test_two_that_preempt_each_other_end() -> None:
    simulation = ran(small(policy="preempt: 1", preemption_limit=3, tick_s=0.25))
    assert simulation.result is not None
    assert simulation.result.summary["finished"] == "drained"


@pytest.mark.parametrize("news", ["stale", "sample", "truth"])
@pytest.mark.parametrize("delay_s", [0, 0.01])
@pytest.mark.parametrize(
    "policy", ["preempt: 1", "preempt: machine.free_cpus < 4", "filter: sum(m.tasks for m in cluster) < 4\npreempt: 1"]
)
def test_a_machine_preempts_by_what_runs_there_and_refusals_end(news: str, delay_s: float, policy: str) -> None:
    """Where messages take no time, a scheduler whose copy was old asked the same machine forever."""
    data = small(policy=policy, news=news, heartbeat_s=0.3, preemption_limit=2, tick_s=0.25).to_dict()
    data["network"] = {"message_delay_s": delay_s}
    jobs = [{"arrival_s": at, "durations_s": [3.0, 2.5, 4.0]} for at in (0, 0.5, 1.2, 2.1)]
    data["workload"] = {"kind": "inline", "jobs": jobs}
    simulation = ran(Experiment.parse(data))
    assert simulation.result is not None
    summary = simulation.result.summary
    assert summary["finished"] == "drained"
    assert summary["counters"]["conflicts"] < 200
    assert summary["counters"]["events"] < 2_000
    if policy == "preempt: 1":
        assert summary["counters"]["preemptions"] > 0


def test_undefined_values_rank_last_and_are_counted() -> None:
    simulation = ran(small(policy="score: 1 / (machine.cpus - 4)"))
    assert simulation.result is not None
    tasks, counters = simulation.result.tasks, simulation.result.summary["counters"]
    assert tasks["machine"][0] == 0
    assert counters["undefined_score"] > 0
    assert counters["undefined_filter"] == 0


def test_steps_that_are_used_up_end_the_policy_and_the_run_says_when() -> None:
    simulation = ran(small(policy="score: machine.cpus", step_limit=3))
    assert simulation.result is not None
    counters = simulation.result.summary["counters"]
    assert counters["by_fallback"] > 0
    log = simulation.decisions()
    names = {reason.code: reason.name for reason in simulation.spec.reasons}
    assert [names[code] for code in log["reason"].tolist()].count("fell_back") == 1


def test_a_fold_over_all_machines_for_each_machine_costs_too_much_on_many() -> None:
    data = small(policy="score: sum(m.free_cpus - machine.free_cpus for m in cluster)").to_dict()
    data["topology"]["clusters"][0]["machines"][0]["count"] = 20_000
    counters = simulate(Experiment.parse(data)).summary["counters"]
    assert counters["by_fallback"] == counters["decisions"] > 0
    assert counters["steps"] < 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        "preempt: count(m for m in cluster if m.free_cpus > 0) < 1",
        "preempt: 1\nvictim: sum(m.free_cpus for m in cluster)",
        "preempt: 1\nfilter: count(m for m in rack if m.free_cpus > machine.free_cpus) < 5",
    ],
)
def test_what_preempting_could_cost_is_bounded_too_and_the_reason_names_it(text: str) -> None:
    data = small(policy=text).to_dict()
    data["topology"]["clusters"][0]["machines"][0]["count"] = 20_000
    experiment = Experiment.parse(data)
    simulation = ran(experiment)
    assert simulation.result is not None
    counters = simulation.result.summary["counters"]
    assert counters["by_fallback"] == counters["decisions"] > 0
    assert counters["steps"] < 1_000_000
    names = {reason.code: reason.name for reason in simulation.spec.reasons}
    log = simulation.decisions()
    ended = log[[names[code] == "too_dear" for code in log["reason"].tolist()]]
    assert len(ended) == 1
    assert ended["x"][0] > 200_000_000
    # Five machines could carry it out.
    data["topology"]["clusters"][0]["machines"][0]["count"] = 4
    assert simulate(Experiment.parse(data)).summary["counters"]["by_fallback"] == 0


def test_an_order_that_looks_at_every_machine_for_every_waiting_job_costs_too_much() -> None:
    data = small(policy="order: count(m for m in cluster if m.free_cpus > 0) - job.tasks_left").to_dict()
    data["topology"]["clusters"][0]["machines"][0]["count"] = 20_000
    data["workload"] = {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}] * 12_000}
    counters = simulate(Experiment.parse(data)).summary["counters"]
    assert counters["by_fallback"] == counters["decisions"] > 0


def test_settings_are_parameters_with_bounds() -> None:
    text = "param weight = 2 from 0 to 5\nscore: weight * machine.cpus"
    experiment = small(policy=text)
    assert experiment.scheduler.params["weight"] == 2.0
    assert experiment.digest() != small(policy=text, weight=3).digest()
    assert experiment.digest() == small(policy=text, weight=2).digest()
    for params, path in (
        ({"policy": text, "weight": 9}, "scheduler.params.weight"),
        ({"policy": text, "weight": True}, "scheduler.params.weight"),
        ({"policy": text, "wait": 1}, "scheduler.params.wait"),
        ({"policy": "score: machine.free_cpu"}, "scheduler.params.policy line 1, column 8"),
    ):
        with pytest.raises(ExperimentError) as found:
            small(**params)
        assert [problem.path for problem in found.value.problems] == [path]


def test_an_event_changes_a_setting_during_a_run() -> None:
    text = "param least = 100 from 0 to 100\nfilter: machine.cpus >= least"
    data = small(policy=text).to_dict()
    data["events"] = [{"at_s": 3, "kind": "set", "target": {"scheduler": True}, "value": {"least": 4}}]
    tasks = simulate(Experiment.parse(data)).tasks
    assert (tasks["machine"] == 1).all()
    assert tasks["first_start_ns"].min() == 3_010_000_000


@pytest.mark.parametrize("path", sorted(POLICIES.glob("*.policy")), ids=lambda path: path.stem)
def test_every_template_runs(path: Path) -> None:
    summary = simulate(small(policy=path.read_text())).summary
    assert summary["finished"] == "drained"


def test_stale_copies_make_conflicts_and_the_truth_makes_none() -> None:
    text = "score: -machine.number"
    stale = simulate(small(policy=text, news="stale", schedulers=3, heartbeat_s=2)).summary["counters"]
    truth = simulate(small(policy=text, schedulers=3)).summary["counters"]
    assert (stale["conflicts"] > 0, truth["conflicts"]) == (True, 0)


def ends_or_says_why(text: str, params: dict[str, Any]) -> None:
    try:
        experiment = small(policy=text, step_limit=1e6, **params)
    except (ExperimentError, PolicyError):
        return
    summary = simulate(experiment).summary
    assert summary["finished"] in ("drained", "stuck")
    assert np.isfinite(summary["makespan_s"] or 0.0)


def test_why_there_has_every_term_of_the_score_and_every_refusal() -> None:
    text = "filter: machine.cpus < 4 or task.wait_s > 9\nscore: machine.free_cpus - 2 * machine.tasks"
    view = policy_view(small(policy=text), 0.05)
    assert view["task"] == 1  # the first one has the small machine
    assert view["candidates"] == []
    assert view["turned_away"] == [
        {"kind": "1 CPU", "machines": 1, **_VERDICTS, "no_room": 1},
        {"kind": "4 CPUs", "machines": 1, **_VERDICTS, "filtered": 1},
    ]
    open_to_all = policy_view(small(policy="score: machine.free_cpus - 2 * machine.tasks"), 0.0, 3)
    assert [(one["machine"], one["score"]) for one in open_to_all["candidates"]] == [(1, 1.0)]
    assert open_to_all["candidates"][0]["terms"] == [
        {"text": "machine.free_cpus", "value": 3.0},
        {"text": "2 * machine.tasks", "value": -2.0},
    ]
    values = {one["word"]: one["value"] for one in open_to_all["words"]}
    assert values == {"machine.free_cpus": 3.0, "machine.tasks": 1.0}
    with pytest.raises(ExperimentError, match="has no policy"):
        policy_view(Experiment.from_file(PROJECT / "fixtures" / "experiments" / "first.json"), 0)


def test_a_decision_is_judged_before_the_event_that_made_it() -> None:
    text = "score: machine.free_cpus - 2 * machine.tasks"
    made = small(policy=text)
    first = policy_decision(made, 0)
    assert (first["t_s"], first["earlier"]) == (0.0, 0)
    assert policy_decision(made, 1)["earlier"] == 1, "one event places both tasks of the job"
    assert first["machine"] == first["candidates"][0]["machine"] == 1
    assert [(one["machine"], one["score"]) for one in first["candidates"]] == [(1, 4.0), (0, 1.0)]
    third = policy_decision(made, 2)
    assert (third["t_s"], third["machine"], third["reason"], third["news"]) == (0.1, 1, "chosen", "truth")
    without_score = policy_decision(small(policy="filter: machine.cpus > 0"), 0)
    assert (without_score["reason"], without_score["machine"]) == ("first_fit", 0)
    waits = policy_decision(small(policy="filter: task.wait_s > 9\nscore: machine.free_cpus"), 1, 0.05)
    assert (waits["machine"], waits["reason"], waits["candidates"]) == (None, None, [])
    assert sum(kind["filtered"] for kind in waits["turned_away"]) == 2
    with pytest.raises(ExperimentError, match="no task 99"):
        policy_decision(made, 99)


def test_machines_without_the_constraint_or_out_of_service_are_told_apart_from_full_ones() -> None:
    made = small(policy="score: machine.free_cpus").to_dict()
    made["topology"]["clusters"][0]["machines"] = [
        {"count": 2, "cpus": 2, "constraint_shares": {"disk": 0}},
        {"count": 1, "cpus": 4, "constraint_shares": {"disk": 1}},
    ]
    made["constraints"] = {"catalogue": "custom", "custom": [{"name": "disk", "machine_share": 0.5}]}
    made["workload"]["jobs"] = [{"arrival_s": 0.0, "durations_s": [9.0, 9.0, 9.0], "constraints": ["disk"]}]
    made["events"] = [{"at_s": 0.0, "kind": "fail", "target": {"machine": 1}}]
    experiment = Experiment.parse(made)
    two, four = policy_view(experiment, 0.0, 2)["turned_away"]
    assert two == {"kind": "2 CPUs", "machines": 2, **_VERDICTS, "out_of_service": 1, "unsuited": 1}
    assert four == {"kind": "4 CPUs", "machines": 1, **_VERDICTS, "usable": 1}


def test_every_word_has_its_value_now_for_the_task_that_waits_longest() -> None:
    told = policy_words(small(policy="score: machine.free_cpus"), 0.25)
    words = told["words"]
    assert set(words) == {word.text for word in WORDS}
    assert (told["task"], told["waits"]) == (5, True), "five CPUs, six tasks"
    assert words["task.wait_s"] == (pytest.approx(0.05),) * 2
    assert words["task.number"] == (1.0, 1.0)
    assert words["job.tasks_waiting"] == words["cluster.tasks_waiting"] == (1.0, 1.0)
    assert words["machine.cpus"] == words["machine.tasks"] == (1.0, 4.0)
    assert words["machine.free_cpus"] == (0.0, 0.0)
    assert words["victim.duration_s"] == (1.0, 2.0)
    assert words["victim.ran_s"] == (pytest.approx(0.04, abs=0.02), pytest.approx(0.24, abs=0.02))
    assert words["machine.has_data"] is None, "nothing lies on machines here"
    json.dumps(told, allow_nan=False)


def test_the_values_of_words_are_those_that_a_policy_reads() -> None:
    """Under a policy that reads them all; words of one machine lie within the smallest and the largest."""
    read = [word for word in WORDS if word.of not in ("victim", "rack") and word.name != "has_data"]
    lines = [f"w{n} = {word.text}" for n, word in enumerate(read)]
    plain = "machine.free_cpus - 2 * machine.tasks"
    parts = [" + ".join(f"0 * w{n}" for n in range(at, min(at + 12, len(read)))) for at in range(0, len(read), 12)]
    lines += [f"p{n} = {part}" for n, part in enumerate(parts)]
    sums = " + ".join(f"p{n}" for n in range(len(parts)))
    for t_s in (0.05, 0.15, 0.25, 1.1):
        values = policy_words(small(policy=f"score: {plain}"), t_s)
        view = policy_view(small(policy="\n".join([*lines, f"score: {plain} + {sums}"])), t_s, values["task"])
        told = {one["word"]: one["value"] for one in view["words"]}
        assert len(told) == len(read)
        for word, value in told.items():
            if word not in ("now", "task.wait_s"):  # at the last event there, at the instant here
                low, high = values["words"][word]
                assert low - 1e-9 <= value <= high + 1e-9, (t_s, word)


def test_words_have_values_where_no_task_waits_and_where_a_setting_changes() -> None:
    policy = "param w = 2 from 0 to 9\nscore: machine.free_cpus - w"
    made = small(policy=policy, w=3).to_dict()
    made["events"] = [{"at_s": 0.1, "kind": "set", "target": {"scheduler": True}, "value": {"w": 5}}]
    told = policy_words(Experiment.parse(made), 0.05)
    assert (told["task"], told["waits"]) == (0, False), "both tasks of the first job started last"
    assert told["words"]["task.priority"] == (0.0, 0.0)
    over = policy_words(Experiment.parse(made), 99.0)
    assert over["words"]["victim.ran_s"] is None
    with pytest.raises(ExperimentError, match="has no policy"):
        policy_words(Experiment.from_file(PROJECT / "fixtures" / "experiments" / "first.json"), 0)


@pytest.mark.parametrize("params", [{}, {"wait_at": "machine"}, {"schedulers": 2, "news": "stale", "heartbeat_s": 1}])
def test_the_machine_that_a_task_got_is_the_first_candidate(params: dict[str, Any]) -> None:
    made = small(policy="score: machine.free_cpus - 2 * machine.tasks", **params)
    for task in range(6):
        found = policy_decision(made, task)
        if found["machine"] is not None and found["earlier"] == 0:
            assert found["candidates"][0]["machine"] == found["machine"]


def test_a_check_is_plain_data() -> None:
    assert check_policy("score: machine.free_cpu")["problems"][0]["mend"] == "machine.free_cpus"
    found = check_policy("param p = 1 from 0 to 2\nscore: p * machine.cpus")
    assert (found["valid"], found["settings"][0]["high"]) == (True, 2.0)
    json.dumps(found, allow_nan=False)


def test_a_policy_of_the_first_version_runs_as_it_did() -> None:
    """The file has every form, hook and kind of value of version 1 of the language."""
    kept = json.loads((PROJECT / "tests" / "data" / "policy-version-1.json").read_text())
    assert kept["language"] <= LANGUAGE_VERSION
    summary = simulate(Experiment.parse(kept["experiment"])).summary
    assert summary["counters"]["preemptions"] > 0
    assert summary["outcome_digest"] == kept["outcome_digest"]


@pytest.mark.parametrize(
    ("text", "depends", "once", "each"),
    [
        ("score: machine.free_cpus - task.cpus", [], 1, 2),
        ("score: machine.free_cpus * job.tasks_left", ["job", "state"], 1, 2),
        ("filter: task.wait_s > 5\nscore: machine.tasks", ["job", "now"], 3, 1),
        ("order: now", [], 0, 0),
    ],
)
def test_a_check_tells_what_a_choice_costs(text: str, depends: list[str], once: int, each: int) -> None:
    assert check_policy(text)["choice"] == {"kept": not depends, "depends": depends, "once": once, "each": each}


_KNOWN = st.fixed_dictionaries(
    {
        "news": st.sampled_from(["truth", "stale", "sample"]),
        "wait_at": st.sampled_from(["scheduler", "machine"]),
        "schedulers": st.sampled_from([1, 2]),
        "overtake": st.booleans(),
        "heartbeat_s": st.just(1),
    }
)


@given(text=anything, params=_KNOWN)
@examples(1000, few=30)
def test_any_text_gives_a_run_that_ends_or_an_error(text: str, params: dict[str, Any]) -> None:
    ends_or_says_why(text, params)


PARTS = 50


def drawn_params(draw: Random) -> dict[str, Any]:
    """Draw what the schedulers know of the machines."""
    return {
        "news": draw.choice(("truth", "stale", "sample")),
        "wait_at": draw.choice(("scheduler", "machine")),
        "schedulers": draw.choice((1, 2)),
        "overtake": draw.random() < 0.5,
        "heartbeat_s": 1,
    }


@wide
@pytest.mark.parametrize("part", range(PARTS))
def test_generated_policies_give_runs_that_end_or_errors(part: int) -> None:
    """A hundred thousand texts in all; the seed of the text that fails stands in the message."""
    for seed in range(part, FUZZED, PARTS):
        draw = Random(seed)
        text = any_text(draw)
        params = drawn_params(draw)
        try:
            compiles_or_says_why(text)
            ends_or_says_why(text, params)
        except Exception as error:
            raise AssertionError(f"seed {seed}, {params}: {text!r}") from error


@wide
@pytest.mark.parametrize("part", range(4))
def test_generated_policies_reach_no_place_outside_of_an_array(part: int) -> None:
    """Uncompiled, where an index out of bounds is an error; compiled code would read on."""
    command = [sys.executable, "-m", "tests.core.policies_in_bounds", str(part * 100), "100"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
