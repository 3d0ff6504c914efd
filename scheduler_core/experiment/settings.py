"""Settings of a run that a reader may change, and the experiment of every combination of their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from scheduler_core.errors import ExperimentError, Problem, shown
from scheduler_core.experiment.experiment import Experiment
from scheduler_core.experiment.places import value_at

PAGE_RUNS = 32
"""The most combinations of values in one page, the run itself included."""
Value = bool | int | float | str | None


def with_own_values(
    experiment: Experiment, settings: Mapping[str, Sequence[Value]], *, page_runs: int = PAGE_RUNS
) -> dict[str, tuple[Value, ...]]:
    """Return the distinct values of each setting, the experiment's own among them. Raises ExperimentError.

    Numbers are in ascending order.
    """
    data = experiment.to_dict()
    chosen = {path: _values(path, value_of(data, path), values) for path, values in settings.items()}
    if (runs := prod(map(len, chosen.values()))) > page_runs:
        message = f"asks for {runs:,} runs in one page: the product of the numbers of values"
        allowed = f"at most {page_runs:,} (limit 'page_runs')"
        raise ExperimentError([Problem("settings", message, allowed, "leave out values or settings")])
    return chosen


def value_of(data: dict[str, Any], path: str) -> Any:
    """Return the value of a setting in an experiment's JSON. Raises ExperimentError for what is no setting."""
    try:
        found = value_at(data, path)
    except (LookupError, ValueError) as error:
        raise _refusal(path, str(error), "name a setting that this run has") from None
    if isinstance(found, dict | list):
        raise _refusal(path, "holds several values", "name one of them")
    return found


def _values(path: str, own: Value, values: Sequence[Value]) -> tuple[Value, ...]:
    """Return the distinct values, without regard to whether a whole number is written as a float."""
    if odd := [each for each in values if isinstance(each, dict | list)]:
        raise _refusal(path, f"has the value {shown(odd[0])}", "give numbers, texts, true or false")
    distinct: dict[tuple[bool, Value], Value] = {}
    for each in (*values, own):
        distinct.setdefault((isinstance(each, bool), each), each)
    found = tuple(distinct.values())
    numbers = [each for each in found if isinstance(each, int | float) and not isinstance(each, bool)]
    return tuple(sorted(numbers)) if len(numbers) == len(found) else found


def variants_of(
    experiment: Experiment, chosen: Mapping[str, tuple[Value, ...]]
) -> Iterator[tuple[tuple[int, ...], Experiment]]:
    """Yield every combination but the run's own: the places of its values, and the experiment.

    Raises ExperimentError.
    """
    own = own_places(experiment, chosen)
    for at in product(*(range(len(values)) for values in chosen.values())):
        if at != own:
            changes = {path: values[place] for (path, values), place in zip(chosen.items(), at, strict=True)}
            yield at, experiment.with_(changes)


def own_places(experiment: Experiment, chosen: Mapping[str, tuple[Value, ...]]) -> tuple[int, ...]:
    """Return the place of the run's own value among the values of each setting."""
    data = experiment.to_dict()
    return tuple(values.index(value_of(data, path)) for path, values in chosen.items())


def _refusal(path: str, message: str, remedy: str) -> ExperimentError:
    return ExperimentError([Problem(path, message, remedy=remedy)])
