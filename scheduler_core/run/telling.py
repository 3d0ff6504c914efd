"""Word decisions about tasks: fill a scheduler's reason templates from rows of its decision log."""

from __future__ import annotations

import re
from typing import Any

from scheduler_core.engine.records import (
    CAUSE_CONSTRAINT,
    CAUSE_CONSTRAINTS,
    CAUSE_GANG,
    CAUSE_OUT,
    CAUSE_PARENT,
    CAUSE_RACKS,
    CAUSE_RESOURCE,
    CAUSE_TOGETHER,
    DRAINED,
    FAILED,
)
from scheduler_core.run.names import Names, bare_name, cluster_name
from scheduler_core.world.spec import Reason

_WORDS = {"cpus": "CPUs", "memory_gb": "memory", "gpus": "GPUs"}
_OF_ONE = re.compile(
    r"(?P<choice>\b(?:first|last) of the |(?<=\bthe ))?(?<![\d.,])1 "
    r"(?P<what>(?:other |short |long )?(?:task|stage|group|machine|worker|probe|job|time|other))s\b"
    r"(?P<of>(?: of (?:its|this|the|all) (?:jobs?|stage|group|kind|queue|framework)\b(?:'s tasks)?)?"
    r"(?: with the same demand)?(?: that)?)(?P<verb> wait| have| are| were)?\b"
)
_PLAINER = (
    (re.compile(r"\bbehind 0 (other|task)s\b"), r"with no \1 in front"),
    (re.compile(r"\b0 others were in front of it\b"), "nothing was in front of it"),
    (re.compile(r"\bOf 1 machine with room, (machine [\d,]+) (?:has|is) the [^.;]*"), r"Only \1 had room"),
    (
        re.compile(r"\bMachine ([\d,]+) has the best score of the machine with room: [\d.,]+ of 100"),
        r"Only machine \1 had room",
    ),
)
"""What a filled template says stiffly, and how it is said."""
_VERB = {" wait": " waits", " have": " has", " are": " is", " were": " was", None: ""}

_CAUSES = {
    CAUSE_TOGETHER: ": each resource is available somewhere, but no eligible machine has all of them",
    CAUSE_CONSTRAINTS: ": no machine offers all of the task's constraints",
    CAUSE_OUT: ": every eligible machine is out of service",
    CAUSE_RACKS: ": no rack has machines for all tasks that the job's rule keeps together",
    CAUSE_GANG: ", or no machines are large enough for the whole gang at once",
    CAUSE_PARENT: ", or for a stage that the task depends on",
}
_CAUSE_OF_RESOURCE = ": no eligible machine has enough {what}"
_CAUSE_OF_CONSTRAINT = ": no machine offers {what}"
_LACKS = {
    CAUSE_OUT: ": all eligible machines are out of service",
    CAUSE_TOGETHER: ": each resource is free somewhere, but no machine has enough of all",
}
_LACK_OF_RESOURCE = ": no machine has enough free {what}"
_HAD_FAILED, _WAS_DRAINED = "the machine had failed", "the machine was being drained"
_MACHINE_FAILED, _EVENT_STOPPED = "machine {what} failed", "an event stopped the task on machine {what}"
_TAKEN_BY, _WAS_FULL = "task {what} had taken it", "the machine was full"
#: All clauses that arguments can hold, for translators; `what` is a resource, a constraint or a task's number.
CLAUSES = (
    *_CAUSES.values(), _CAUSE_OF_RESOURCE, _CAUSE_OF_CONSTRAINT, *_LACKS.values(), _LACK_OF_RESOURCE,
    _HAD_FAILED, _WAS_DRAINED, _TAKEN_BY, _WAS_FULL, _MACHINE_FAILED, _EVENT_STOPPED,
)  # fmt: skip


def duration(seconds: float) -> str:
    """Return a time with three significant digits in a suitable unit: s, ms or µs."""
    if not seconds:
        return "0 s"
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if abs(seconds) * scale >= 1 or unit == "µs":
            return f"{float(f'{seconds * scale:.3g}'):,g} {unit}"
    raise AssertionError("unreachable")


def instant(seconds: float) -> str:
    """Return a simulated time, to hundredths of a second if three digits would be coarser."""
    return duration(seconds) if seconds < 10 else f"{seconds:,.2f}".rstrip("0").rstrip(".") + " s"


def sentence(reason: Reason, row: dict[str, Any], cluster: str, names: Names | None = None) -> str:
    """Return a decision in words: the reason's template filled with the row's arguments."""
    told = _OF_ONE.sub(_of_one, reason.template.format(**arguments(reason, row, cluster, names)))
    for pattern, plainer in _PLAINER:
        told = pattern.sub(plainer, told)
    return told


def arguments(reason: Reason, row: dict[str, Any], cluster: str, names: Names | None = None) -> dict[str, str]:
    """Return the values of the fields that a reason names, so that any language can fill its template.

    machine, frm, to, x, y and count are numbers; y_tenths is a tenth of y; x_s and y_s are times; y_high_share and
    y_low_share are shares (the halves of y, in millionths). The others are queue_frm, queue_to and owner_to; count_x,
    the bits of x; `at_x`, the time x ns later; `cluster`, and `cluster_bare` without that word; `cause` and `lack` from
    y; `taken` from both; `loss`, why the task lost its work on `machine`, and `loss_frm` on `frm`; and `told`, the
    scheduler's own words where it has some.
    """
    names = names or Names()
    values: dict[str, str] = {name: f"{value:,}" for name, value in row.items() if name != "told"}
    values["count_x"] = str(row.get("x", 0).bit_count())
    values |= {f"{name}_s": duration(row[name] / 1e9) for name in ("x", "y") if name in row}
    y = row.get("y", 0)
    values["y_tenths"] = f"{y / 10:g}"
    values |= {"y_high_share": f"{(y >> 32) / 1e4:.3g} %", "y_low_share": f"{(y & 0xFFFFFFFF) / 1e4:.3g} %"}
    for end in ("frm", "to"):
        values[f"queue_{end}"] = bare_name(_named(names.queues, row.get(end, -1)))
    to = row.get("to", -1)
    values["owner_to"] = str(names.owners[to]) if 0 <= to < len(names.owners) else "?"
    values |= {"cause": cause(y, names), "taken": taken(row.get("x", -1), y), "lack": lack(y, names)}
    loss = _EVENT_STOPPED if (row.get("t_ns", -1), row.get("task", -1)) in names.stops else _MACHINE_FAILED
    values |= {"loss": loss.format(what=f"{row.get('machine', -1):,}")}
    values |= {"loss_frm": loss.format(what=f"{row.get('frm', -1):,}")}
    values["told"] = row.get("told", ".")
    values["at_x"] = instant((row.get("t_ns", 0) + row.get("x", 0)) / 1e9)
    values |= {"cluster": cluster_name(cluster), "cluster_bare": bare_name(cluster)}
    return {name: values[name] for name in reason.fields}


def _of_one(found: re.Match[str]) -> str:
    """Return the singular of a plural phrase: "1 task waits", and "the stage" for "the last of the 1 stages"."""
    count = "1 " if found["choice"] is None else ""
    return f"{count}{found['what']}{found['of']}{_VERB[found['verb']]}"


def _resource(names: Names, number: int) -> str:
    return resource_word(_named(names.resources, number))


def resource_word(name: str) -> str:
    """Return the everyday name of a resource."""
    return _WORDS.get(name, name)


def amount_words(name: str, amount: float) -> str:
    """Return an amount of a resource in words: "1 CPU", "2.5 GPUs", "4 GB of memory"."""
    if name == "memory_gb":
        return f"{amount:g} GB of memory"
    word = resource_word(name)
    return f"{amount:g} {word.removesuffix('s') if amount == 1 and name in ('cpus', 'gpus') else word}"


def _named(names: tuple[str, ...], number: int) -> str:
    return names[number] if 0 <= number < len(names) else str(number)


def cause(code: int, names: Names) -> str:
    """Return a clause that says why no machine holds a task (engine.records, CAUSE_*); empty if not examined."""
    if CAUSE_RESOURCE <= code < CAUSE_TOGETHER:
        return _CAUSE_OF_RESOURCE.format(what=_resource(names, code - CAUSE_RESOURCE))
    if code >= CAUSE_CONSTRAINT:
        return _CAUSE_OF_CONSTRAINT.format(what=_named(names.constraints, code - CAUSE_CONSTRAINT))
    return _CAUSES.get(code, "")


def lack(code: int, names: Names) -> str:
    """Return a clause that names what no machine has enough of (engine.records, CAUSE_*); empty if not examined."""
    if CAUSE_RESOURCE <= code < CAUSE_TOGETHER:
        return _LACK_OF_RESOURCE.format(what=_resource(names, code - CAUSE_RESOURCE))
    return _LACKS.get(code, "")


def taken(task: int, flags: int) -> str:
    """Return what a request met at the machine: a fault, a drain, or the last task launched there."""
    if flags & FAILED:
        return _HAD_FAILED
    if flags & DRAINED:
        return _WAS_DRAINED
    return _TAKEN_BY.format(what=f"{task:,}") if task >= 0 else _WAS_FULL
