"""Expand a plan into experiments, always the same ones in the same order, each with a number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from scheduler_core.cluster.build import build_cluster
from scheduler_core.errors import ExperimentError, Problem, UnknownName
from scheduler_core.experiment import Experiment, keep_rules, unsupported
from scheduler_core.experiment.places import PARAMS, with_value
from scheduler_core.known import registries
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.schedulers import SCHEDULERS, scheduler_by_name
from scheduler_core.studies.plan import Contestant, StudyPlan
from scheduler_core.version import __version__
from scheduler_core.workload.synthetic.held import held_arrivals

_MOST_PROBLEMS = 20
ALIKE = frozenset(
    {
        "short_cutoff_s", "long_partition_share", "estimate_error", "estimate_error_percent", "estimate_error_sigma",
        "input_gb", "unsized_data", "rack_gb_s", "core_gb_s", "interference", "kinds",
    }
)  # fmt: skip
"""Parameters that mean the same under every scheduler: a comparison takes them over from its experiment."""


def taken_over(params: dict[str, Any], scheduler: str) -> dict[str, Any]:
    """Return what another scheduler takes over from an experiment's parameters: those that mean the same under both."""
    model = registries().params_of(scheduler)
    known = {} if model is None else model.model_fields
    return {key: value for key, value in params.items() if key in ALIKE and key in known}


@dataclass(frozen=True)
class Cell:
    """One point of the grid under one scheduler.

    `at` holds the index of each axis's value; None if the scheduler lacks the parameter, which then stays unchanged.
    """

    number: int
    scheduler: int
    at: tuple[int | None, ...]


@dataclass(frozen=True)
class Grid:
    """All runs of a plan for an experiment (JSON with its defaults expanded).

    Runs have numbers seed by seed, so that every cell has a value early. Within a seed they are numbered by value and
    then by scheduler, so that runs with the same workload follow one another.
    """

    base: dict[str, Any]
    plan: StudyPlan
    made_under: str = __version__
    """The version that made the study: schedulers of the plan keep its rules."""
    base_dir: Path | None = None
    """The folder that the relative path of a trace starts from."""

    @cached_property
    def schedulers(self) -> tuple[dict[str, Any], ...]:
        """Return the schedulers of the study, as an experiment names them."""
        own = self.base["scheduler"]
        chosen = self.plan.schedulers or (Contestant(name=own["name"]),)

        def params(one: Contestant) -> dict[str, Any]:
            if one.params is not None or one.name == own["name"]:
                return own["params"] if one.params is None else one.params
            return taken_over(own["params"], one.name)

        return tuple({"name": one.name, "params": params(one)} for one in chosen)

    @cached_property
    def seeds(self) -> tuple[int, ...]:
        """Return the seeds, the experiment's own first."""
        first = int(self.base["seed"])
        return tuple(range(first, first + self.plan.repeats))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Return every point under every scheduler, each distinct experiment once."""
        found: dict[tuple[int, tuple[int | None, ...]], None] = {}
        for at in product(*(range(len(axis.values)) for axis in self.plan.axes)):
            for scheduler in range(len(self.schedulers)):
                place = tuple(value if self._varies(scheduler, axis) else None for axis, value in enumerate(at))
                found.setdefault((scheduler, place))
        return tuple(Cell(number, scheduler, at) for number, (scheduler, at) in enumerate(found))

    def _varies(self, scheduler: int, axis: int) -> bool:
        return self._has(scheduler, self.plan.axes[axis].path)

    def _has(self, scheduler: int, path: str) -> bool:
        if not path.startswith(PARAMS):
            return True
        return path.removeprefix(PARAMS) in scheduler_by_name(self.schedulers[scheduler]["name"]).params.model_fields

    @property
    def runs(self) -> int:
        """Return the number of runs."""
        return len(self.cells) * len(self.seeds)

    def run(self, number: int) -> tuple[Cell, int]:
        """Return a run's cell and seed."""
        return self.cells[number % len(self.cells)], self.seeds[number // len(self.cells)]

    def values_of(self, cell: Cell) -> tuple[Any, ...]:
        """Return the value of each axis; None if the scheduler lacks the parameter."""
        return tuple(
            None if place is None else axis.values[place] for axis, place in zip(self.plan.axes, cell.at, strict=True)
        )

    def changes_of(self, cell: Cell) -> Iterator[tuple[str, str, Any]]:
        """Yield what a cell changes: its place in the plan, such as `axes[0]`, the path, and the value."""
        for axis, (one, at) in enumerate(zip(self.plan.axes, cell.at, strict=True)):
            if at is None:
                continue
            yield f"axes[{axis}]", one.path, one.values[at]
            for place, along in enumerate(one.along):
                if self._has(cell.scheduler, along.path):
                    yield f"axes[{axis}].along[{place}]", along.path, along.values[at]

    def experiment(self, cell: Cell, seed: int) -> dict[str, Any]:
        """Return the JSON of one run's experiment. Raises LookupError for a path that does not exist."""
        data = self.base | {"seed": seed, "scheduler": self._scheduler(cell.scheduler)}
        holding = []
        for place, path, value in self.changes_of(cell):
            if self._holds_work(place):
                holding.append((path, value))
            else:
                data = with_value(data, path, value)
        if holding and (held := self._held(data)) is not None:
            data = data | {"workload": data["workload"] | {"arrivals": data["workload"]["arrivals"] | held}}
        for path, value in holding:
            data = with_value(data, path, value)
        return keep_rules(data, self.made_under)

    def _scheduler(self, number: int) -> dict[str, Any]:
        """Return a scheduler of the study with the file that it comes from: the experiment's own, or the loaded one."""
        chosen, own = self.schedulers[number], self.base["scheduler"]
        stated = own.get("plugin_sha256") if chosen["name"] == own["name"] else None
        return chosen | {"plugin_sha256": stated or registries().plugin_sha256(chosen["name"])}

    def _holds_work(self, place: str) -> bool:
        return self.plan.axes[int(place.removeprefix("axes[").partition("]")[0])].holds == "work"

    def _held(self, data: dict[str, Any]) -> dict[str, Any] | None:
        """Return what holds the arrivals of an experiment before its machines change; equal works are asked once."""
        key = json.dumps([data[part] for part in ("seed", "topology", "workload", "constraints") if part in data])
        if key not in self._rates:
            before = Experiment.parse(data, base_dir=self.base_dir)
            self._rates[key] = held_arrivals(before, build_cluster(before))
        return self._rates[key]

    @cached_property
    def _rates(self) -> dict[str, dict[str, Any] | None]:
        return {}

    def labels(self) -> tuple[str, ...]:
        """Return the schedulers' names for people; if two are equal, with the parameters in which they differ."""
        names = [scheduler_by_name(one["name"]).label for one in self.schedulers]
        return tuple(
            name if names.count(name) == 1 else f"{name} ({self._difference(place)})"
            for place, name in enumerate(names)
        )

    def _difference(self, place: int) -> str:
        own = self.schedulers[place]
        others = [one["params"] for one in self.schedulers if one["name"] == own["name"]]
        different = [key for key, value in own["params"].items() if any(each.get(key) != value for each in others)]
        return ", ".join(f"{key} {own['params'][key]}" for key in different) or "defaults"


def expand(experiment: Experiment, plan: StudyPlan, *, limits: Limits = DEFAULT_LIMITS) -> Grid:
    """Return the grid of a plan after checking every experiment in it.

    Raises ExperimentError if one of them cannot run.
    """
    base = experiment.to_dict()
    problems = list(_unknown_schedulers(plan)) or _too_many(base, plan, limits)
    if problems:
        raise ExperimentError(problems)
    grid = Grid(base, plan, base_dir=experiment.base_dir)
    found = dict.fromkeys((*_unheld(grid), *_unholdable(grid)))
    for cell in grid.cells if not found else ():
        found |= dict.fromkeys(_problems_of(grid, cell, limits))
        if len(found) >= _MOST_PROBLEMS:
            break
    if found:
        raise ExperimentError(found)
    return grid


def _unknown_schedulers(plan: StudyPlan) -> Iterator[Problem]:
    seen = []
    for place, one in enumerate(plan.schedulers):
        try:
            scheduler_by_name(one.name)
        except UnknownName as error:
            yield Problem(f"schedulers[{place}].name", str(error), ", ".join(spec.name for spec in SCHEDULERS))
        if one in seen:
            yield Problem(f"schedulers[{place}]", "is named twice", "each scheduler with the same parameters once")
        seen.append(one)


def _too_many(base: dict[str, Any], plan: StudyPlan, limits: Limits) -> list[Problem]:
    cells = max(1, len(plan.schedulers))
    for axis in plan.axes:
        cells *= len(axis.values)
    whole = limits.exceeded("study_runs", cells * plan.repeats, "repeats")
    bulk = limits.exceeded("study_bytes", cells * len(json.dumps(base)), "axes")
    return [problem for problem in (whole, bulk) if problem is not None]


def _unheld(grid: Grid) -> Iterator[Problem]:
    """Yield a problem for each varied parameter that no scheduler of the study has."""
    for place, axis in enumerate(grid.plan.axes):
        if all(cell.at[place] is None for cell in grid.cells):
            name = axis.path.removeprefix(PARAMS)
            known = sorted(
                {key for one in grid.schedulers for key in scheduler_by_name(one["name"]).params.model_fields}
            )
            yield Problem(
                f"axes[{place}].path",
                f"no scheduler of this study has a parameter '{name}'",
                ", ".join(PARAMS + key for key in known),
            )


def _unholdable(grid: Grid) -> Iterator[Problem]:
    """Yield a problem for each axis that holds the work of a trace whose arrivals are stretched to a load."""
    workload = grid.base["workload"]
    if workload["kind"] != "trace" or workload.get("offered_load") is None:
        return
    for place, axis in enumerate(grid.plan.axes):
        if axis.holds == "work":
            yield Problem(
                f"axes[{place}].holds",
                "cannot hold the work: the trace's arrivals are stretched to a load of these machines",
                "`load`, or a trace without `workload.offered_load`, which is the same work on any machines",
            )


def _problems_of(grid: Grid, cell: Cell, limits: Limits) -> list[Problem]:
    for place, path, value in grid.changes_of(cell):
        try:
            with_value(grid.base | {"scheduler": grid.schedulers[cell.scheduler]}, path, value)
        except LookupError as error:
            return [Problem(f"{place}.path", str(error), "a path to one value of this experiment")]
    try:
        experiment = Experiment.parse(grid.experiment(cell, grid.seeds[0]), base_dir=grid.base_dir, limits=limits)
        honored = scheduler_by_name(experiment.scheduler.name).honors(experiment)
        refused = [(_scheduler_path(grid, cell), problem) for problem in unsupported(experiment, honored)]
    except ExperimentError as error:
        refused = [(_blamed(grid, cell, problem.path), problem) for problem in error.problems]
    return [
        Problem(
            path,
            f"{problem.path}: {problem.message}" if problem.path else problem.message,
            problem.allowed,
            problem.remedy,
        )
        for path, problem in refused
    ]


def _blamed(grid: Grid, cell: Cell, path: str) -> str:
    """Name the part of the plan that a problem of one of its experiments comes from."""
    for place, varied, _ in grid.changes_of(cell):
        if path == varied or varied.startswith(f"{path}."):
            return f"{place}.values[{cell.at[int(place[len('axes[') :].partition(']')[0])]}]"
    if path.startswith("scheduler") or not grid.plan.axes:
        return _scheduler_path(grid, cell)
    return f"axes[0].values[{cell.at[0] or 0}]"


def _scheduler_path(grid: Grid, cell: Cell) -> str:
    return f"schedulers[{cell.scheduler}]" if grid.plan.schedulers else "scheduler"
