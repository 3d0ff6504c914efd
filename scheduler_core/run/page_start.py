"""Pack what an exported page simulates: a run, and the same run under other values of a few settings.

The file is that of run.start_file. Its header describes the run itself; the member `settings` names what a reader may
change, and `variants` has a header for each other combination of values. All of them share the body, so a variant that
changes a few columns takes little room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.errors import ExperimentError
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.experiment.settings import PAGE_RUNS, Value, own_places, variants_of, with_own_values
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.description import describe
from scheduler_core.run.driver import OnSlice
from scheduler_core.run.start_file import Ended, Packing, StartFile
from scheduler_core.schedulers import scheduler_by_name

_OF_THE_WHOLE = ("format", "core_version")
_NOT_DRAWN = frozenset({"experiment", "experiment_digest", "work"})


def page_start(
    experiment: Experiment,
    settings: Mapping[str, Sequence[Value]] | None = None,
    *,
    page_runs: int = PAGE_RUNS,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    on_slice: OnSlice | None = None,
) -> StartFile:
    """Return the packed start of a run for a page that has no server.

    A page may add failures to it wherever the scheduler simulates failures. `settings` has the values of each setting,
    by path, such as `{"scheduler.params.heartbeat_s": [1, 10]}`; the page can take every combination of them. The run's
    own value always takes part. Raises ExperimentError as `start_file` does, for more than `page_runs` combinations,
    and for settings of a run that a page cannot draw.
    """
    chosen = with_own_values(experiment, settings or {}, page_runs=page_runs)
    packing = Packing(resolve_trace, limits)
    own = describe(experiment, resolve_trace=resolve_trace)
    header = _header(packing, experiment, on_slice, is_changed=bool(chosen))
    if not chosen:
        return packing.file(header)
    variants: list[dict[str, Any]] = []
    for at, changed in variants_of(experiment, chosen):
        one = _header(packing, changed, on_slice, is_changed=True)
        other = describe(changed, resolve_trace=resolve_trace)
        meta = _differing(own, other)
        variants.append({name: one[name] for name in one if name not in _OF_THE_WHOLE} | {"at": at, "meta": meta})
    places = zip(chosen.items(), own_places(experiment, chosen), strict=True)
    told = [{"path": path, "values": values, "own": place} for (path, values), place in places]
    return packing.file(header | {"settings": told, "variants": variants})


def changed_start(
    experiment: Experiment,
    changes: Mapping[str, Any],
    *,
    full: Sequence[int] = (),
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> StartFile:
    """Return the packed start of a run's experiment with some values changed, without simulating it.

    `changes` has the values by path, as `Experiment.with_` takes them. The start says nothing of the outcome, and its
    `meta` has what differs in the run's metadata. Its arrays have the usual size, doubled. A page that finds one full
    asks again, with the reasons that its engine gave (engine.events, HEAP_FULL to STATE_FULL) in `full`. Raises
    ExperimentError as `start_file` does, and for values that the experiment cannot have.
    """
    changed = experiment.with_(changes)
    packing = Packing(resolve_trace, limits)
    ended = Ended(grown=tuple(full))
    faults = "machine_faults" in scheduler_by_name(changed.scheduler.name).honors(changed)
    header = packing.touchable(changed, ended, turned=True) if faults else packing.drawn(changed, ended)
    told = (describe(each, resolve_trace=resolve_trace) for each in (experiment, changed))
    return packing.file(header | {"meta": _differing(*told)})


def _differing(own: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return what differs in a run's metadata, as far as a page draws it."""
    return {name: other[name] for name in other if name not in _NOT_DRAWN and other[name] != own.get(name)}


def _header(packing: Packing, experiment: Experiment, on_slice: OnSlice | None, *, is_changed: bool) -> dict[str, Any]:
    """Return the header of one run: with a table of incidents where it can have one, else with what is drawn."""
    ended = packing.simulate(experiment, on_slice)
    faults = "machine_faults" in scheduler_by_name(experiment.scheduler.name).honors(experiment)
    try:
        turned = not is_changed
        return packing.touchable(experiment, ended, turned=turned) if faults else packing.drawn(experiment, ended)
    except ExperimentError:
        if is_changed:
            raise
        return packing.plain(experiment, ended)
