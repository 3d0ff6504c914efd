"""From a plan to experiments, to numbers, to a table."""

from __future__ import annotations

import io
from typing import Any

import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

from scheduler_core import Experiment, ExperimentError, StudyPlan, expand, run_study, simulate, study_table, write_study
from scheduler_core.cluster.build import build_cluster
from scheduler_core.experiment.places import with_changes, with_value
from scheduler_core.limits import Limits
from scheduler_core.studies.results import Findings, measured_numbers, unit_of
from scheduler_core.studies.running import Growth, measure_run
from scheduler_core.workload.build import build_workload

HEARTBEAT = "scheduler.params.heartbeat_s"
COUNT = "topology.clusters[0].machines[0].count"


def experiment(**changes: Any) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": 7,
            "topology": {
                "global_masters": 2,
                "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 10, "cpus": 1}]}],
            },
            "workload": {
                "kind": "synthetic",
                "jobs": 60,
                "arrivals": {"kind": "poisson", "offered_load": 0.9},
                "duration_s": {"kind": "exponential", "mean": 2},
            },
            "scheduler": {"name": "megha", "params": {"heartbeat_s": 3}},
        }
        | changes
    )


def problems(plan: dict[str, Any], of: Experiment | None = None, **limits: int) -> dict[str, str]:
    with pytest.raises(ExperimentError) as caught:
        expand(of or experiment(), StudyPlan.parse(plan), limits=Limits(**limits))
    return {problem.path: problem.message for problem in caught.value.problems}


def test_a_grid_of_two_axes_in_its_order() -> None:
    grid = expand(
        experiment(),
        StudyPlan.parse(
            {
                "axes": [{"path": HEARTBEAT, "values": [1, 10]}, {"path": COUNT, "values": [5, 10, 20]}],
                "repeats": 2,
            }
        ),
    )
    assert (grid.runs, len(grid.cells), grid.seeds) == (12, 6, (7, 8))
    made = [(grid.experiment(*grid.run(number)), grid.run(number)[1]) for number in range(grid.runs)]
    machines = [data["topology"]["clusters"][0]["machines"][0]["count"] for data, _ in made]
    beats = [data["scheduler"]["params"]["heartbeat_s"] for data, _ in made]
    told = list(zip([data["seed"] for data, _ in made], beats, machines, strict=True))
    points = [(1, 5), (1, 10), (1, 20), (10, 5), (10, 10), (10, 20)]
    assert told == [(7, *point) for point in points] + [(8, *point) for point in points]
    assert all(data["seed"] == seed for data, seed in made)
    # Nothing else differs, and the experiment itself is as it was.
    assert grid.base == experiment().to_dict()
    assert [run[0] for run in made] == [Experiment.parse(run[0]).to_dict() for run in made]


REPEAT = "topology.clusters[0].repeat"


def test_parameters_that_move_together_are_one_axis() -> None:
    """As in Megha's Figure 9: more clusters with fewer machines each, and as many machines in all."""
    axis = {"path": REPEAT, "values": [2, 5, 10], "along": [{"path": COUNT, "values": [50, 20, 10]}]}
    plan = StudyPlan.parse({"axes": [axis], "schedulers": [{"name": "megha"}, {"name": "sparrow"}], "repeats": 1})
    grid = expand(experiment(), plan)
    assert grid.runs == 6
    sizes = []
    for number in range(grid.runs):
        [cluster] = grid.experiment(*grid.run(number))["topology"]["clusters"]
        sizes.append((cluster["repeat"], cluster["machines"][0]["count"]))
    assert sizes == [(2, 50), (2, 50), (5, 20), (5, 20), (10, 10), (10, 10)]
    assert StudyPlan.parse(plan.to_dict()) == plan
    assert plan.to_dict()["axes"][0]["along"][0]["values"] == [50, 20, 10]
    table = study_table(grid, [(0, {"outcome_digest": "a"}), (4, {"outcome_digest": "b"})])
    assert (table[REPEAT].to_pylist(), table[COUNT].to_pylist()) == ([2, 10], [50, 10])


def arrivals(held: str | None, of: Experiment, seed: int = 7) -> list[list[int]]:
    axis = {"path": COUNT, "values": [5, 10, 40]} | ({} if held is None else {"holds": held})
    load = {"path": "workload.arrivals.offered_load", "values": [0.5]}
    grid = expand(of, StudyPlan.parse({"axes": [axis, load], "repeats": 1}))
    made = [Experiment.parse(grid.experiment(cell, seed)) for cell in grid.cells]
    return [build_workload(one, build_cluster(one)).jobs.arrival_ns.tolist() for one in made]


CLASSES = [{"name": "a", "weight": 1, "duration_s": {"kind": "constant", "value": 1}}, {"name": "b", "weight": 3}]


@pytest.mark.parametrize("classes", [False, True])
def test_more_machines_come_with_the_same_work_or_with_the_same_load(classes: bool) -> None:
    """The rate that is held is that of the experiment's own machines under the other axis's load, seed by seed."""
    workload = experiment().to_dict()["workload"] | ({"classes": CLASSES} if classes else {})
    of = experiment(workload=workload)
    same_work, same_load = arrivals("work", of), arrivals("load", of)
    assert same_work[0] == same_work[1] == same_work[2]
    assert max(abs(one - other) for one, other in zip(same_work[1], same_load[1], strict=True)) <= 1
    assert same_load[0][-1] > 7 * same_load[2][-1]
    assert arrivals(None, of) == same_load
    assert arrivals("work", of, seed=8)[0] != same_work[0]


def test_what_an_axis_holds_is_kept_in_the_plan_and_refused_where_it_means_nothing() -> None:
    plan = StudyPlan.parse({"axes": [{"path": COUNT, "values": [5], "holds": "work"}]})
    assert StudyPlan.parse(plan.to_dict()) == plan
    assert "holds" not in StudyPlan.parse({"axes": [{"path": COUNT, "values": [5]}]}).to_dict()["axes"][0]
    told = problems({"axes": [{"path": "workload.arrivals.offered_load", "values": [0.5], "holds": "work"}]})
    assert told == {"axes[0]": "holds the work while it changes workload.arrivals.offered_load"}
    trace = {"kind": "trace", "path": "somewhere.csv", "offered_load": 0.5}
    told = problems(plan.to_dict(), experiment(workload=trace))
    assert list(told) == ["axes[0].holds"]


def test_a_parameter_that_moves_along_is_left_where_a_scheduler_lacks_it() -> None:
    axis = {"path": COUNT, "values": [10, 20], "along": [{"path": HEARTBEAT, "values": [1, 2]}]}
    plan = StudyPlan.parse({"axes": [axis], "schedulers": [{"name": "megha"}, {"name": "sparrow"}], "repeats": 1})
    grid = expand(experiment(), plan)
    told = [grid.experiment(cell, 7)["scheduler"]["params"].get("heartbeat_s") for cell in grid.cells]
    assert told == [1, None, 2, None]


def test_who_lacks_the_parameter_stays_as_it_is_and_runs_once() -> None:
    grid = expand(
        experiment(),
        StudyPlan.parse(
            {
                "axes": [{"path": HEARTBEAT, "values": [1, 10]}],
                "schedulers": [{"name": "megha"}, {"name": "sparrow"}],
            }
        ),
    )
    assert [(cell.scheduler, cell.at) for cell in grid.cells] == [(0, (0,)), (1, (None,)), (0, (1,))]
    assert grid.runs == 30
    chosen = {"name": "sparrow", "params": {}, "plugin_sha256": None}
    assert grid.experiment(grid.cells[1], 7)["scheduler"] == chosen


def test_the_experiments_own_scheduler_keeps_its_parameters() -> None:
    plan = {"schedulers": [{"name": "megha"}, {"name": "megha", "params": {}}, {"name": "sparrow"}], "repeats": 1}
    grid = expand(experiment(), StudyPlan.parse(plan))
    assert [one["params"].get("heartbeat_s") for one in grid.schedulers] == [3, None, None]
    assert grid.labels()[2] == "Sparrow"
    assert grid.labels()[0].startswith("Megha (")
    assert "heartbeat_s 3" in grid.labels()[0]
    assert grid.labels()[0] != grid.labels()[1]


@pytest.mark.parametrize(
    ("plan", "path", "said"),
    [
        ({"axes": [{"path": "seed", "values": [1]}]}, "axes[0].path", "cannot be varied"),
        ({"axes": [{"path": "a..b", "values": [1]}]}, "axes[0].path", "is not a path"),
        ({"axes": [{"path": HEARTBEAT, "values": [1, 1]}]}, "axes[0].values", "twice"),
        ({"axes": [{"path": HEARTBEAT, "values": []}]}, "axes[0].values", "has 0 entries"),
        ({"axes": [{"path": HEARTBEAT, "values": [[1]]}]}, "axes[0].values[0]", "is a list"),
        ({"axes": [{"path": HEARTBEAT, "values": [1, -1]}]}, "axes[0].values[1]", HEARTBEAT),
        ({"axes": [{"path": "network.delay", "values": [1]}]}, "axes[0].values[0]", "is not a known key"),
        ({"axes": [{"path": "topology.clusters[4].racks", "values": [1]}]}, "axes[0].path", "has 1 entries"),
        ({"axes": [{"path": "topology.clusters", "values": [1]}]}, "axes[0].path", "holds several"),
        ({"axes": [{"path": "topology.clusters[0]", "values": [1]}]}, "axes[0].path", "holds several"),
        ({"axes": [{"path": "scheduler.params.nonsense", "values": [1]}]}, "axes[0].path", "no scheduler of this"),
        ({"axes": [{"path": HEARTBEAT, "values": [1]}] * 2}, "axes[1].path", "twice"),
        ({"axes": [{"path": HEARTBEAT, "values": [1]}] * 3}, "axes", "has 3 entries"),
        (
            {"axes": [{"path": COUNT, "values": [1, 2], "along": [{"path": HEARTBEAT, "values": [1]}]}]},
            "axes[0]",
            "has 1 values for",
        ),
        (
            {"axes": [{"path": COUNT, "values": [1, 2], "along": [{"path": HEARTBEAT, "values": [1, -1]}]}]},
            "axes[0].along[0].values[1]",
            HEARTBEAT,
        ),
        (
            {"axes": [{"path": COUNT, "values": [1], "along": [{"path": COUNT, "values": [1]}]}]},
            "axes[0].along[0].path",
            "twice",
        ),
        (
            {"axes": [{"path": COUNT, "values": [1], "along": [{"path": "topology.racks.x", "values": [1]}]}]},
            "axes[0].along[0].path",
            "no",
        ),
        ({"schedulers": [{"name": "nobody"}]}, "schedulers[0].name", "no scheduler is called"),
        ({"schedulers": [{"name": "megha"}, {"name": "megha"}]}, "schedulers[1]", "twice"),
        (
            {"schedulers": [{"name": "megha"}, {"name": "sparrow", "params": {"probe_ratio": -1}}]},
            "schedulers[1]",
            "probe_ratio",
        ),
        ({"repeats": 0}, "repeats", "out of bounds"),
        ({"repeats": 1001}, "repeats", "out of bounds"),
        ({"seeds": [1]}, "seeds", "is not a known key"),
    ],
)
def test_what_cannot_be_asked_is_said_at_its_place(plan: dict[str, Any], path: str, said: str) -> None:
    found = problems(plan)
    assert list(found) == [path]
    assert said in found[path]


def test_a_scheduler_that_does_not_honor_the_experiment_is_named() -> None:
    faulty = experiment(events=[{"at_s": 1, "kind": "fail", "target": {"global_master": 0}, "duration_s": 5}])
    found = problems({"schedulers": [{"name": "megha"}, {"name": "sparrow"}, {"name": "tetrisched"}]}, faulty)
    assert set(found) <= {"schedulers[1]", "schedulers[2]"}
    assert found


def test_too_many_runs_are_refused_before_any_is_made() -> None:
    plan = {"axes": [{"path": HEARTBEAT, "values": list(range(1, 101))}], "repeats": 1000}
    assert "100,000 runs in one study" in problems(plan, study_runs=99_999)["repeats"]
    assert "bytes of all experiments" in problems(plan, study_bytes=10_000)["axes"]


def test_values_are_set_without_touching_what_was_there() -> None:
    data = {"a": [{"b": 1}], "c": None}
    assert with_value(data, "a[0].b", 2) == {"a": [{"b": 2}], "c": None}
    assert data == {"a": [{"b": 1}], "c": None}
    with pytest.raises(LookupError, match="has no c"):
        with_value(data, "c.d", 1)
    with pytest.raises(LookupError, match="is not a list"):
        with_value(data, "a[0][1].b", 1)


@pytest.mark.parametrize("path", ["offered_load", "rate_per_s"])
def test_a_load_takes_the_place_of_a_rate_and_a_rate_that_of_a_load(path: str) -> None:
    """A fit gives its arrivals by a rate; an experiment with both is refused."""
    other = {"offered_load": "rate_per_s", "rate_per_s": "offered_load"}[path]
    data = {"workload": {"arrivals": {"kind": "poisson", other: 2.0}}}
    expected = {"workload": {"arrivals": {"kind": "poisson", path: 0.5}}}
    whole = f"workload.arrivals.{path}"
    assert with_value(data, whole, 0.5) == with_changes(data, {whole: 0.5}) == expected
    assert data == {"workload": {"arrivals": {"kind": "poisson", other: 2.0}}}
    both = {whole: 0.5, f"workload.arrivals.{other}": None}
    assert with_changes(data, both) == {"workload": {"arrivals": {"kind": "poisson", path: 0.5, other: None}}}
    assert with_changes(data, {whole: "absent"}) == data


def test_a_study_varies_the_load_of_work_whose_arrivals_have_a_rate() -> None:
    fit = experiment().to_dict()["workload"] | {"arrivals": {"kind": "poisson", "rate_per_s": 3.0}}
    plan = {"axes": [{"path": "workload.arrivals.offered_load", "values": [0.5, 0.9]}], "repeats": 2}
    grid = expand(experiment(workload=fit), StudyPlan.parse(plan))
    loads = [grid.experiment(cell, 1)["workload"]["arrivals"] for cell in grid.cells]
    assert [arrivals["offered_load"] for arrivals in loads] == [0.5, 0.9]
    assert not any(arrivals.get("rate_per_s") for arrivals in loads)


def test_a_study_finds_what_its_runs_find_one_by_one() -> None:
    plan = StudyPlan.parse(
        {
            "axes": [{"path": COUNT, "values": [10, 30]}],
            "schedulers": [{"name": "megha"}, {"name": "sparrow"}],
            "repeats": 3,
        }
    )
    summaries: dict[int, dict[str, Any]] = {}
    findings = run_study(experiment(), plan, on_run=lambda number, summary: summaries.update({number: summary}))
    grid = findings.grid
    assert sorted(summaries) == list(range(12))
    for number in (0, 5, 11):
        alone = simulate(Experiment.parse(grid.experiment(*grid.run(number)))).summary
        assert summaries[number]["outcome_digest"] == alone["outcome_digest"]
    told = findings.tell("allocation_delay_s.mean")
    assert (told["unit"], told["runs"], told["confidence"]) == ("s", 12, 0.95)
    assert "Student" in told["method"]
    first = told["cells"][0]
    assert first["values"] == [10]
    own = [summaries[number]["allocation_delay_s"]["mean"] for number in (0, 4, 8)]
    assert first["value"] == pytest.approx(sum(own) / 3)
    assert first["low"] < first["value"] < first["high"]
    # Three times the machines: nearly nobody waits. Sparrow against Megha at each number of machines.
    assert told["cells"][2]["value"] < first["value"]
    assert [(each["scheduler"], each["at"], each["difference"]["n"]) for each in told["comparisons"]] == [
        (1, [0], 3),
        (1, [1], 3),
    ]
    sparrow = [summaries[number]["allocation_delay_s"]["mean"] for number in (1, 5, 9)]
    assert told["comparisons"][0]["difference"]["value"] == pytest.approx((sum(sparrow) - sum(own)) / 3)

    table = study_table(grid, summaries.items())
    assert table.column_names[:6] == ["run", "scheduler", "label", "seed", COUNT, "outcome_digest"]
    assert table.column("scheduler").to_pylist()[:4] == ["megha", "sparrow"] * 2
    # What only one of them counts is empty for the other.
    probes = table.column("counters.probes").to_pylist()
    assert [value is None for value in probes] == [True, False] * 6
    for kind, read in (("csv", pa_csv.read_csv), ("parquet", pq.read_table)):
        file = io.BytesIO()
        write_study(table, file, kind)
        file.seek(0)
        assert read(file).column("allocation_delay_s.p99").to_pylist() == pytest.approx(
            table.column("allocation_delay_s.p99").to_pylist()
        )


def test_partial_findings_pair_only_what_both_have() -> None:
    grid = expand(
        experiment(),
        StudyPlan.parse(
            {
                "axes": [{"path": HEARTBEAT, "values": [1, 10]}],
                "repeats": 2,
                "schedulers": [{"name": "megha"}, {"name": "sparrow"}],
            }
        ),
    )
    findings = Findings(grid)
    assert findings.tell("x")["cells"] == []
    # Cells: Megha at 1, Sparrow, Megha at 10. Of the second seed only Megha at 1 is there.
    for number, value in ((0, 5.0), (1, 3.0), (2, 6.0), (3, 5.0)):
        findings.add(number, {"x": value})
    told = findings.tell("x", against=0)
    found = [(cell["cell"], cell["n"], cell["value"]) for cell in told["cells"]]
    assert found == [(0, 2, 5.0), (1, 1, 3.0), (2, 1, 6.0)]
    # The one that has no heartbeat is held against each of the other's values.
    assert [(each["at"], each["difference"]["value"], each["difference"]["n"]) for each in told["comparisons"]] == [
        ([0], -2.0, 1),
        ([1], -3.0, 1),
    ]
    assert {each["verdict"] for each in told["comparisons"]} == {"not distinguishable yet"}


def test_a_run_in_which_nothing_completed_has_no_delay_and_is_counted() -> None:
    plan = {"axes": [{"path": "stop.at_s", "values": [1e-6, 1e6]}], "repeats": 2}
    data = experiment().to_dict() | {"stop": {"when": "at_s", "at_s": 1}}
    summaries: dict[int, dict[str, Any]] = {}
    findings = run_study(Experiment.parse(data), plan, on_run=summaries.__setitem__)
    told = findings.tell("job_delay_s.p99")
    assert [(one["cell"], one["values"], one["runs"]) for one in told["none"]] == [(0, [1e-6], 2)]
    assert [(one["cell"], one["n"]) for one in told["cells"]] == [(1, 2)]
    table = study_table(findings.grid, summaries.items())
    assert table.column("job_delay_s.p99").to_pylist()[::2] == [None, None]
    file = io.BytesIO()
    write_study(study_table(findings.grid, list(summaries.items())[::2]), file, "csv")
    assert b"job_delay_s.p99" in file.getvalue()


def test_names_and_units_of_what_is_measured() -> None:
    numbers = measured_numbers(
        {
            "job_delay_s": {"mean": None},
            "seed": 3,
            "performance": {"wall_s": 1},
            "tasks": {"total": 2},
            "allocation_delay_s": {"p99.9": 1.5},
            "by_class": {"short": {"jobs": 1}},
            "ok": True,
        }
    )
    assert numbers.pop("job_delay_s.mean", 0) is None
    assert numbers == {"tasks.total": 2, "allocation_delay_s.p99.9": 1.5, "by_class.short.jobs": 1}
    assert [unit_of(name) for name in ("allocation_delay_s.p99.9", "utilisation.cpus", "tasks.total")] == ["s", "1", ""]


def test_a_plan_as_the_server_told_it_can_be_sent_back() -> None:
    plan: dict[str, Any] = {"axes": [{"path": HEARTBEAT, "values": [1, 10]}]}
    told = {"axes": [{**plan["axes"][0], "label": "Heartbeat interval"}]}
    assert StudyPlan.parse(told).to_dict() == StudyPlan.parse(plan).to_dict()


@pytest.mark.parametrize(
    "metric",
    ["allocation_delay_s.p90", "makespan_s", "utilisation.cpus", "counters.messages", "fairness.entitled_worst"],
)
def test_a_growing_number_is_at_each_instant_that_of_a_run_stopped_there(metric: str) -> None:
    grid, growth = expand(experiment(), StudyPlan.parse({})), Growth(metric, instants=8)
    summary = measure_run(grid, 0, growth=growth)
    assert growth.points[-1][1] == measured_numbers(summary)[metric]
    assert summary["outcome_digest"] == measure_run(grid, 0)["outcome_digest"], "watching changes nothing"
    for at_s, value in growth.points[2:5]:
        stopped = simulate(experiment(stop={"when": "at_s", "at_s": at_s})).summary
        assert value == measured_numbers(stopped)[metric], at_s
    assert growth.points[0][1] in (None, 0), "nothing has happened at the beginning"
    assert len({value for _, value in growth.points}) > 3


def test_a_number_that_no_run_measures_does_not_grow() -> None:
    growth = Growth("no.such", instants=4)
    measure_run(expand(experiment(), StudyPlan.parse({})), 0, growth=growth)
    assert {value for _, value in growth.points} == {None}
