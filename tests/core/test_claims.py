"""How claims' experiments are made, what is measured of their runs, by hand, and many claims at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scheduler_core.claims import Claim, check, experiments_of, known_claims
from scheduler_core.claims.batches import batches, check_batches
from scheduler_core.claims.charts import Band, Curve
from scheduler_core.claims.drawn import drawn_changes
from scheduler_core.claims.expressions import Expression
from scheduler_core.claims.fairest import fairest_division
from scheduler_core.claims.figures import Ran, ran
from scheduler_core.claims.measures import MEASURES
from scheduler_core.claims.running import check_together
from scheduler_core.claims.setups import Setup, setup_data, with_parents
from scheduler_core.cli.main import main
from scheduler_core.errors import UnknownName
from scheduler_core.experiment import Experiment

TINY: dict[str, Any] = {
    "topology": {"clusters": [{"machines": [{"count": 1}]}]},
    "workload": {
        "kind": "inline",
        "jobs": [{"arrival_s": 0, "durations_s": [2, 2]}, {"arrival_s": 1, "durations_s": [5]}],
    },
    "network": {"message_delay_s": 0},
    "scheduler": {"name": "random-queue", "params": {"decision_time": "none"}},
}
"""One machine: two tasks of 2 s, then one of 5 s that came after 1 s and waits for 3."""


@pytest.fixture(scope="module")
def run() -> Ran:
    return ran(Experiment.parse({"schema_version": 1, "seed": 1, **TINY}))


def claim(**changes: object) -> Claim:
    measure = {"name": "makespan", "of": "one.makespan_s", "band": {"least": 9, "most": 9}}
    data = {"id": "nine-seconds", "source": "test", "says": "It takes nine.", "kind": "exact", "seeds": [1, 2]}
    return Claim.model_validate(data | {"setups": {"one": {"experiment": TINY}}, "measures": [measure]} | changes)


@pytest.mark.parametrize(
    ("called", "expected"),
    [
        (("jobs", "time", "mean"), 6.0),
        (("jobs", "time", "p50"), 4.0),
        (("jobs", "delay", "p99"), 3.0),
        (("jobs", "wait", "mean"), 2.0),
        (("jobs", "ideal", "p99"), 5.0),
        (("jobs", "time", "mean", "short", 3), 4.0),
        (("jobs", "time", "mean", "long", 3), 8.0),
        (("jobs", "time", "mean", "short free", 3), 4.0),
        (("jobs", "time", "mean", "long", 9), None),
        (("share_of_jobs", "short", 3), 0.5),
        (("share_of_jobs", "asking"), 0.0),
        (("execution_delay", 50), 2.0),
        (("queue_time", 0), (2 + 4 + 8) / 3),
        (("running_at", 0, 1), 1.0),
        (("running_at", 1, 1), 0.0),
        (("machine_of", 2), 0.0),
        (("first_start", 2), 4.0),
    ],
)
def test_measures_of_three_tasks_by_hand(run: Ran, called: tuple[Any, ...], expected: float | None) -> None:
    name, *arguments = called
    assert MEASURES[name](run, *arguments) == (expected if expected is None else pytest.approx(expected))


def test_a_gain_is_paired_by_jobs(run: Ran) -> None:
    twice = {"machines": [{"count": 2}]}
    faster = ran(Experiment.parse({"schema_version": 1, "seed": 1, **TINY, "topology": {"clusters": [twice]}}))
    assert MEASURES["gained"](run, faster, "mean") == pytest.approx((4 / 2 + 8 / 6) / 2)
    assert MEASURES["gained"](faster, run, "slowed") == 1.0


def two_machines(scheduler: str, section: dict[str, Any], **job: Any) -> Ran:
    """Run one job of two tasks of 2 s on two machines of one CPU, each a rack, of which none offers anything."""
    changes = {
        "topology": {"clusters": [{"racks": 2, "constraint_shares": {"a": 0, "b": 0}, "machines": [{"count": 2}]}]},
        "constraints": {"catalogue": "custom", "custom": [{"name": n, "machine_share": 0} for n in "ab"]} | section,
        "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [2, 2]} | job]},
        "scheduler": {"name": scheduler, "params": {"short_cutoff_s": 10}},
    }
    return ran(Experiment.parse({"schema_version": 1, "network": {"message_delay_s": 0}} | changes))


def test_measures_of_constraints_that_tasks_did_without() -> None:
    soft = two_machines("phoenix", {"soft": [{"name": "b", "slowdown": 3}]}, constraints=["b"])
    assert [MEASURES[name](soft, 1) for name in ("met", "ran_without", "stretched", "asking_for")] == [1, 2, 3, 2]
    assert [MEASURES[name](soft, 0) for name in ("met", "ran_without", "stretched", "asking_for")] == [None, 0, None, 0]
    assert MEASURES["share_of_tasks"](soft, "asking") == 1
    assert MEASURES["asking"](soft, "time", "mean", 10, 1) == pytest.approx(6)
    assert MEASURES["asking"](soft, "time", "mean", 10, 0) is None
    hard = two_machines("phoenix", {"soft": [{"name": "b"}]}, constraints=["a", "b"])
    assert MEASURES["met"](hard, 1) is None


def test_a_job_bound_to_a_rack_waits_longer_than_by_itself() -> None:
    bound, free = (two_machines("hawk-c", {"racks": [{"kind": "affinity", "share": n}]}) for n in (1, 0))
    assert (bound.rules.tolist(), free.rules.tolist()) == ([1], [0])
    assert MEASURES["jobs"](bound, "wait", "mean") == pytest.approx(1)
    with np.errstate(divide="ignore"):
        assert MEASURES["bound_wait"](bound, free) == float("inf")


def test_the_fairest_division_gives_the_poorest_as_many_as_can_be() -> None:
    """Three jobs on four machines: the first may use one of them alone."""
    able = np.array([[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]], np.bool_)
    assert sorted(fairest_division(able).tolist()) == [1, 1, 2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("least_rise(1, 3, 4)", 1.0),
        ("least_rise(1, 3, 3)", 0.0),
        ("least_rise(3, 2, 9)", -1.0),
        ("rank_correlation(1, 2, 9, 10, 20, 30)", 1.0),
        ("rank_correlation(9, 2, 1, 10, 20, 30)", -1.0),
        ("rank_correlation(5, 5, 5, 1, 2, 3)", 0.0),
    ],
)
def test_orders_over_numbers(text: str, expected: float) -> None:
    assert Expression.parse(text).value({}) == pytest.approx(expected)


def test_a_band_above_a_number_does_not_hold_that_number() -> None:
    assert not Band(above=0).holds(0)
    assert Band(above=0, most=1).holds(1)
    assert str(Band(above=0)) == "above 0"
    with pytest.raises(ValueError, match="not both"):
        Band(above=0, least=0)


def test_a_setup_begins_with_another_and_changes_what_was_drawn() -> None:
    setups = {
        "base": Setup(
            experiment={"scheduler": {"name": "swarm", "params": {"x": 1}}}, drawn={"by": "images", "tasks": 3}
        ),
        "next": Setup(of="base", change={"workload.jobs[0].durations_s": [7.0], "scheduler.params.x": "null"}),
    }
    made = setup_data(setups, setups["next"], seed=1)
    assert [job["durations_s"] for job in made["workload"]["jobs"]] == [[7.0], [10.0], [10.0]]
    assert made["scheduler"]["params"] == {"x": None}
    assert with_parents({"next"}, setups) == {"base", "next"}


@pytest.mark.parametrize("name", ["askalon", "chronos", "three_sets", "choosy_jobs"])
def test_what_is_drawn_depends_on_the_seed_alone(name: str) -> None:
    assert drawn_changes({"by": name}, 1) == drawn_changes({"by": name}, 1)
    assert drawn_changes({"by": name}, 1) != drawn_changes({"by": name}, 2)


def test_drawn_workflows_have_the_shapes_of_the_paper() -> None:
    jobs = drawn_changes({"by": "askalon"}, 1)["workload"]["jobs"]
    assert len(jobs) == 757
    assert np.mean([len(job["stages"]) == 1 for job in jobs]) == pytest.approx(0.3, abs=0.05)
    chains = drawn_changes({"by": "chronos"}, 1)["workload"]["jobs"]
    assert len(chains) == 1024
    assert np.mean([sum(one["duration_s"] for one in job["stages"]) for job in chains]) == pytest.approx(8, rel=0.1)


def test_an_unknown_drawing_function_and_workload_are_named() -> None:
    with pytest.raises(UnknownName, match="askalon"):
        drawn_changes({"by": "askalom"}, 1)
    one = Setup(experiment={}, workload="tpc-dx")
    with pytest.raises(ValueError, match="tpc-ds"):
        setup_data({}, one, seed=1)


def test_setups_of_a_file_are_those_of_the_claims_that_name_them() -> None:
    tail = known_claims()["megha-f7-components"]
    assert set(tail.setups) == {"tail"}
    grid = known_claims()["megha-f9-gmlm"]
    masters = {name: len(one.to_dict()["topology"]["clusters"]) for name, one in experiments_of(grid, 1).items()}
    assert "grid" in grid.setups
    assert "grid" not in masters
    sizes = {
        (group["repeat"], group["repeat"] * group["machines"][0]["count"])
        for one in experiments_of(grid, 1).values()
        for group in one.to_dict()["topology"]["clusters"]
    }
    assert sizes == {(count, 30_000) for count in (2, 5, 10, 20, 30)}


def test_only_named_setups_run_and_curves_are_figures_of_the_run() -> None:
    chart = {
        "x": "x",
        "y": "y",
        "curves": [{"name": "ends", "x": [1, 2], "of": ["one.makespan_s", "one.makespan_s * 2"]}],
    }
    never = {"experiment": {"scheduler": {"name": "no-such"}}}
    found = check(claim(setups={"one": {"experiment": TINY}, "never": never}, chart=chart))
    assert found.verdict == "reproduced"
    assert found.figures == {"makespan": (9.0, 9.0), "ends at 1": (9.0, 9.0), "ends at 2": (18.0, 18.0)}
    with pytest.raises(ValueError, match="value for each"):
        Curve(name="ends", x=(1, 2), of=("one.makespan_s",))


def test_a_claim_is_no_better_than_its_recorded_parts() -> None:
    part = {"name": "by hand", "verdict": "not reproduced"}
    made = claim(recorded=[part], held="By hand.", expected="not reproduced", reason="It is so.")
    assert check(made).verdict == "not reproduced"
    with pytest.raises(ValueError, match="worst of its parts"):
        claim(recorded=[part], held="By hand.")


def test_a_claim_without_its_trace_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCHEDULER_TRACES", str(tmp_path))
    found = check(known_claims()["oracle-sparrow-yh1-4000"])
    assert found.verdict == "cannot be run"
    assert "YH1_sub.tr" in found.why
    assert str(tmp_path) in found.why
    assert main(["claims", "run", "oracle-sparrow-yh1-4000", "--processes", "1"]) == 0
    assert "meghanat/megha_simulator" in capsys.readouterr().out


def test_claims_together_give_what_each_gives_alone_and_share_their_runs() -> None:
    ran_here: list[str] = []

    def counted(experiment: Experiment) -> Ran:
        ran_here.append(experiment.digest())
        return ran(experiment)

    from scheduler_core.claims.running import kept_runs

    other = claim(id="ten-seconds", seeds=[2, 3])
    found = check_together([claim(), other], run=kept_runs(counted))
    assert found == [check(claim()), check(other)]
    assert len(ran_here) == 3  # seeds 1, 2 and 3


def test_batches_are_checked_and_reported_as_they_end() -> None:
    asked = [known_claims()[name] for name in ("altruism-gives", "refarch-t2", "carbyne-f2-toy")]
    assert set(batches(asked)) == {"gallery", "refarch", "carbyne"}
    heard: list[tuple[int, int]] = []
    found = {one.id: one.verdict for one in check_batches(asked, done=lambda over, of: heard.append((over, of)))}
    assert found == {one.id: "reproduced" for one in asked}
    assert heard == [(1, 3), (2, 3), (3, 3)]


def test_the_command_writes_a_table_of_a_paper_s_claims(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "table", "sirius"]) == 0
    told = capsys.readouterr().out
    assert "`sirius-f4-toy`" in told
    assert "✓" in told
    assert main(["claims", "table", "no-such-paper"]) == 2


def test_saved_results_are_json_that_names_code_and_date() -> None:
    path = Path(__file__).resolve().parents[2] / "scheduler_core" / "claims" / "results.json"
    one = json.loads(path.read_text())["results"]["megha-f3-4-tail"]
    assert len(one["code"]) == 64
    assert one["date"].startswith("20")
