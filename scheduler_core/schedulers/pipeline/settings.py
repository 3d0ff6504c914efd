"""Turn a pipeline's parameters into its rules, and apply parameter changes during a run."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from scheduler_core.engine.records import NEVER, NOBODY, Ints, Records, records
from scheduler_core.experiment.derived import has_priorities
from scheduler_core.schedulers.pipeline.codes import (
    BY_KEY,
    BY_NOTHING,
    COUNT_SHARES,
    COUNT_TASKS,
    J2_POLICIES,
    M4_POLICIES,
    M5_POLICIES,
    NONE,
    R4_POLICIES,
    R5_POLICIES,
    R7_POLICIES,
    SHUFFLED,
    T6_POLICIES,
    T9_POLICIES,
    T10_POLICIES,
    T11_POLICIES,
    T12_POLICIES,
)
from scheduler_core.schedulers.pipeline.keys import J3_KEYS, T2_KEYS, Work
from scheduler_core.schedulers.pipeline.state import RULES
from scheduler_core.world.planned import changed_params, params_after_events
from scheduler_core.world.start import Start

_LITERAL = {"none": BY_NOTHING, "fifo": BY_NOTHING, "ready": BY_NOTHING, "submission": BY_NOTHING, "random": SHUFFLED}
"""What T2's plain algorithm does; the other policies compare."""
_SORTS = ("t2", "j3", "transfer_s")


def pack_rules(start: Start[Any]) -> tuple[Records, Records, list[dict[str, Any]]]:
    """Return (rules at the beginning, rules after each change, parameters after each change)."""
    experiment, params = start.experiment, dict(start.given)
    rules = records(1, RULES)
    rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
    rules["pending_ns"] = NEVER
    for name in ("told_job", "to_copy", "copy_of", "held_machine", "held_line"):
        rules[name] = NOBODY
    fill(rules, params)
    changes = changed_params(experiment)
    settings, later = records(max(len(changes), 1), RULES), [params] * len(changes)
    for place, then in params_after_events(experiment, start.world.incident):
        later[place] = then
        fill(settings[place : place + 1], then)
    if has_priorities(experiment):
        for one in (rules, settings):
            one["by_share"], one["by_task"] = 0, 1
    # Lines and copies have room for all that any later policy needs.
    rules["by_queue"] = any(bool(one["by_queue"].any()) for one in (rules, settings))
    rules["t9_more"] = rules["t9_more"] if any(bool(one["t9"].any()) for one in (rules, settings)) else 0
    return rules, settings, later


def fill(rules: Any, params: dict[str, Any]) -> None:
    """Write what parameters say into one row of rules."""
    rules["timer_ns"] = round(params["timer_s"] * 1e9)
    rules["by_time"], rules["by_left"] = params["t2"] == "ready", params["t2"] == "srtf"
    rules["by_share"] = (params["t2"] == "priority") + 2 * (params["j3"] == "priority")
    for name in ("on_arrival", "on_end", "charge", "j2_jobs", "j2_tasks"):
        rules[name] = params[name]
    rules["fair"] = {"fair": COUNT_TASKS, "drf": COUNT_SHARES}.get(params["j3"], NONE)
    rules["by_queue"] = rules["fair"] != NONE or params["t10"] != "none" or params["r2"] != "none"
    rules["bags"] = params["t2"] == "random" and params["j3"] in ("none", "fair", "drf")
    rules["t2"] = _LITERAL.get(params["t2"], BY_KEY)
    for stage, numbers in (
        ("j2", J2_POLICIES),
        ("t6", T6_POLICIES),
        ("t9", T9_POLICIES),
        ("t10", T10_POLICIES),
        ("t11", T11_POLICIES),
        ("t12", T12_POLICIES),
        ("m4", M4_POLICIES),
        ("m5", M5_POLICIES),
        ("r4", R4_POLICIES),
        ("r5", R5_POLICIES),
        ("r7", R7_POLICIES),
    ):
        rules[stage] = numbers[params[stage]]
    rules["r7_least"], rules["r6_price"] = params["r7_machines"], params["r6_price"]
    rules["r7_period_ns"] = max(round(params["r7_period_s"] * 1e9), 2)
    rules["t9_more"] = params["t9_copies"] - 1
    for name in ("j3", "j5", "t1", "m2", "r2", "r3"):
        rules[name] = params[name] != "none"
    for name in ("t9_factor", "t10_times", "t11_retries", "t12_live", "b_price", "m4_load"):
        rules[name] = params[name]
    for name in ("j5_job", "j5_task", "t10_wait", "t11_wait", "t12", "b_latency", "r4", "r6_delay"):
        rules[f"{name}_ns"] = round(params[f"{name}_s"] * 1e9)
    for stage in ("t5", "t6", "t8", "j7"):
        rules[f"{stage}_ns"] = round(params[f"{stage}_s"] * 1e9) if params[stage] != "none" else 0


def keys_of(work: Work, params: dict[str, Any]) -> tuple[Any, Any]:
    """Return what J3 and T2 sort tasks by."""
    work = dataclasses.replace(work, transfer_ns=round(params["transfer_s"] * 1e9))
    tasks = len(work.duration_ns)
    bags = params["t2"] == "random" and params["j3"] in ("none", "fair", "drf")
    first = J3_KEYS[params["j3"]](work)[work.job_of] if tasks else 0
    return first, 0 if bags else T2_KEYS[params["t2"]](work)


def pack_keys(work: Work, params: dict[str, Any], settings: Records, later: list[dict[str, Any]]) -> Ints:
    """Return keys of J3 and T2 after each change of theirs, (changes, 2, tasks); write each setting's row."""
    found: list[Any] = []
    settings["keys"] = NOBODY
    # Any event may follow any other, so each that leaves the first order has keys of its own.
    sorts = [tuple(one[name] for name in _SORTS) for one in (params, *later)]
    if len(set(sorts)) > 1:
        for number, one in enumerate(later):
            settings["keys"][number] = len(found)
            first, second = keys_of(work, one)
            found.append(
                np.array(
                    [np.broadcast_to(first, len(work.duration_ns)), np.broadcast_to(second, len(work.duration_ns))],
                    np.int64,
                )
            )
    return np.array(found) if found else np.zeros((1, 2, 1), np.int64)
