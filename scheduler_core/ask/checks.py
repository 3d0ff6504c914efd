"""Check before any run that an experiment takes the events that a question adds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scheduler_core.ask.question import Asked
from scheduler_core.errors import ExperimentError
from scheduler_core.experiment import Experiment, unsupported
from scheduler_core.schedulers import scheduler_by_name


def refuse_event(asked: Asked, event: dict[str, Any]) -> None:
    """Raise ExperimentError if an event does not fit the experiment; its problems name the question's options."""
    data = asked.experiment.to_dict()
    place = f"events[{len(data['events'])}]"
    try:
        changed = Experiment.parse(
            data | {"events": [*data["events"], event]}, base_dir=asked.experiment.base_dir, limits=asked.limits
        )
    except ExperimentError as error:
        raise ExperimentError(
            replace(problem, path=problem.path.removeprefix(f"{place}.target.").removeprefix(f"{place}."), label="")
            for problem in error.problems
        ) from None
    honors = scheduler_by_name(changed.scheduler.name).honors(changed)
    if problems := unsupported(changed, honors):
        raise ExperimentError(
            replace(problem, path="scheduler.name", remedy="choose another scheduler: the question needs this")
            for problem in problems
        )
