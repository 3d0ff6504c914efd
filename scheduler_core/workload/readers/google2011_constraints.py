"""Read the tables task_constraints and machine_attributes of Google's cluster trace of 2011.

task_constraints, 6 fields in the files (as three public programs that read them have it; the trace's schema.csv): 1
time, 2 job ID, 3 task index, 4 comparison operator, 5 attribute name, 6 attribute value. The document lists the
operator last, so both orders are taken, told apart by where a number from 0 to 3 stands. Operators: 0 EQUAL, 1 NOT
EQUAL, 2 LESS THAN, 3 GREATER THAN, the first four of MachineConstraint.Relation of the trace of 2019.
machine_attributes, 5 fields: 1 time, 2 machine ID, 3 attribute name, 4 attribute value, 5 attribute deleted. What
an absent attribute compares as (an empty text, or 0 where sizes are compared) is from memory. Names and values are
hashed, but for whole numbers.

A constraint is an attribute, an operator and a value. A word has room for 62, so the ones that most tasks ask for
stay; the reader counts and drops the others.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.errors import Problem, TraceError
from scheduler_core.experiment.constraints import MOST_CONSTRAINTS
from scheduler_core.workload.raw import Asked, Ints
from scheduler_core.workload.readers.packed import opened
from scheduler_core.workload.readers.table import Layout, Table, first_line

if TYPE_CHECKING:
    from scheduler_core.limits import Limits

OPERATORS = ("==", "!=", "<", ">")
_AS_FILES = ("time", "job ID", "task index", "comparison operator", "attribute name", "attribute value")
_AS_DOCUMENT = ("time", "job ID", "task index", "attribute name", "attribute value", "comparison operator")
_ATTRIBUTES = ("time", "machine ID", "attribute name", "attribute value", "attribute deleted")
_APART = "\x1f"
_MOST_KINDS = 100_000


def task_masks(
    keys: Ints, index_bits: int, constraints: Path, attributes: Path | None, limits: Limits
) -> tuple[Ints, tuple[Asked, ...], tuple[str, ...]]:
    """Return the bits of each task (keys ascending), their meaning, and notes. Raises TraceError."""
    counts: Counter[str] = Counter()
    for kinds, at, of_row in _asked(keys, index_bits, constraints, limits):
        pairs = np.unique(at * len(kinds) + of_row)
        for number, count in enumerate(np.bincount(pairs % len(kinds), minlength=len(kinds)).tolist()):
            counts[kinds[number]] += count
        if len(counts) > _MOST_KINDS:
            raise TraceError(
                [
                    Problem(
                        "constraints",
                        "has more than 100,000 different constraints",
                        "the trace's table task_constraints",
                    )
                ]
            )
    kept = [kind for kind, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_CONSTRAINTS]]
    bits = {kind: np.int64(1) << number for number, kind in enumerate(kept)}
    masks = np.zeros(len(keys), np.int64)
    for kinds, at, of_row in _asked(keys, index_bits, constraints, limits):
        np.bitwise_or.at(masks, at, np.array([bits.get(kind, 0) for kind in kinds], np.int64)[of_row])
    asked = tuple(_named(number, kind) for number, kind in enumerate(kept))
    share = float(np.count_nonzero(masks)) / max(len(masks), 1)
    notes = [f"{share:.1%} of the tasks ask for one of {len(asked)} constraints."]
    if len(counts) > len(kept):
        notes.append(
            f"{len(counts) - len(kept):,} rarer constraints were dropped: a task can ask for "
            f"{MOST_CONSTRAINTS} different ones."
        )
    if attributes is not None:
        asked = _with_shares(asked, attributes, limits)
    return masks, asked, tuple(notes)


def _named(number: int, kind: str) -> Asked:
    attribute, operator, value = kind.split(_APART)
    return Asked(f"k{number + 1:02d}", attribute, OPERATORS[int(operator)], value)


def _asked(keys: Ints, index_bits: int, path: Path, limits: Limits) -> Any:
    """Yield for each block the distinct constraints, its rows' places among the tasks, and each row's constraint."""
    import pyarrow as pa
    import pyarrow.compute as pc

    types = dict.fromkeys(_AS_FILES[1:4], pa.int64()) | dict.fromkeys(_AS_FILES[4:], pa.string())
    table = Table(path, Layout(_layout(path), types), limits)
    for rows in table.blocks():
        job, index, operator = (rows.numbers(name) for name in _AS_FILES[1:4])
        key = (job << index_bits) | index
        at = np.minimum(np.searchsorted(keys, key), max(len(keys) - 1, 0))
        known = (operator >= 0) & (operator < len(OPERATORS)) & (job >= 0) & (index >= 0)
        use = known & (keys[at] == key) if len(keys) else np.zeros(len(key), np.bool_)
        if not use.any():
            continue
        words = [pc.fill_null(rows.column(name), "") for name in _AS_FILES[4:]]
        texts = pc.binary_join_element_wise(words[0], pa.array(operator).cast(pa.string()), words[1], _APART)
        coded = texts.filter(pa.array(use)).dictionary_encode()
        yield coded.dictionary.to_pylist(), at[use], coded.indices.to_numpy().astype(np.int64)


def _layout(path: Path) -> tuple[str, ...]:
    """Return which of the two column orders a table has. Raises TraceError."""
    with opened(path) as file:
        words = first_line(file.read(1 << 16)).split(b",")
    numbers = (b"0", b"1", b"2", b"3")
    if len(words) == 6 and all(word.isdigit() for word in words[:3]):
        if words[3] in numbers:
            return _AS_FILES
        if words[5] in numbers:
            return _AS_DOCUMENT
    raise TraceError(
        [
            Problem(
                "constraints: line 1",
                "is not a row of task_constraints",
                "time, job ID, task index, comparison operator, attribute name, attribute value",
            )
        ]
    )


def _with_shares(asked: tuple[Asked, ...], path: Path, limits: Limits) -> tuple[Asked, ...]:
    """Return for each constraint the share of machines that satisfy it, by the last value of their attributes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    types = dict.fromkeys(_ATTRIBUTES[1:2], pa.int64()) | dict.fromkeys(_ATTRIBUTES[2:4], pa.string())
    table = Table(path, Layout(_ATTRIBUTES, types | {_ATTRIBUTES[4]: pa.int64()}), limits)
    wanted = pa.array(sorted({one.attribute for one in asked}))
    values: dict[str, dict[int, str]] = {one.attribute: {} for one in asked}
    machines: set[int] = set()
    for rows in table.blocks():
        machine = rows.numbers("machine ID")
        machines.update(np.unique(machine).tolist())
        if len(machines) > limits.machines:
            raise TraceError([Problem("machine_attributes", "names too many machines", f"at most {limits.machines:,}")])
        chosen = pc.is_in(rows.column("attribute name"), wanted)
        names, found = (rows.column(name).filter(chosen).to_pylist() for name in _ATTRIBUTES[2:4])
        gone = rows.numbers("attribute deleted", 0)[chosen.fill_null(False).to_numpy(zero_copy_only=False)]
        owners = machine[chosen.fill_null(False).to_numpy(zero_copy_only=False)].tolist()
        for owner, name, value, deleted in zip(owners, names, found, gone.tolist(), strict=True):
            values[name][owner] = "" if deleted else value or ""
    everyone = sorted(machines)
    return tuple(
        replace(one, machine_share=_share(one, [values[one.attribute].get(it, "") for it in everyone])) for one in asked
    )


def _share(asked: Asked, values: list[str]) -> float:
    if not values:
        return 0.0
    if asked.comparison in ("==", "!="):
        same = sum(value == asked.value for value in values)
        return (same if asked.comparison == "==" else len(values) - same) / len(values)
    numbers: NDArray[np.float64] = np.array([_number(value) for value in values])
    limit = _number(asked.value)
    return float(np.mean(numbers < limit if asked.comparison == "<" else numbers > limit))


def _number(text: str) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0
