"""Read from the tables in `data/knobs` the trials of each parameter or slider.

A table `[scheduler.knob]`, or `[family.knob]` for all of a family, has the `values`, the first of them to compare with,
and in `moves` what the parameter's sentence claims: `+messages -short.mean =long.mean` (more, less, no difference).
`on` names the ground (grounds.toml; absent: that of the scheduler's or the family's name), `params` are the
scheduler's others, `set` changes anything else by its path, and `also`, a list, does so for each value. A table with
`skip` says why there is nothing to try, and one with `missed` why runs do not show what is claimed. Controls of the
studio itself are paths, under `[studio."path"]`. Table `stated` of the grounds has parameters that every trial states.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scheduler_core.claims.declared import DATA
from scheduler_core.experiment.places import with_changes
from scheduler_core.schedulers import SCHEDULERS, scheduler_by_name
from scheduler_core.world.spec import SchedulerSpec

STUDIO = "studio"


@dataclass(frozen=True)
class Trial:
    """One parameter at several values; `experiment` holds everything else. A claim pairs a figure with +, - or =."""

    scheduler: str
    knob: str
    ground: str
    values: tuple[Any, ...]
    claims: tuple[tuple[str, str], ...]
    experiment: dict[str, Any]
    skip: str = ""
    also: tuple[dict[str, Any], ...] = ()
    beside: str = ""
    """The scheduler's other parameters, in words."""
    missed: str = ""
    """Why runs do not bear the claims out, where that is known."""

    def at(self, value: object, seed: int) -> dict[str, Any]:
        """Return the experiment with the parameter at a value."""
        path = self.knob if self.scheduler == STUDIO else f"scheduler.params.{self.knob}"
        also = dict(zip(self.values, self.also, strict=True)).get(value, {}) if self.also else {}
        return with_changes(self.experiment, also | {path: value, "seed": seed})


def trials(names: list[str], own: bool = False) -> Iterator[Trial]:
    """Yield all trials of these schedulers, in the order of their declarations; of all of them without names.

    `own` leaves out what an earlier scheduler of the family declares in the same words, and a claim checks there.
    """
    tables = {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted((DATA / "knobs").glob("*.toml"))
    }
    grounds = tables.pop("grounds")
    found: dict[str, dict[str, Any]] = {}
    for table in tables.values():
        for owner, knobs in table.items():
            found.setdefault(owner, {}).update(knobs)
    said: set[tuple[str, str, str | None]] = set()
    for spec in SCHEDULERS:
        words = {knob: (spec.family, knob, field.description) for knob, field in spec.params.model_fields.items()}
        asked = not names or spec.name in names
        knobs = [knob for knob in spec.params.in_order() if not own or words[knob] not in said]
        for trial in _of(spec, knobs, found, grounds):
            if trial.claims:
                said.add(words[trial.knob])
            if asked:
                yield trial
    if not names or STUDIO in names:
        for path, table in found[STUDIO].items():
            for one in table if isinstance(table, list) else [table]:
                yield _trial(STUDIO, path, one, grounds, one.get("under", "megha"), "studio")


def _of(
    spec: SchedulerSpec, knobs: list[str], found: dict[str, dict[str, Any]], grounds: dict[str, Any]
) -> Iterator[Trial]:
    for knob in knobs:
        table = found.get(spec.name, {}).get(knob) or found.get(spec.family, {}).get(knob)
        if table is None:
            yield Trial(spec.name, knob, "", (), (), {}, "no trial yet")
            continue
        for one in table if isinstance(table, list) else [table]:
            yield _trial(spec.name, knob, one, grounds, spec.name, spec.family)


def _trial(owner: str, knob: str, table: dict[str, Any], grounds: dict[str, Any], scheduler: str, family: str) -> Trial:
    if "skip" in table:
        return Trial(owner, knob, "", (), (), {}, table["skip"])
    name = table.get("on", scheduler if scheduler in grounds else family)
    params = table.get("params", {})
    spec = scheduler_by_name(scheduler)
    stated = {
        key: value for key, value in grounds["stated"].get(spec.family, {}).items() if key in spec.params.model_fields
    }
    choice = {"name": scheduler, "params": stated | params}
    base = {"schema_version": 1, "scheduler": choice} | _ground(grounds, name)
    claims = tuple((one[1:], one[0]) for one in table["moves"].split())
    values, also = tuple(table["values"]), tuple(table.get("also", ()))
    beside = ", ".join(f"{key} {value}" for key, value in params.items())
    if owner == STUDIO:
        beside = f"{scheduler}{', ' if beside else ''}{beside}"
    asked, missed = with_changes(base, table.get("set", {})), table.get("missed", "")
    return Trial(owner, knob, name, values, claims, asked, also=also, beside=beside, missed=missed)


def _ground(grounds: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a ground, or one that is `like` another but for what it sets."""
    own = grounds[name]
    return with_changes(_ground(grounds, own["like"]), own.get("set", {})) if "like" in own else own
