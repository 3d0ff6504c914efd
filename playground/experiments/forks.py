"""Forks: a user's own copy of an experiment with changes, from the start or from an instant on.

An intervention "now" is a fork at the viewer's time: the same experiment with events added, none of them earlier. What
comes before is simulated again, and because random numbers are keyed it comes out the same to the last frame.
"""

from __future__ import annotations

import math
import re
from itertools import islice
from typing import Any

from playground.errors import MOST_PROBLEMS, PlaygroundError, ProblemItem, problem
from playground.experiments.service import Created, create_experiment
from playground.ground.simulator import stored_data
from playground.ground.viewers import Viewer
from playground.models import Experiment

_KEYS = ("at_s", "events", "scheduler", "name", "question", "seed")
_EVENT = re.compile(r"events\[(\d+)\]")


def fork_experiment(*, experiment: Experiment, changes: dict[str, Any], viewer: Viewer) -> Created:
    """Make a new experiment. Anyone who may read may fork, and owns the fork.

    `at_s` names the simulated time of the fork; `events` are added, each at that time (when it gives none) or later.
    `scheduler`, `seed`, `name` and `question` replace what was there, from the start. Raises PlaygroundError.
    """
    unknown = [key for key in changes if key not in _KEYS][: MOST_PROBLEMS + 1]
    if unknown:
        raise _refused(*(problem(str(key), "is not a part of a fork", allowed=", ".join(_KEYS)) for key in unknown))
    data = stored_data(experiment)
    inherited = len(data["events"])
    data |= {key: changes[key] for key in ("scheduler", "name", "question", "seed") if key in changes}
    at_s = _time_of(changes)
    if at_s is not None:
        data["fork_of"] = {"experiment": experiment.digest, "at_s": at_s}
        data["events"] = [*data["events"], *_events(changes.get("events"), at_s)]
    try:
        return create_experiment(data=data, viewer=viewer, forked_from=experiment)
    except PlaygroundError as error:
        problems = tuple(_as_sent(item, inherited) for item in error.problems)
        raise PlaygroundError(error.status, error.kind, error.title, problems) from None


def _refused(*problems: ProblemItem) -> PlaygroundError:
    return PlaygroundError(422, "invalid-fork", "The fork cannot be made", problems)


def _time_of(changes: dict[str, Any]) -> float | None:
    """Return the time of the fork, None for one from the start."""
    at_s, allowed = changes.get("at_s"), "simulated seconds, 0 or more"
    if at_s is None:
        if changes.get("events"):
            remedy = "add the simulated time of the fork"
            raise _refused(problem("at_s", "is missing", allowed=allowed, remedy=remedy))
        return None
    if isinstance(at_s, bool) or not isinstance(at_s, int | float) or not 0 <= at_s < math.inf:
        raise _refused(problem("at_s", "is not a time", allowed=allowed))
    return at_s


def _events(events: Any, at_s: float) -> list[Any]:
    """Return the events to add: at the time of the fork where none is given, never before it; the core checks more."""
    if events is None:
        return []
    if not isinstance(events, list):
        raise _refused(problem("events", "is not a list", allowed="a list of events"))
    timed = [{"at_s": at_s, **event} if isinstance(event, dict) else event for event in events]
    early = (
        problem(
            f"events[{number}].at_s",
            f"is {event['at_s']:g} s, before the fork",
            allowed=f"{at_s:g} s or later",
            remedy="the past cannot be changed: fork at an earlier time",
        )
        for number, event in enumerate(timed)
        if isinstance(event, dict) and _is_before(event["at_s"], at_s)
    )
    if told := tuple(islice(early, MOST_PROBLEMS + 1)):
        raise _refused(*told)
    return timed


def _is_before(value: Any, at_s: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value < at_s


def _as_sent(item: ProblemItem, inherited: int) -> ProblemItem:
    """Name a field as the caller knows it: events by their place in the request."""

    def place(match: re.Match[str]) -> str:
        number = int(match[1])
        return f"events[{number - inherited}]" if number >= inherited else f"experiment.events[{number}]"

    path = "at_s" if item["path"] == "fork_of.at_s" else _EVENT.sub(place, item["path"], count=1)
    return {**item, "path": path}
