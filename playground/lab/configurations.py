"""A KubeSchedulerConfiguration as parameters of a scheduler, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from playground.errors import PlaygroundError, problem
from playground.ground.simulator import offered_schedulers, problems_in
from scheduler_core import ExperimentError
from scheduler_core.experiment.reading import read_json
from scheduler_core.kube.configuration import WEIGHTS, configuration_of, params_of
from scheduler_core.limits import DEFAULT_LIMITS

_OTHERS = ("percentage", "backoff_s", "max_backoff_s", "preemption", "scoring_strategy", "shape", "resource_weights")
SET = (*WEIGHTS.values(), *_OTHERS)
"""The parameters that a configuration sets; where it does not name one, its default."""
#: Nobody writes a longer one by hand; what is not understood in it is told.
_LIMITS = dataclasses.replace(DEFAULT_LIMITS, json_bytes=200_000, json_values=10_000)


def is_configured(spec: Any) -> bool:
    """Return whether such a configuration sets the parameters of a scheduler."""
    return set(SET) <= set(spec.params.model_fields)


def converted(*, body: bytes) -> dict[str, Any]:
    """Return the scheduler that a configuration means, or the configuration of a scheduler. Raises PlaygroundError."""
    try:
        given = read_json(body, _LIMITS)
        if set(given) == {"configuration"}:
            return _read(given["configuration"])
    except ExperimentError as error:
        raise _refused(*problems_in(error)) from None
    except (KeyError, TypeError, AttributeError, ValueError):
        said = "is not in the form of a KubeSchedulerConfiguration"
        raise _refused(problem("configuration", said, allowed="its v1 form")) from None
    if set(given) == {"scheduler"}:
        return _written(given["scheduler"])
    raise _refused(problem("", "has neither or both", allowed="`configuration` or `scheduler`"))


def _read(configuration: Any) -> dict[str, Any]:
    params, left = params_of(configuration)
    spec = next(one for one in offered_schedulers() if is_configured(one))
    defaults = spec.params().model_dump(mode="json")
    known = spec.params.model_validate({**defaults, **params}).model_dump(mode="json")
    scheduler = {"name": spec.name, "params": {name: known[name] for name in SET}}
    return {"scheduler": scheduler, "not_understood": left}


def _written(scheduler: Any) -> dict[str, Any]:
    given = scheduler if isinstance(scheduler, Mapping) else {}
    spec = next((one for one in offered_schedulers() if one.name == given.get("name")), None)
    if spec is None or not is_configured(spec):
        names = ", ".join(f"'{one.name}'" for one in offered_schedulers() if is_configured(one))
        raise _refused(problem("scheduler.name", "has no such configuration", allowed=names))
    try:
        params = spec.params.model_validate(given.get("params") or {}).model_dump(mode="json")
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(["scheduler.params", *(str(step) for step in first["loc"])])
        raise _refused(problem(place, first["msg"])) from None
    return {"configuration": configuration_of(params)}


def _refused(*items: Any) -> PlaygroundError:
    return PlaygroundError(422, "invalid-request", "The configuration cannot be converted", items)
