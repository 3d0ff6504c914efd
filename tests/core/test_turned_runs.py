"""A page turns parameters of a packed start, in node, and changes a run again and again: the library's outcomes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numba
import pytest

from scheduler_core import Experiment, ExperimentError, changed_start, simulate
from scheduler_core.engine.wasm import packed
from scheduler_core.run.start_file import StartFile, start_file
from tests.core.test_start_files import ROOMY
from tests.node import node
from tests.support import PROJECT, small_experiment
from tests.tiers import wide

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]

OTHER: dict[str, list[Any]] = {
    "heartbeat_s": [0.4, 45.0000000005],
    "standby_s": [1.25],
    "launch_first": [False],
    "further_victims": [False],
    "unplaceable": ["head"],
    "fit": ["next"],
    "fairness": [False],
    "match_us": [2000.5],
    "scan_ns": [20_000],
    "vector_ns": [300],
    "request_us": [900],
    "send_ns": [40_000],
    "update_us": [700],
    "apply_ns": [12_345.5],
    "probe_ratio": [1, 3.7, 8],
    "cancellation": [True],
    "steal_contacts": [0, 3],
}
"""Other values of each parameter that a scheduler declares in `turns`."""
FAULTS = [
    {"at_s": 0.5, "kind": "fail", "target": {"local_master": "lm-1"}, "duration_s": 3},
    {"at_s": 1.5, "kind": "fail", "target": {"machine": 2}, "duration_s": 2},
]


def plain(scheduler: str, params: dict[str, Any] | None = None, **more: Any) -> Experiment:
    return Experiment.parse(small_experiment() | {"scheduler": {"name": scheduler, "params": params or {}}} | more)


def by_library(experiment: Experiment) -> str:
    return str(simulate(experiment, engine="wasmtime").summary["outcome_digest"])


def header_of(start: StartFile) -> dict[str, Any]:
    import gzip

    content = gzip.decompress(start.content)
    header: dict[str, Any] = json.loads(content[4 : 4 + int.from_bytes(content[:4], "little")])
    return header


def in_node(folder: Path, start: StartFile, wishes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the page's scripts tell of each wish; one machine serves all of them."""
    files = {built.file: built for built in packed.manifest().values()}
    (folder / "run.start").write_bytes(start.content)
    (folder / start.module).write_bytes(packed.module_bytes(files[start.module]))
    usual = {"failures": [], "times_ns": [], "step_ns": 10**12, "seq": 0, "edges": [0, 10**9]}
    (folder / "run.json").write_text(json.dumps([usual | wish for wish in wishes]))
    command = [node(), str(PROJECT / "tests" / "data" / "run_warm.mjs"), str(folder), "run"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def turned(folder: Path, experiment: Experiment) -> set[str]:
    """Turn each parameter in a page, and return the names of those whose values make a difference."""
    start = start_file(experiment, touchable=True, limits=ROOMY)
    paths = [each["path"] for each in header_of(start).get("turns", [])]
    trials = [(path, value) for path in paths for value in OTHER[path.rpartition(".")[2]]]
    told = in_node(folder, start, [{"values": {}}, *({"values": {path: value}} for path, value in trials)])
    own = by_library(experiment)
    assert [told[0]["digest"], start.outcome_digest] == [own, own]
    for (path, value), one in zip(trials, told[1:], strict=True):
        assert one["digest"] == by_library(experiment.with_({path: value})), (path, value)
        assert one["same"], (path, value)
    return {path for (path, _), one in zip(trials, told[1:], strict=True) if one["digest"] != own}


@pytest.mark.parametrize("scheduler", ["sparrow", "megha"])
def test_a_turned_parameter_gives_the_library_s_outcome(scheduler: str, tmp_path: Path) -> None:
    moved = turned(tmp_path, plain(scheduler))
    named = {"sparrow": "probe_ratio", "megha": "heartbeat_s"}[scheduler]
    assert f"scheduler.params.{named}" in moved


@wide
@pytest.mark.parametrize(
    ("scheduler", "params", "more"),
    [
        ("megha", {"costs": "own", "heartbeat_s": 2}, {"events": FAULTS}),
        ("megha", {"fairness": False}, {}),
        ("megha", {"costs": "vectors", "fit": "next"}, {}),
        ("centralised", {}, {}),
        ("sparrow", {"late_binding": False}, {"events": FAULTS[1:]}),
        ("sparrow", {"sampling": "per_task", "cancellation": True, "probe_ratio": 5}, {}),
        ("sparrow-c", {}, {}),
        ("hawk", {}, {"events": FAULTS[1:]}),
        ("hawk-c", {}, {}),
    ],
)
def test_every_declared_parameter_gives_the_library_s_outcome(
    scheduler: str, params: dict[str, Any], more: dict[str, Any], tmp_path: Path
) -> None:
    assert turned(tmp_path, plain(scheduler, params, **more)) is not None


def test_nothing_is_turned_where_the_rules_do_not_hold_all(tmp_path: Path) -> None:
    """A public program packs tables; a change during the run holds rows with all parameters."""
    change = {"at_s": 2, "kind": "set", "target": {"scheduler": True}, "value": {"heartbeat_s": 60}, "duration_s": 1}
    for experiment in (plain("megha", {"profile": "public-simulator"}), plain("megha", events=[change])):
        try:
            start = start_file(experiment, touchable=True, limits=ROOMY)
        except ExperimentError:
            continue
        assert "turns" not in header_of(start)


@pytest.mark.parametrize("scheduler", ["sparrow", "megha"])
def test_a_changed_run_begins_at_a_copy_before_the_change(scheduler: str, tmp_path: Path) -> None:
    """Later touches, touches that end or go away, another value, and a change in the middle of a run."""
    start = start_file(plain(scheduler), touchable=True, limits=ROOMY)
    first = {"at_s": 0.5, "kind": "fail", "target": {"machine": 1}}
    second = {"at_s": 2.5, "kind": "drain", "target": {"machine": 3}, "duration_s": 0.5}
    grid = [round(step * 1e8) for step in range(40)]
    later = [t_ns for t_ns in grid if t_ns > 25 * 10**8]
    path = {"sparrow": "scheduler.params.probe_ratio", "megha": "scheduler.params.heartbeat_s"}[scheduler]
    wishes = [
        {"failures": [first], "times_ns": grid},
        {"failures": [first, second], "times_ns": [25 * 10**8, *later], "seen": {"t_ns": 3 * 10**9, "edges": [0, 1]}},
        {"failures": [first, {**second, "duration_s": 0.75}], "times_ns": later[5:]},
        {"failures": [first], "times_ns": later, "stops": 3},
        {"failures": [{**first, "duration_s": 1}, second], "times_ns": later},
        {"values": {path: 3}, "times_ns": grid, "seen": {"t_ns": 2 * 10**9, "edges": [0, 1]}},
        {"failures": [], "times_ns": grid},
    ]
    told = in_node(tmp_path, start, wishes)
    for wish, one in zip(wishes, told, strict=True):
        assert one["same"] or "stops" in wish, wish
    begins = [one["from_ns"] for one in told]
    assert begins[0] == begins[5] == begins[6] == 0
    assert 0 < begins[1] < 25 * 10**8, begins
    assert 0 < begins[2] <= 30 * 10**8, begins
    assert begins[4] < 15 * 10**8
    assert [told[1]["seen"]["t_ns"], told[1]["seen"]["key"], told[5]["seen"]["t_ns"]] == [3 * 10**9, True, 2 * 10**9]


@pytest.mark.parametrize("scheduler", ["sparrow", "megha"])
def test_a_start_of_other_settings_needs_no_run_before(scheduler: str, tmp_path: Path) -> None:
    """The arrays change alone: another load, another number of machines; the page gets the library's outcome."""
    experiment = plain(scheduler)
    changes = {"workload.arrivals.offered_load": 0.9, "seed": 7}
    start = changed_start(experiment, changes, limits=ROOMY)
    header = header_of(start)
    assert (header["outcome_digest"], header["meta"]) == ("", {"seed": 7})
    (told,) = in_node(tmp_path, start, [{}])
    assert told["digest"] == by_library(experiment.with_(changes)) != by_library(experiment)
    other = header_of(changed_start(experiment, {"topology.clusters[0].machines[0].count": 25}, limits=ROOMY))
    assert other["meta"]["machines"] == 50


def test_a_page_that_finds_an_array_full_gets_larger_ones() -> None:
    def rows(full: tuple[int, ...]) -> dict[str, int]:
        header = header_of(changed_start(plain("sparrow"), {"seed": 7}, full=full, limits=ROOMY))
        arrays = [array for each in header["arguments"] for array in each["arrays"]]
        return {array["name"]: array["shape"][0] for array in arrays}

    usual, larger = rows(()), rows((6, 4))
    assert larger["probe"] == 2 * usual["probe"]
    assert larger["heap"] == 2 * usual["heap"]


def test_values_that_the_experiment_cannot_have_are_refused() -> None:
    with pytest.raises(ExperimentError):
        changed_start(plain("megha"), {"scheduler.params.heartbeat_s": -1}, limits=ROOMY)


def in_page(folder: Path, starts: dict[str, tuple[dict[str, Any], StartFile]], told: dict[str, Any]) -> list[Any]:
    """Return what the page shows and asks for at each step."""
    files = {built.file: built for built in packed.manifest().values()}
    for name, (_, start) in starts.items():
        (folder / f"{name}.start").write_bytes(start.content)
        (folder / start.module).write_bytes(packed.module_bytes(files[start.module]))
    names = {json.dumps(changes, separators=(",", ":")): name for name, (changes, _) in starts.items()}
    (folder / "steps.json").write_text(json.dumps({"names": names, "edges": [0, 10**9]} | told))
    command = [node(), str(PROJECT / "tests" / "data" / "turn_page.mjs"), str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("scheduler", "path", "own", "value"),
    [("sparrow", "scheduler.params.probe_ratio", 2, 3.5), ("megha", "scheduler.params.heartbeat_s", 10, 2)],
)
def test_the_page_asks_for_a_start_only_where_the_rules_do_not_hold_a_change(
    scheduler: str, path: str, own: Any, value: Any, tmp_path: Path
) -> None:
    """Turned, overtaken, with other arrays, with a failure on top, and back: the library's outcomes."""
    experiment = plain(scheduler)
    fault = {"at_s": 2.5, "kind": "fail", "target": {"machine": 1}}
    later = {"at_s": 3.5, "kind": "fail", "target": {"machine": 3}}
    plainly = start_file(experiment, touchable=True, limits=ROOMY)
    other = changed_start(experiment, {"seed": 7}, limits=ROOMY)
    steps: list[dict[str, Any]] = [
        {"turned": {path: value}},
        {"turned": {path: value * 2}, "overtaken": [{"turned": {path: 1}}, {"turned": {path: value}}]},
        {"turned": {"seed": 7}},
        {"turned": {"seed": 7, path: value}},
        {"failures": [fault]},
        {"failures": [fault, later]},
        {"failures": [], "turned": None},
    ]
    starts = {"plain": ({}, plainly), "other": ({"seed": 7}, other)}
    told = in_page(tmp_path, starts, {"steps": steps, "own": {path: own, "seed": experiment.seed}})
    assert [one["why"] for one in told] == [""] * len(steps)
    seven = experiment.with_({"seed": 7, path: value})
    wanted = [
        experiment.with_({path: value}),
        experiment.with_({path: value * 2}),
        experiment.with_({"seed": 7}),
        seven,
        Experiment.parse(seven.to_dict() | {"events": [fault]}),
        Experiment.parse(seven.to_dict() | {"events": [fault, later]}),
    ]
    assert [one["digest"] for one in told] == [*map(by_library, wanted), None]
    assert [len(one["asked"]) for one in told] == [1, 0, 1, 0, 0, 0, 0]
    assert told[2]["asked"][0] == {"events": [], "changes": {"seed": 7}, "full": []}
    assert told[0]["first"] == {"partial": True, "t_ns": 25 * 10**8}, "the picture comes before the frames"
    assert [one["threads"] for one in told[:6]] == [1, 1, 2, 2, 2, 2], "a thread stays as long as its start"
    assert told[6]["first"] is None
