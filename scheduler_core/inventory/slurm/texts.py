"""The notations of Slurm: times, limits, memory, TRES, lists of hosts and of array tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from scheduler_core.inventory.quantities import LATEST_S

NS = 1_000_000_000
_MEMORY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?)([KMGTP]?)i?B?([nc]?)\Z", re.IGNORECASE)
_DURATION = re.compile(r"(?:([0-9]{1,6})-)?([0-9]{1,6})(?::([0-9]{1,2}))?(?::([0-9]{1,2})(\.[0-9]+)?)?\Z")
_UNITS = {"": 2**20, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50}
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9})(?::([0-9]{1,9}))?)?\Z")
MOST_EXPANDED = 1_000_000
#: Numbers with more digits are no counts: amounts of memory stay below 2**63 bytes.
_MOST_DIGITS = 12
#: A longer beginning or end of names is no list: a line of 1 MB would make as many names of 1 MB as its range says.
_LONGEST_NAME = 256


def is_count(text: str) -> bool:
    """Return True for a whole number from 0 that every amount can hold."""
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


@lru_cache(maxsize=1 << 16)
def time_ns(text: str) -> int | None:
    """Return a time as ns since 1970, read as UTC (only differences matter); None for Unknown, None and the like.

    So are times before 1970 and after 2255.
    """
    try:
        seconds = int(text) if is_count(text) else round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())
    except (ValueError, OverflowError):
        return None
    return seconds * NS if 0 <= seconds <= LATEST_S else None


@lru_cache(maxsize=1 << 14)
def duration_s(text: str) -> float | None:
    """Return `days-hours:minutes:seconds`, `hours:minutes:seconds` or `minutes:seconds` in seconds, else None.

    A single number is minutes, as in a wall-time limit; after days it is hours.
    """
    match = _DURATION.match(text.strip())
    if match is None:
        return None
    days, numbers = int(match[1] or 0), [int(part) for part in match.groups()[1:4] if part is not None]
    if match[1] is not None:
        hours, minutes, seconds = [*numbers, 0, 0][:3]
    elif len(numbers) == 3:
        hours, minutes, seconds = numbers
    else:
        hours, minutes, seconds = 0, numbers[0], numbers[1] if len(numbers) == 2 else 0
    return days * 86_400.0 + hours * 3_600 + minutes * 60 + seconds


@lru_cache(maxsize=1 << 14)
def memory_bytes(text: str) -> tuple[int, str] | None:
    """Return an amount of memory in bytes and `n` (for each node), `c` (for each CPU) or an empty text.

    A number alone is in MiB, as Slurm has it.
    """
    match = _MEMORY.match(text.strip())
    if match is None:
        return None
    return round(float(match[1]) * _UNITS[match[2].upper()]), match[3].lower()


def tres(text: str) -> dict[str, str]:
    """Return `cpu=4,mem=16G,gres/gpu=2` as a table."""
    return {name: value for part in text.split(",") if "=" in part for name, _, value in [part.partition("=")]}


def gpus(text: str) -> int:
    """Return the number of GPUs in `gpu:a100:4(S:0-1),gpu:t4:2` or in a table of TRES."""
    total = 0
    # A bracket inside ends the match: many that never close would take quadratic time.
    for part in re.sub(r"\([^()]*\)", "", text).split(","):
        fields = part.split(":")
        if fields[0] in ("gpu", "gres/gpu"):
            total += int(fields[-1]) if is_count(fields[-1]) else 1
    return total


def array_tasks(text: str) -> list[range] | None:
    """Return the numbers of the tasks that `1-10%2`, `1,3,5-9:2` names; None for what is no such list."""
    total, found = 0, list[range]()
    for part in text.partition("%")[0].split(","):
        match = _RANGE.match(part.strip())
        if match is None:
            return None
        first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
        if last < first or step < 1:
            return None
        found.append(range(first, last + 1, step))
        total += len(found[-1])
        if total > MOST_EXPANDED:
            return None
    return found


def _parts(text: str) -> Iterator[str]:
    """Yield what commas outside of brackets part, in linear time."""
    group: list[str] = []
    inside = False
    for piece in text.split(","):
        group.append(piece)
        inside = piece.rfind("[") > piece.rfind("]") or (inside and "]" not in piece)
        if not inside:
            yield ",".join(group)
            group = []
    if group:
        yield ",".join(group)


def hosts(text: str, most: int = MOST_EXPANDED) -> list[str]:
    """Return the first `most` names in `n[1-3,7],gpu01`, and the text itself where it is no such list."""
    names: list[str] = []
    for part in _parts(text):
        if len(names) >= most:
            break
        head, bracket, rest = part.partition("[")
        if not bracket:
            names += [part] if part else []
            continue
        inside, _, tail = rest.partition("]")
        if len(head) + len(tail) > _LONGEST_NAME:
            names.append(part)
            continue
        for piece in inside.split(","):
            low, dash, high = piece.partition("-")
            if not dash or not (is_count(low) and is_count(high)):
                names.append(head + piece + tail)
            else:
                last = min(int(high), int(low) + most - len(names) - 1)
                names += [f"{head}{number:0{len(low)}d}{tail}" for number in range(int(low), last + 1)]
    return names[:most]


SINGLETON = "singleton"
_CONDITION = re.compile(r"(?:(after(?:any|ok|notok|corr|burstbuffer)?):)?([0-9_*+:]+)\Z")
_JOB_NUMBER = re.compile(r"([0-9]{1,18})(?:(_[0-9]{1,9})|_\*)?(?:\+([0-9]{1,6}))?\Z")
_MOST_CONDITIONS = 50


def dependency(text: str) -> dict[str, Any] | None:
    """Return the conditions (kind, job, minutes) in `afterok:1:2_7,after:3+5`; {} for none, None if one is unknown.

    `any` says that one of them is enough (`?` between them). A job without a kind is one that has to end; an array's
    element is `2_7`. A condition `singleton` names no job.
    """
    text = re.sub(r"\([a-z]*\)", "", text.strip())
    if text in ("", "(null)", "None", "N/A"):
        return {}
    found = list[tuple[str, str, int]]()
    for part in re.split(r"[,?]", text):
        if part == SINGLETON:
            found.append((SINGLETON, "", 0))
            continue
        match = _CONDITION.match(part)
        if match is None:
            return None
        for each in match[2].split(":"):
            if (job := _JOB_NUMBER.match(each)) is None:
                return None
            found.append((match[1] or "afterany", job[1] + (job[2] or ""), int(job[3] or 0)))
    return {"any": "?" in text, "of": found[:_MOST_CONDITIONS]}
