"""An entry's part of an experiment: what it may change, how it is merged into the baseline, and its differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playground.arena.declared import Bounds, Offer, Spec
from playground.arena.physics import is_physics
from playground.errors import PlaygroundError, ProblemItem, problem
from playground.ground.simulator import parse_experiment, refuse_unsupported
from playground.web.words import gettext
from scheduler_core import SCHEDULERS
from scheduler_core.experiment.labels import label_of
from scheduler_core.experiment.places import with_value

_KEYS = ("scheduler", "values")
#: Parts of an experiment that change no outcome; the seed is the challenge's own.
_IDLE = ("name", "question", "seed", "fork_of", "schema_version", "rules")
_ANY = Bounds()


def refused(*items: ProblemItem) -> PlaygroundError:
    return PlaygroundError(422, "invalid-entry", "The entry is not within the challenge", items)


def offers_of(spec: Spec, base: dict[str, Any]) -> dict[str, Offer]:
    """Return the schedulers that an entry may choose, the baseline's own first."""
    own = str(base["scheduler"]["name"])
    if spec.change.schedulers == "any":
        names = [own, *(one.name for one in SCHEDULERS if one.name != own)]
        return {name: Offer(name=name, open="any") for name in names}
    found = {offer.name: offer for offer in spec.change.schedulers}
    return {own: found.pop(own, Offer(name=own))} | found


def with_part(spec: Spec, base: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return the experiment of an entry: the baseline with its part. Raises PlaygroundError naming each field."""
    unknown = [
        problem(str(key)[:60], "is not a part of an entry", allowed=", ".join(_KEYS))
        for key in part
        if key not in _KEYS
    ]
    if unknown:
        raise refused(*unknown)
    data = _with_scheduler(spec, base, part.get("scheduler"))
    return _checked(_with_values(spec, data, part.get("values")))


def part_of(spec: Spec, base: dict[str, Any], experiment: dict[str, Any]) -> dict[str, Any]:
    """Return the part in which a whole experiment differs from the baseline. Raises PlaygroundError."""
    values, wrong = {}, []
    changeable = {value.path for value in spec.change.values}
    for path, value in _differences(_without(base), _without(experiment), ""):
        if path in changeable:
            values[path] = value
        else:
            wrong.append(_fixed(path, spec))
    if wrong:
        raise refused(*wrong[:20])
    return {"scheduler": experiment["scheduler"], "values": values}


def _fixed(path: str, spec: Spec) -> ProblemItem:
    allowed = ", ".join(["scheduler", *(value.path for value in spec.change.values)])
    return problem(
        path,
        "differs from the challenge, and this part is fixed",
        allowed=allowed,
        remedy="restore the challenge's value",
        label=_label(path),
    )


def _without(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in (*_IDLE, "scheduler")}


def _differences(mine: Any, other: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the paths at which the second differs from the first, and its values there."""
    if isinstance(mine, dict) and isinstance(other, dict):
        for key in {**mine, **other}:
            yield from _differences(mine.get(key), other.get(key), f"{path}.{key}" if path else str(key))
    elif isinstance(mine, list) and isinstance(other, list) and len(mine) == len(other):
        for place, pair in enumerate(zip(mine, other, strict=True)):
            yield from _differences(*pair, f"{path}[{place}]")
    elif mine != other or isinstance(mine, bool) != isinstance(other, bool):
        yield path, other


def _with_scheduler(spec: Spec, base: dict[str, Any], chosen: Any) -> dict[str, Any]:
    if chosen is None:
        chosen = {}
    if not isinstance(chosen, dict) or not isinstance(chosen.get("params") or {}, dict):
        example = '{"name": "eagle", "params": {}}'
        raise refused(
            problem("scheduler", "is not a scheduler with its parameters", allowed=f"an object, such as {example}")
        )
    offers = offers_of(spec, base)
    name = chosen.get("name", base["scheduler"]["name"])
    offer = offers.get(name) if isinstance(name, str) else None
    if offer is None:
        raise refused(problem("scheduler.name", f"{str(name)[:60]!r} may not be entered", allowed=", ".join(offers)))
    start = start_of(base, offer)
    data = _checked(
        start | {"scheduler": {"name": name, "params": start["scheduler"]["params"] | (chosen.get("params") or {})}}
    )
    wrong = list(_beyond(offer, start["scheduler"]["params"], data["scheduler"]["params"]))
    if wrong:
        raise refused(*wrong)
    return data


def start_of(base: dict[str, Any], offer: Offer) -> dict[str, Any]:
    """Return the experiment that an entry with this scheduler starts from, with all parameters written out."""
    own = base["scheduler"]["params"] if offer.name == base["scheduler"]["name"] else {}
    return _checked(base | {"scheduler": {"name": offer.name, "params": {**own, **offer.params}}})


def _beyond(offer: Offer, start: dict[str, Any], chosen: dict[str, Any]) -> Iterator[ProblemItem]:
    """Yield a problem for each changed parameter that is fixed or out of bounds."""
    for key, value in chosen.items():
        if key in start and start[key] == value and isinstance(start[key], bool) == isinstance(value, bool):
            continue
        path = f"scheduler.params.{key}"
        if is_physics(key) or (offer.open != "any" and key not in offer.open):
            listed = (one for one in (start if offer.open == "any" else offer.open) if not is_physics(one))
            opened = ", ".join(listed) or f"no parameter of {offer.name}"
            told, allowed = f"is {value}; this parameter is fixed", f"{start.get(key)}"
            yield problem(path, told, allowed=allowed, remedy=f"change {opened}", label=_label(path, offer.name))
            continue
        bounds = _ANY if offer.open == "any" else offer.open[key]
        if not bounds.accepts(value):
            said = f"is {_said(value)}, outside the challenge's bounds"
            yield problem(path, said, allowed=bounds.allowed, label=_label(path, offer.name))


def _label(path: str, *schedulers: str) -> str:
    """Return what people call the field at a path; empty for a field without a name."""
    return gettext(label_of(path, schedulers))


def _said(value: object) -> str:
    """Write a value as a person types it: 9, not 9.0."""
    return f"{value:g}" if isinstance(value, float) else str(value)[:40]


def _with_values(spec: Spec, data: dict[str, Any], values: Any) -> dict[str, Any]:
    if values is not None and not isinstance(values, dict):
        raise refused(problem("values", "is not an object", allowed='{"path": value}'))
    changeable, wrong = {value.path: value for value in spec.change.values}, []
    for path, value in (values or {}).items():
        bounds = changeable.get(path)
        if bounds is None:
            allowed = ", ".join(changeable) or "no value outside the scheduler"
            wrong.append(problem(str(path)[:200], "is fixed in this challenge", allowed=allowed))
        elif isinstance(value, dict | list) or not bounds.accepts(value):
            said = f"is {_said(value)}, outside the challenge's bounds"
            wrong.append(problem(path, said, allowed=bounds.allowed, label=gettext(bounds.says) or _label(path)))
        else:
            data = with_value(data, path, value)
    if wrong:
        raise refused(*wrong)
    return data


def _checked(data: dict[str, Any]) -> dict[str, Any]:
    """Return an experiment with its defaults written out. Raises PlaygroundError."""
    core = parse_experiment(data)
    refuse_unsupported(core)
    return core.to_dict()


def difference(base: dict[str, Any], experiment: dict[str, Any]) -> list[dict[str, Any]]:
    """Return where an entry's experiment differs from the baseline: paths with both values.

    A scheduler that is not the baseline's is one line, with the parameters that are not its defaults.
    """
    rows = []
    mine, other = base["scheduler"], experiment["scheduler"]
    if mine["name"] != other["name"]:
        rows.append({"path": "scheduler.name", "before": mine["name"], "after": other["name"]})
        defaults = _checked(base | {"scheduler": {"name": other["name"], "params": {}}})["scheduler"]["params"]
        before = {key: value for key, value in defaults.items() if key in other["params"]}
    else:
        before = mine["params"]
    for key, value in other["params"].items():
        if before.get(key) != value:
            rows.append({"path": f"scheduler.params.{key}", "before": before.get(key), "after": value})
    for path, value in _differences(_without(base), _without(experiment), ""):
        rows.append({"path": path, "before": _at(base, path), "after": value})
    return rows


def _at(data: dict[str, Any], path: str) -> Any:
    here: Any = data
    for step in path.replace("[", ".[").split("."):
        here = here[int(step[1:-1])] if step.startswith("[") else here.get(step)
    return here
