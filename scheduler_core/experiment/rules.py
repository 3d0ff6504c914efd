"""Keep an experiment's original rules when defaults change later.

A stored experiment, or one in a link, does not name every parameter. `keep_rules` writes out the values that absent
parameters had in the version that made it. `Experiment.parse` does so for an experiment that names the version itself,
as `rules`. An experiment without a version has today's rules, and this module writes nothing out.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.errors import ExperimentError
from scheduler_core.experiment.experiment import Experiment
from scheduler_core.experiment.formerly import is_known_version
from scheduler_core.experiment.keeping import (
    FormerRule,
    former_rules,
    value_at,
    with_former_values,
    without_value,
)
from scheduler_core.experiment.renamed import with_former_scheduler
from scheduler_core.experiment.upgrade import upgrade


def keep_rules(data: dict[str, Any], made_under: str) -> dict[str, Any]:
    """Return an experiment of version `made_under` in today's format, with that version's rules written out.

    `rules` in `data` takes precedence over `made_under`. `data` stays unchanged and need not be valid. Raises
    ExperimentError for a future format.
    """
    data, made_under = _opened(data, made_under)
    return with_former_values(Experiment, data, made_under)


def with_todays_rules(data: dict[str, Any], made_under: str) -> dict[str, Any]:
    """Return an experiment of version `made_under` with today's defaults in place of the former rules."""
    data, made_under = _opened(data, made_under)
    data = with_former_values(Experiment, data, made_under)
    for rule in former_rules(Experiment, data, made_under):
        data = without_value(data, rule.place)
    return data


def changed_rules(data: dict[str, Any], made_under: str) -> list[tuple[FormerRule, Any]]:
    """Return the former rules that an experiment follows, each with today's value; empty if they are equivalent.

    An experiment that is not valid under today's rules has no values to compare and returns none.
    """
    data, made_under = _opened(data, made_under)
    rules = former_rules(Experiment, data, made_under)
    if not rules:
        return []
    try:
        today = Experiment.parse(with_todays_rules(data, made_under)).to_dict()
    except ExperimentError:
        return []
    pairs = [(rule, value_at(today, rule.place)) for rule in rules]
    return [(rule, value) for rule, value in pairs if value != rule.value]


def _opened(data: dict[str, Any], made_under: str) -> tuple[dict[str, Any], str]:
    """Return an experiment in today's format without its own version, and the version."""
    data = upgrade(data)
    stated = data.get("rules")
    if not isinstance(stated, str) or not is_known_version(stated):
        return with_former_scheduler(data, made_under), made_under
    data = with_former_scheduler(data, stated)
    return {key: value for key, value in data.items() if key != "rules"}, stated
