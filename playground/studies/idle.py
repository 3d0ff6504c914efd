"""Parameters that a study varies although they change nothing there: what the experiment lacks for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from playground.ground.acting import acts_with, is_inactive
from playground.studies.fitted import defaults_of
from playground.web.setting_words import parameter

_PARAMS = "scheduler.params."


def idle_words(path: str, schedulers: Iterable[Mapping[str, Any]], varied: Collection[str]) -> dict[str, list[str]]:
    """Return `idle`, labels of the schedulers under which a varied parameter changes nothing, and `needs`.

    `needs` has the labels of the parameters of which one must be above 0 or on. {} if the parameter acts everywhere.
    `schedulers` have `name`, `params` and `label`; `varied` are the paths that the study varies.
    """
    name = path.removeprefix(_PARAMS)
    others = {each.removeprefix(_PARAMS) for each in varied}
    idle: list[str] = []
    needs: list[str] = []
    for one in schedulers if name != path else ():
        params = {**defaults_of(str(one.get("name", ""))), **(one.get("params") or {})}
        if name in params and is_inactive(name, params, others):
            idle.append(str(one.get("label", "")))
            labels = [parameter(_PARAMS + key, [one["name"]]) for key in acts_with(name, params)]
            needs += [label for label in labels if label not in needs]
    return {"idle": idle, "needs": needs} if idle else {}
