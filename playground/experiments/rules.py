"""Report the rules of earlier versions that an experiment keeps to pages and programs."""

from __future__ import annotations

from typing import Any

import scheduler_core
from playground.ground.checking import checked_experiment, is_large
from playground.ground.simulator import invalid_experiment, parse_experiment, web_limits
from scheduler_core import ExperimentError, changed_rules, keep_rules
from scheduler_core.experiment.reading import read_json


def former_rules(data: dict[str, Any], made_under: str) -> dict[str, Any] | None:
    """Return the values that an experiment keeps although today's rules differ; None if there are none."""
    found = changed_rules(data, made_under)
    if not found:
        return None
    return {
        "version": made_under,
        "values": [
            {"path": rule.path, "label": rule.label, "unit": rule.unit, "value": rule.value, "today": today}
            for rule, today in found
        ],
    }


def written_out(body: bytes) -> dict[str, Any]:
    """Return an experiment with the values of the `rules` that it names; nothing is stored. Raises PlaygroundError."""
    if is_large(body):
        checked_experiment(body)  # not in this process
    try:
        data = read_json(body, web_limits())
    except ExperimentError as error:
        raise invalid_experiment(error.problems) from None
    if not is_large(body):
        parse_experiment(data)
    made_under = data.get("rules") or scheduler_core.__version__
    return {"experiment": keep_rules(data, made_under), "former_rules": former_rules(data, made_under)}
