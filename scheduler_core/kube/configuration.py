"""Read a KubeSchedulerConfiguration (v1) as parameters of the scheduler `kubernetes`, and write one from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scheduler_core.errors import ExperimentError, Problem, listed, shown

API = "kubescheduler.config.k8s.io/v1"
KIND = "KubeSchedulerConfiguration"

WEIGHTS = {
    "TaintToleration": "taint_weight", "NodeAffinity": "affinity_weight", "PodTopologySpread": "spread_weight",
    "InterPodAffinity": "pod_affinity_weight", "NodeResourcesFit": "fit_weight",
    "NodeResourcesBalancedAllocation": "balanced_weight", "ImageLocality": "image_weight",
}  # fmt: skip
"""The parameter of each score plugin's weight."""
_DEFAULTS = {
    "taint_weight": 3, "affinity_weight": 2, "spread_weight": 2, "pod_affinity_weight": 2, "fit_weight": 1,
    "balanced_weight": 1, "image_weight": 1,
}  # fmt: skip
_STRATEGIES = ("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")
_RESOURCE = re.compile(r"[A-Za-z0-9./_-]+")
_LONGEST_NAME = 100
_QUIET = frozenset({"apiVersion", "kind", "parallelism", "leaderElection", "clientConnection"})
"""Members without a meaning for decisions."""


def params_of(config: Any) -> tuple[dict[str, Any], list[str]]:
    """Return the parameters that a configuration sets, and the places of what is not understood in it.

    The first profile counts. Raises ExperimentError for another object, or for values out of their range.
    """
    if not isinstance(config, Mapping) or config.get("kind") != KIND or config.get("apiVersion") != API:
        raise ExperimentError([Problem("apiVersion, kind", "is not of this kind", f"{API}, {KIND}")])
    found: dict[str, Any] = {}
    left: list[str] = []
    for name, value in config.items():
        if name == "percentageOfNodesToScore":
            found["percentage"] = _whole(value, name, 0, 100)
        elif name == "podInitialBackoffSeconds":
            found["backoff_s"] = float(_whole(value, name, 1, 86_400))
        elif name == "podMaxBackoffSeconds":
            found["max_backoff_s"] = float(_whole(value, name, 1, 86_400))
        elif name == "profiles":
            found |= _profile(value, left)
        elif name not in _QUIET:
            left.append(name)
    return found, left


def configuration_of(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration that the parameters of an experiment mean."""
    text = params.get("resource_weights") or "cpu:1, memory:1"
    pairs = (each.rpartition(":") for each in text.split(","))
    resources = [{"name": name.strip(), "weight": int(weight)} for name, _, weight in pairs]
    strategy: dict[str, Any] = {"type": params["scoring_strategy"], "resources": resources}
    if params["scoring_strategy"] == "RequestedToCapacityRatio":
        points = (each.split(":") for each in params["shape"].split(","))
        strategy["requestedToCapacityRatio"] = {"shape": [{"utilization": int(x), "score": int(y)} for x, y in points]}
    enabled = [{"name": name, "weight": params[mine]} for name, mine in WEIGHTS.items() if params[mine] > 0]
    plugins: dict[str, Any] = {"score": {"disabled": [{"name": "*"}], "enabled": enabled}}
    if not params["preemption"]:
        plugins["postFilter"] = {"disabled": [{"name": "DefaultPreemption"}]}
    return {
        "apiVersion": API,
        "kind": KIND,
        "percentageOfNodesToScore": params["percentage"],
        "podInitialBackoffSeconds": max(1, round(params["backoff_s"])),
        "podMaxBackoffSeconds": max(1, round(params["max_backoff_s"])),
        "profiles": [
            {
                "schedulerName": "default-scheduler",
                "plugins": plugins,
                "pluginConfig": [{"name": "NodeResourcesFit", "args": {"scoringStrategy": strategy}}],
            }
        ],
    }


def _profile(profiles: Any, left: list[str]) -> dict[str, Any]:
    if not isinstance(profiles, list) or not all(isinstance(each, Mapping) for each in profiles):
        raise ExperimentError([Problem("profiles", "is not a list of profiles", "a list")])
    left += [f"profiles[{number}]" for number in range(1, len(profiles))]
    found: dict[str, Any] = {}
    for name, value in (profiles[0] if profiles else {}).items():
        if name == "percentageOfNodesToScore":
            found["percentage"] = _whole(value, f"profiles[0].{name}", 0, 100)
        elif name == "plugins":
            found |= _plugins(_object(value, "profiles[0].plugins"), left)
        elif name == "pluginConfig":
            for number, each in enumerate(_objects(value, "profiles[0].pluginConfig")):
                found |= _args(each, f"profiles[0].pluginConfig[{number}]", left)
        elif name != "schedulerName":
            left.append(f"profiles[0].{name}")
    return found


def _plugins(plugins: Mapping[str, Any], left: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for point, sets in plugins.items():
        place = f"profiles[0].plugins.{point}"
        chosen = _object(sets, place)
        disabled = set(_named(chosen.get("disabled"), f"{place}.disabled"))
        named = _named(chosen.get("enabled"), f"{place}.enabled")
        enabled = {name: each.get("weight") for name, each in named.items()}
        if point in ("score", "multiPoint"):
            for name, mine in WEIGHTS.items():
                if name in enabled:
                    weight = enabled[name]
                    # Without a weight, a plugin of the score point has 1, and one of all points keeps its own.
                    kept = _DEFAULTS[mine] if point == "multiPoint" else 1
                    found[mine] = _whole(weight, f"{place}.{name}", 0, 100) if weight else kept
                elif name in disabled or "*" in disabled:
                    found[mine] = 0
            left += [f"{place}.{name}" for name in enabled if name not in WEIGHTS]
        elif point == "postFilter":
            if "DefaultPreemption" in enabled:
                found["preemption"] = True
            elif disabled & {"DefaultPreemption", "*"}:
                found["preemption"] = False
        else:
            left.append(place)
    return found


def _args(config: Mapping[str, Any], place: str, left: list[str]) -> dict[str, Any]:
    inside = f"{place}.args.scoringStrategy"
    strategy = _object(_object(config.get("args"), f"{place}.args").get("scoringStrategy"), inside)
    if config.get("name") != "NodeResourcesFit" or not strategy:
        left.append(f"{place} ({str(config.get('name'))[:100]})")
        return {}
    kind = strategy.get("type", "LeastAllocated")
    if kind not in _STRATEGIES:
        raise ExperimentError([Problem(f"{inside}.type", f"is {shown(kind)}", listed(_STRATEGIES))])
    found: dict[str, Any] = {"scoring_strategy": kind}
    ratio = _object(strategy.get("requestedToCapacityRatio"), f"{inside}.requestedToCapacityRatio")
    there = f"{inside}.requestedToCapacityRatio.shape"
    if shape := _objects(ratio.get("shape"), there):
        found["shape"] = ", ".join(_point(each, f"{there}[{number}]") for number, each in enumerate(shape))
    resources = _named(strategy.get("resources"), f"{inside}.resources")
    weights = {name: _weight(each, name, f"{inside}.resources") for name, each in resources.items()}
    if weights and weights != {"cpu": 1, "memory": 1}:
        found["resource_weights"] = ", ".join(f"{name}:{weight}" for name, weight in weights.items())
    return found


def _weight(each: Mapping[str, Any], name: str, place: str) -> int:
    """Return the weight of a resource: 1 where it names none, or 0. Raises ExperimentError."""
    if not 1 <= len(name) <= _LONGEST_NAME or not _RESOURCE.fullmatch(name):
        raise ExperimentError([Problem(f"{place}.name", f"is {shown(name)}", "the name of a resource")])
    return _whole(each.get("weight", 1), f"{place}.{name}.weight", 0, 100) or 1


def _point(each: Mapping[str, Any], place: str) -> str:
    bounds = (("utilization", 100), ("score", 10))
    return ":".join(str(_whole(each.get(name), f"{place}.{name}", 0, most)) for name, most in bounds)


def _object(value: Any, place: str) -> Mapping[str, Any]:
    """Return an object, empty for null. Raises ExperimentError for anything else."""
    if value is not None and not isinstance(value, Mapping):
        raise ExperimentError([Problem(place, f"is {shown(value)}", "an object")])
    return value or {}


def _objects(value: Any, place: str) -> list[Mapping[str, Any]]:
    """Return a list of objects, empty for null. Raises ExperimentError for anything else."""
    if value is not None and not isinstance(value, list):
        raise ExperimentError([Problem(place, f"is {shown(value)}", "a list of objects")])
    return [_object(each, f"{place}[{number}]") for number, each in enumerate(value or ())]


def _named(value: Any, place: str) -> dict[str, Mapping[str, Any]]:
    """Return a list of objects by their `name`. Raises ExperimentError for anything else."""
    found: dict[str, Mapping[str, Any]] = {}
    for number, each in enumerate(_objects(value, place)):
        if not isinstance(name := each.get("name"), str):
            raise ExperimentError([Problem(f"{place}[{number}].name", f"is {shown(name)}", "a name")])
        found[name] = each
    return found


def _whole(value: Any, place: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ExperimentError([Problem(place, f"is {shown(value)}", f"a whole number from {least} to {most:,}")])
    return value
