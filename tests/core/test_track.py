"""The track of a run: every task once, its times those of the run's own table, whatever the scheduler."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import msgpack
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scheduler_core import (
    SCHEDULERS,
    Experiment,
    RecordingReader,
    RunView,
    Simulation,
    recorded_track,
    scheduler_by_name,
)
from scheduler_core.recording.file import LEAST_TRACK, MOST_TRACK
from scheduler_core.recording.track import Window, numbers, with_fewer_moves
from scheduler_core.run.telling import sentence
from scheduler_core.studies.signatures import signature_experiment
from scheduler_core.world.spec import Reason
from tests.contracts import kept
from tests.core.experiments import by_loop

NEVER = (1 << 32) - 1
CLASSES = [
    {"name": "short", "weight": 9, "tasks_per_job": {"kind": "constant", "value": 5},
     "duration_s": {"kind": "exponential", "mean": 1}},
    {"name": "long", "weight": 1, "tasks_per_job": {"kind": "constant", "value": 4},
     "duration_s": {"kind": "constant", "value": 12}},
]  # fmt: skip


def experiment_of(scheduler: str) -> Experiment:
    """A datacenter with too much to do for three queues, and a rack that fails where the scheduler knows of faults."""
    data: dict[str, Any] = {
        "schema_version": 1, "seed": 5,
        "topology": {"global_masters": 3, "clusters": [
            {"name": "c", "repeat": 2, "racks": 2, "machines": [{"count": 12, "cpus": 2, "memory_gb": 8}]}]},
        "queues": [{"name": name, "share": share, "global_master": master}
                   for master, (name, share) in enumerate([("a", 0.5), ("b", 0.3), ("c", 0.2)])],
        "workload": {"kind": "synthetic", "tasks": 400, "arrivals": {"kind": "poisson", "offered_load": 1.1},
                     "duration_varies": "job", "classes": CLASSES, "duration_s": {"kind": "constant", "value": 1},
                     "demand": {"cpus": 1, "memory_gb": 2}},
        "scheduler": {"name": scheduler},
    }  # fmt: skip
    if "machine_faults" in scheduler_by_name(scheduler).supports:
        data["events"] = [{"at_s": 6, "kind": "fail", "target": {"rack": 1}, "duration_s": 3}]
    return Experiment.parse(data)


def finished(scheduler: str) -> Simulation:
    simulation = Simulation(experiment_of(scheduler), frames=20)
    for _ in simulation.run():
        pass
    return simulation


def columns(part: dict[str, Any]) -> dict[str, Any]:
    """The columns of a part of a track as numbers."""
    count = part["count"]
    return {
        name: numbers(data) if len(data) == 4 * count else np.frombuffer(data, np.uint8).astype(np.int64)
        for name, data in part.items() if name != "count"
    }  # fmt: skip


@pytest.mark.parametrize("scheduler", by_loop([spec.name for spec in SCHEDULERS], ["kubernetes", "sirius-fairness"]))
def test_every_task_is_there_once_with_the_times_of_its_row(scheduler: str) -> None:
    simulation = finished(scheduler)
    assert simulation.result is not None
    track = kept("track", RunView(simulation).track())
    table, tasks, spells = simulation.result.tasks, columns(track["tasks"]), columns(track["spells"])
    unit = track["unit_ns"]
    assert track["tasks"]["count"] == len(table)
    assert (tasks["job"] == table["job"]).all()
    assert (tasks["machine"] - 1 == table["machine"]).all()
    assert (tasks["arrival"] == table["arrival_ns"] // unit).all()
    started = table["first_start_ns"] >= 0
    begun = sum(tasks[part] for part in ("arrival", "framework", "processing", "communication", "worker"))
    assert started.any()
    assert (begun == table["first_start_ns"] // unit)[started].all()
    done = table["end_ns"] >= 0
    assert (tasks["ran"][~done] == NEVER).all()
    assert (table["last_start_ns"] // unit + tasks["ran"] == table["end_ns"] // unit)[done].all()
    for row in np.unique(spells["row"]):
        mine = spells["row"] == row
        start, end = spells["start"][mine], spells["end"][mine]
        assert (start <= end).all()
        assert (end[:-1] <= start[1:]).all()
        if done[row]:
            assert end[-1] == table["end_ns"][row] // unit
            assert spells["machine"][mine][-1] - 1 == table["machine"][row]


@pytest.mark.parametrize("scheduler", ["megha", "kubernetes", "sirius-fairness"])
def test_what_a_stopped_task_lost_is_what_its_earlier_spells_last(scheduler: str) -> None:
    simulation = finished(scheduler)
    assert simulation.result is not None
    track, table = RunView(simulation).track(), simulation.result.tasks
    spells = columns(track["spells"])
    stopped = np.flatnonzero((table["attempts"] > 1) & (table["end_ns"] >= 0))
    assert len(stopped) > 5
    lasted = np.zeros(len(table))
    np.add.at(lasted, spells["row"], (spells["end"] - spells["start"]) * track["unit_ns"])
    lost = lasted[stopped] - (table["end_ns"] - table["last_start_ns"])[stopped]
    # An order takes half a millisecond, and so does a launch.
    allowed = 2_000_000 * table["attempts"][stopped]
    assert (np.abs(lost - table["lost_ns"][stopped]) <= allowed).all()


@pytest.mark.parametrize("scheduler", by_loop([spec.name for spec in SCHEDULERS]))
def test_a_run_under_way_knows_what_has_happened_and_nothing_else(scheduler: str) -> None:
    whole = columns(RunView(finished(scheduler)).track()["tasks"])
    simulation = Simulation(experiment_of(scheduler), frames=0)
    simulation.prepare()
    simulation.advance_to(8_000_000_000)
    track = RunView(simulation).track()
    part, unit = columns(track["tasks"]), track["unit_ns"]
    count = track["tasks"]["count"]
    assert 0 < count < len(whole["job"])
    assert (part["arrival"] == whole["arrival"][:count]).all()
    assert part["arrival"].max() * unit <= simulation.now_ns
    ended = part["ran"] != NEVER
    assert ended.any()
    assert (part["ran"] == whole["ran"][:count])[ended].all()


def test_the_same_experiment_has_the_same_track() -> None:
    assert msgpack.packb(RunView(finished("megha")).track()) == msgpack.packb(RunView(finished("megha")).track())


def test_a_window_has_the_tasks_of_its_machines_and_names_them() -> None:
    simulation = finished("megha")
    whole, window = RunView(simulation).track(), RunView(simulation).track(Window(3_000_000_000, 5_000_000_000, 4, 6))
    kept("track", window)
    tasks, part = columns(whole["tasks"]), columns(window["tasks"])
    assert 0 < window["tasks"]["count"] < whole["tasks"]["count"] / 4
    for name, column in part.items():
        if name != "task":
            assert (column == tasks[name][part["task"]]).all(), name
    start = sum(tasks[part] for part in ("arrival", "framework", "processing", "communication", "worker"))
    once = ~np.isin(np.arange(len(start)), columns(whole["spells"])["row"])
    there = once & (start <= 5_000_000) & (start + tasks["ran"] >= 3_000_000)
    there &= (tasks["machine"] > 4) & (tasks["machine"] <= 10)
    assert set(np.flatnonzero(there)) <= set(part["task"])
    assert set(columns(window["moves"])["task"]) <= set(part["task"])


def test_keepers_are_those_that_the_scheduler_names() -> None:
    megha, pigeon = (
        columns(RunView(finished("megha")).track()["tasks"]),
        columns(RunView(finished("pigeon")).track()["tasks"]),
    )
    assert (megha["keeper"] == megha["queue"]).all()  # each queue has a master of its own
    assert set(pigeon["keeper"]) == {0}
    hydra = columns(RunView(finished("hydra")).track()["tasks"])
    assert set(hydra["keeper"]) <= {0, 1}


def test_a_track_that_is_too_large_loses_its_commonest_movements_first() -> None:
    track = RunView(finished("megha")).track()
    before, fewer = columns(track["moves"])["reason"], with_fewer_moves(track)
    kept("track", fewer)
    after = columns(fewer["moves"])["reason"]
    reasons, counts = np.unique(before, return_counts=True)
    left = dict(zip(reasons, counts, strict=True))
    left[reasons[counts.argmax()]] -= counts.max() // 2
    assert dict(zip(*np.unique(after, return_counts=True), strict=True)) == left
    assert fewer["thinned"]
    while fewer["moves"]["count"]:
        fewer = with_fewer_moves(fewer)
    assert fewer["tasks"] == track["tasks"]


def test_a_recording_keeps_the_track_and_is_at_most_half_as_large_again() -> None:
    simulation = finished("sparrow")
    file = io.BytesIO()
    RunView(simulation).write_recording(file)
    with RecordingReader(file) as reader:
        assert reader.track() == RunView(simulation).track()
        whole = recorded_track(reader, _table(simulation), None)
        window = Window(3_000_000_000, 5_000_000_000, 4, 6)
        assert whole == RunView(simulation).track()
        assert recorded_track(reader, _table(simulation), window) == RunView(simulation).track(window)
    with zipfile.ZipFile(file) as archive:
        sizes = {info.filename: info.compress_size for info in archive.infolist()}
    assert sizes.pop("track.msgpack") <= max(LEAST_TRACK, MOST_TRACK * sum(sizes.values()))


def _table(simulation: Simulation, group_rows: int = 1_000) -> pq.ParquetFile:
    assert simulation.result is not None
    tasks = simulation.result.tasks
    table = pa.table({name: np.ascontiguousarray(tasks[name]) for name in tasks.dtype.names or ()})
    file = io.BytesIO()
    pq.write_table(table, file, group_rows)
    return pq.ParquetFile(file)


@pytest.mark.parametrize("name", ["sparrow", "kubernetes", "hydra"])
def test_a_window_of_a_recording_is_read_in_parts_and_is_the_same(name: str) -> None:
    simulation = finished(name)
    file = io.BytesIO()
    RunView(simulation).write_recording(file)
    table, windows = _Counted(_table(simulation, 16)), 4
    with RecordingReader(file) as reader:
        for window in (
            Window(3_000_000_000, 5_000_000_000, 4, 6),
            Window(0, 500_000_000, 0, 3),
            Window(simulation.now_ns // 2, simulation.now_ns // 2 + 10**9, 0, 10**6),
            Window(simulation.now_ns + 1, simulation.now_ns + 2, 0, 10**6),
        ):
            assert recorded_track(reader, table, window) == RunView(simulation).track(window)  # type: ignore[arg-type]
    assert table.read < windows * table.num_row_groups


class _Counted:
    """A table that counts the row groups that are read."""

    def __init__(self, file: pq.ParquetFile) -> None:
        self._file, self.read = file, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read_row_groups(self, groups: list[int]) -> pa.Table:
        self.read += len(groups)
        return self._file.read_row_groups(groups)


def test_moments_are_chosen_by_their_rules() -> None:
    simulation = finished("kubernetes-papers")
    assert simulation.result is not None
    table, moments = simulation.result.tasks, {one["kind"]: one for one in RunView(simulation).moments()}
    kept("moments", {"moments": list(moments.values())})
    wait = table["first_start_ns"] - table["arrival_ns"]
    longest = moments["longest_wait"]
    assert wait[longest["task"]] == wait.max()
    assert longest["t_ns"] == table["first_start_ns"][longest["task"]]
    assert f"Task {longest['task']:,} waited" in longest["sentence"]
    assert wait[moments["usual_wait"]["task"]] == np.sort(wait)[(len(wait) - 1) // 2]
    log = simulation.decisions()
    stopped = next(reason.code for reason in simulation.spec.reasons if reason.name == "stopped")
    assert moments["first_throw"]["t_ns"] == log[log["reason"] == stopped][0]["t_ns"]
    assert moments["most_lost"]["task"] in log[log["reason"] == stopped]["task"]
    assert RunView(simulation).moments() == list(moments.values())
    slowest = table["processing_ns"].max()
    assert table["processing_ns"][moments["longest_decision"]["task"]] == slowest > 0
    scored = next(reason for reason in simulation.spec.reasons if reason.among)
    rows = log[log["reason"] == scored.code]
    quarter = rows[scored.among].max() / 4
    mixed = rows[np.abs(rows[scored.among] - 2 * quarter) <= quarter]
    assert moments["even_choice"]["t_ns"] in mixed["t_ns"]
    drawn = numbers(RunView(simulation).track()["choices"]["task"])
    assert not len(np.intersect1d(drawn, mixed["task"])) or moments["even_choice"]["task"] in drawn


def test_a_share_given_away_shows_both_jobs_and_a_central_scheduler_its_long_job() -> None:
    found = {}
    for name in ("carbyne", "hawk"):
        simulation = ended(name)
        assert simulation.result is not None
        found |= {one["kind"]: (one, simulation.result.tasks) for one in RunView(simulation).moments()}
    given, tasks = found["given_share"]
    starts, jobs = tasks["first_start_ns"], tasks["job"]
    assert starts[given["task"]] - given["t_ns"] < 1e8
    assert starts[given["beside"]] > given["t_ns"] >= tasks["arrival_ns"][given["beside"]]
    assert jobs[given["beside"]] != jobs[given["task"]]
    assert starts[given["beside"]] <= given["latest_ns"], "the plan let the task wait as long as it did"
    waited, _ = found["put_off_wait"]
    assert tasks["arrival_ns"][waited["task"]] <= waited["since_ns"] < waited["t_ns"] == starts[waited["task"]]
    placed, tasks = found["central_placement"]
    of_job = np.flatnonzero(tasks["job"] == tasks["job"][placed["task"]])
    assert set(placed["machines"]) == set(tasks["machine"][of_job].tolist())
    assert f"{len(of_job):,} tasks" in placed["sentence"]


def test_a_job_that_waits_for_its_data_has_its_skipped_turn_and_the_machines_with_the_data() -> None:
    simulation = ended("delay-schedule")
    assert simulation.result is not None
    tasks = simulation.result.tasks
    skipped = next(one for one in RunView(simulation).moments() if one["kind"] == "skipped_turn")
    task, since, at = skipped["task"], skipped["since_ns"], skipped["t_ns"]
    stored = [int(each) for each in simulation.state.replica[task]]
    assert skipped["machines"][0] == tasks["machine"][task]
    assert sorted(skipped["machines"]) == sorted(stored)
    # The decision is on its way to the machine for a moment.
    assert tasks["arrival_ns"][task] <= since < at <= tasks["first_start_ns"][task]
    starts, others = tasks["first_start_ns"], tasks["job"] != tasks["job"][task]
    assert f"{int((others & (starts >= since) & (starts < at)).sum()):,} tasks of other jobs" in skipped["sentence"]
    assert not [one for one in RunView(ended("fair")).moments() if one["kind"] == "skipped_turn"], (
        "without a delay nobody waits"
    )


def test_a_choice_has_its_queues_its_jobs_and_the_machines_with_the_data() -> None:
    found = {}
    for name in ("pigeon", "drf", "quincy"):
        simulation = ended(name)
        assert simulation.result is not None
        found |= {one["kind"]: (one, simulation) for one in RunView(simulation).moments()}
    for kind, start in (("two_queues", "from_short_queue"), ("reserved_machine", "on_reserved")):
        one, simulation = found[kind]
        log, names = simulation.decisions(), {each.code: each.name for each in simulation.spec.reasons}
        [row] = log[(log["task"] == one["task"]) & (log["t_ns"] == one["t_ns"])]
        assert names[int(row["reason"])] == start
        long = next(code for code, name in names.items() if name == "from_long_queue")
        others = log[(log["reason"] == long) & (log["to"] == row["to"])]
        stood = others[(others["t_ns"] - others["x"] < one["t_ns"]) & (others["t_ns"] > one["t_ns"])]
        assert len(stood) > 0, "both queues have tasks"
        assert f"{int(row['y']) - 1} short and {len(stood)} long tasks wait" in one["sentence"]
    one, simulation = found["several_jobs"]
    tasks = simulation.result.tasks
    later = tasks[(tasks["arrival_ns"] <= one["t_ns"]) & (tasks["first_start_ns"] > one["t_ns"])]
    assert len(set(later["job"])) >= 3
    assert min(later["job"]) < tasks["job"][one["task"]], "a job that came earlier waits on"
    at, simulation = found["at_data"]
    assert sorted(at["machines"]) == sorted(int(each) for each in simulation.state.replica[at["task"]])
    near, _ = found["near_data"]
    assert near["machines"][0] not in simulation.state.replica[near["task"]]


def ended(name: str) -> Simulation:
    simulation = Simulation(Experiment.parse(signature_experiment(name)), frames=2)
    for _ in simulation.run():
        pass
    return simulation


def test_a_race_of_probes_has_all_probes_of_its_job_and_who_got_the_tasks() -> None:
    simulation = ended("sparrow")
    assert simulation.result is not None
    tasks = simulation.result.tasks
    race = next(one for one in RunView(simulation).moments() if one["kind"] == "probes_race")
    mine = np.flatnonzero(tasks["job"] == tasks["job"][race["task"]])
    assert len(race["probes"]) == 2 * len(mine), "two probes a task"
    got = {one["task"]: one for one in race["probes"] if one["task"] >= 0}
    assert {task: one["machine"] for task, one in got.items()} == {int(each): tasks["machine"][each] for each in mine}
    assert all(tasks["arrival_ns"][race["task"]] < one["from_ns"] < one["until_ns"] for one in got.values())
    # Whoever got a task stood in the queue until then, and no other probe left its queue before the last task started.
    assert all(one["until_ns"] <= tasks["first_start_ns"][task] for task, one in got.items())
    assert all(one["until_ns"] == -1 for one in race["probes"] if one["task"] < 0)


def test_copies_of_the_state_are_those_that_the_commits_tell_of() -> None:
    simulation = ended("omega")
    copies = RunView(simulation).track()["copies"]
    made = {(keeper, at) for keeper, at in zip(copies["keeper"], numbers(copies["at"]), strict=True)}
    rows = simulation.decisions()
    committed = rows[rows["reason"] == next(one.code for one in simulation.spec.reasons if one.name == "committed")]
    assert len(committed)
    assert {(int(row["to"]), int(row["t_ns"] - row["x"]) // 1000) for row in committed} <= made


def test_rounds_and_reports_have_moments_and_kinds_are_links() -> None:
    of_flow, of_megha = finished("sirius-fairness"), finished("megha")
    for simulation in (of_flow, of_megha):
        kinds = [one["kind"] for one in RunView(simulation).moments()]
        assert len(kinds) == len(set(kinds))
    largest = next(one for one in RunView(of_flow).moments() if one["kind"] == "largest_round")
    tasks = of_flow.result.tasks  # type: ignore[union-attr]
    leaves = tasks["arrival_ns"] + tasks["framework_queuing_ns"] + tasks["processing_ns"]
    together = (leaves == largest["t_ns"]).sum()
    assert together > 1
    assert f"{together:,} tasks" in largest["sentence"]
    report = next(one for one in RunView(of_megha).moments() if one["kind"] == "first_report")
    refresh = of_megha.meta()["work"]["refresh"]
    assert any((report["t_ns"] - first) % refresh["period_ns"] == 0 for first in refresh["first_ns"])


def test_a_refusal_names_the_task_that_had_taken_the_machine() -> None:
    simulation = finished("megha")
    track = RunView(simulation).track()
    moves, tasks = columns(track["moves"]), columns(track["tasks"])
    refused = {reason.code for reason in simulation.spec.reasons if reason.name.startswith("refused")}
    rows = [row for row in np.flatnonzero(moves["other"]) if int(moves["reason"][row]) in refused]
    assert rows
    log = simulation.decisions()
    for row in rows:
        other, machine = int(moves["other"][row]) - 1, int(moves["machine"][row]) - 1
        assert other != moves["task"][row]
        assert tasks["arrival"][other] <= moves["at"][row]
        assert machine in log["machine"][log["task"] == other]


@pytest.mark.parametrize(("template", "x", "told"), [
    ("It waits behind {x} tasks.", 0, "It waits with no task in front."),
    ("It stood there, behind {x} others at first.", 0, "It stood there, with no other in front at first."),
    ("It stood there, behind {x} others at first.", 1, "It stood there, behind 1 other at first."),
    ("Of {x} machines with room, machine 7 is the least used.", 1, "Only machine 7 had room."),
    ("Machine 7 has the best score of the {x} machines with room: 47.5 of 100.", 1, "Only machine 7 had room."),
    ("Of {x} machines with room, machine 7 is the least used.", 2,
     "Of 2 machines with room, machine 7 is the least used."),
])  # fmt: skip
def test_counts_of_none_and_one_are_said_plainly(template: str, x: int, told: str) -> None:
    assert sentence(Reason(1, "told", template, ("x",)), {"x": x}, "") == told


def test_clusters_report_when_the_declaration_says() -> None:
    simulation = finished("megha")
    refresh = simulation.meta()["work"]["refresh"]
    assert len(refresh["first_ns"]) == 2
    until_ns = RunView(simulation).track()["until_ns"]
    beats = sum(max(0, (until_ns - first) // refresh["period_ns"] + 1) for first in refresh["first_ns"])
    assert simulation.result is not None
    assert abs(simulation.result.summary["counters"]["heartbeats"] - beats) <= len(refresh["first_ns"])


def test_a_scheduler_s_own_cut_off_tells_long_jobs() -> None:
    data = experiment_of("pigeon").to_dict()
    data["scheduler"]["params"]["short_cutoff_s"] = 8
    simulation = Simulation(Experiment.parse(data), frames=20)
    for _ in simulation.run():
        pass
    long = columns(RunView(simulation).track()["tasks"])["long"]
    durations = simulation.result.tasks["end_ns"] - simulation.result.tasks["last_start_ns"]  # type: ignore[union-attr]
    assert 0 < long.sum() < len(long)
    assert durations[long == 1].min() >= 8e9


@pytest.mark.parametrize("scheduler", ["sparrow", "kubernetes"])
def test_long_jobs_of_the_work_are_told_under_every_scheduler(scheduler: str) -> None:
    """A work of two declared classes has the same short and long jobs, whether its scheduler knows classes or not."""
    simulation = finished(scheduler)
    assert simulation.result is not None
    tasks = columns(RunView(simulation).track()["tasks"])
    cutoff_s = simulation.result.summary["by_work_class"]["cutoff_s"]
    assert list(tasks["long"]) == list((simulation.world.job["mean_ns"] > cutoff_s * 1e9)[tasks["job"]])
    assert 0 < tasks["long"].sum() < len(tasks["long"])
    data = experiment_of(scheduler).to_dict()
    data["workload"]["classes"] = None
    alike = Simulation(Experiment.parse(data), frames=20)
    for _ in alike.run():
        pass
    assert "long" not in RunView(alike).track()["tasks"]
