"""Parse the bytes of sparrow lines, one chunk at a time.

Numbers go straight into whole nanoseconds, as exact decimals: no double in between, halves to even.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scheduler_core.engine.jit import kernel

# What can be wrong with a line. Sentences are in sparrow.py.
NOT_A_NUMBER = 1
NEGATIVE = 2
TOO_LARGE = 3
NOT_WHOLE = 4
NO_TASKS = 5
TOO_FEW = 6
TOO_MANY = 7

# Slots of the parser's state, int64: it carries over from one chunk to the next.
LINE, FIELD, ANNOUNCED, SKIPPING, JOBS, TASKS, LINE_TASKS, PROBLEMS = range(8)
STATE_SLOTS = 8

_MOST_DIGITS = 18
_LARGEST = 10**18


@kernel
def power_of_ten(exponent: int) -> int:
    """Return 10 ** exponent for 0 <= exponent <= 18."""
    value = 1
    for _ in range(exponent):
        value *= 10
    return value


@kernel
def scaled(mantissa: int, exponent: int, cut: int, inexact: bool) -> int:
    """Return mantissa * 10**exponent rounded half to even, for mantissa < 10**18; -1 above 10**18.

    `cut` is the digit that follows the mantissa, `inexact` tells that behind it some digit is not 0.
    """
    if mantissa == 0:
        return 0
    if exponent >= 0:
        if exponent > _MOST_DIGITS or mantissa > _LARGEST // power_of_ten(exponent):
            return -1
        whole = mantissa * power_of_ten(exponent)
        if exponent == 0 and (cut > 5 or (cut == 5 and (inexact or whole % 2 == 1))):
            whole += 1
        if exponent == 1:
            whole += cut
        return whole if whole <= _LARGEST else -1
    if exponent < -_MOST_DIGITS:
        return 0
    divisor = power_of_ten(-exponent)
    whole = mantissa // divisor
    rest = mantissa - whole * divisor
    half = divisor // 2
    if rest > half or (rest == half and (cut > 0 or inexact or whole % 2 == 1)):
        whole += 1
    return whole


@kernel
def parse_number(text: NDArray[np.uint8], start: int, stop: int) -> tuple[int, int]:
    """Read text[start:stop] as seconds; give (nanoseconds, 0) or (0, what is wrong)."""
    negative = False
    i = start
    if text[i] == 45 or text[i] == 43:
        negative = text[i] == 45
        i += 1
    mantissa, exponent = 0, 9
    digits, significant, cut = 0, 0, 0
    seen_point, inexact = False, False
    while i < stop:
        c = int(text[i])
        if 48 <= c <= 57:
            digits += 1
            if significant < _MOST_DIGITS:
                mantissa = mantissa * 10 + (c - 48)
                significant += 1 if mantissa > 0 else 0
                exponent -= 1 if seen_point else 0
            else:
                if significant == _MOST_DIGITS:
                    cut = c - 48
                else:
                    inexact = inexact or c != 48
                significant += 1
                exponent += 0 if seen_point else 1
        elif c == 46 and not seen_point:
            seen_point = True
        else:
            break
        i += 1
    if digits == 0:
        return 0, NOT_A_NUMBER
    if i < stop and (text[i] == 101 or text[i] == 69):
        i += 1
        sign = 1
        if i < stop and (text[i] == 45 or text[i] == 43):
            sign = -1 if text[i] == 45 else 1
            i += 1
        power, power_digits = 0, 0
        while i < stop and 48 <= text[i] <= 57:
            power = min(power * 10 + (int(text[i]) - 48), 100_000)
            power_digits += 1
            i += 1
        if power_digits == 0:
            return 0, NOT_A_NUMBER
        exponent += sign * power
    if i < stop:
        return 0, NOT_A_NUMBER
    if negative and mantissa > 0:
        return 0, NEGATIVE
    value = scaled(mantissa, exponent, cut, inexact)
    return (0, TOO_LARGE) if value < 0 else (value, 0)


@kernel
def _complain(state: NDArray[np.int64], problems: NDArray[np.int64], code: int, start: int, stop: int) -> None:
    """Note what is wrong with this line (line, code, field, where in the chunk) and skip the rest of it."""
    row = state[PROBLEMS]
    if row < problems.shape[0]:
        problems[row, 0] = state[LINE]
        problems[row, 1] = code
        problems[row, 2] = state[FIELD]
        problems[row, 3] = start
        problems[row, 4] = stop
        problems[row, 5] = state[ANNOUNCED]
    state[PROBLEMS] += 1
    state[SKIPPING] = 1


@kernel
def _end_line(state: NDArray[np.int64], problems: NDArray[np.int64], stop: int) -> None:
    """Close a line: keep its job when it is whole, else take its tasks back; then go to the next line."""
    if state[SKIPPING] == 0 and state[FIELD] > 0:
        if state[FIELD] < 3 or state[FIELD] - 3 < state[ANNOUNCED]:
            _complain(state, problems, TOO_FEW, stop, stop)
        else:
            state[JOBS] += 1
            state[LINE_TASKS] = state[TASKS]
    state[TASKS] = state[LINE_TASKS]
    state[LINE] += 1
    state[FIELD] = 0
    state[ANNOUNCED] = 0
    state[SKIPPING] = 0


@kernel
def _take(
    text: NDArray[np.uint8],
    start: int,
    stop: int,
    state: NDArray[np.int64],
    problems: NDArray[np.int64],
    jobs: NDArray[np.int64],
    durations: NDArray[np.int64],
    longest: NDArray[np.int64],
) -> None:
    """Take one number into the job (arrival, tasks, mean) or task that its place in the line says."""
    field = min(state[FIELD], 3)
    if field == 3 and state[FIELD] - 3 >= state[ANNOUNCED]:
        _complain(state, problems, TOO_MANY, start, stop)
        return
    value, wrong = parse_number(text, start, stop)
    if wrong == 0 and value > longest[field]:
        wrong = TOO_LARGE
    if wrong == 0 and field == 1:
        if value % 1_000_000_000 != 0:
            wrong = NOT_WHOLE
        elif value == 0:
            wrong = NO_TASKS
        value //= 1_000_000_000
        state[ANNOUNCED] = value
    if wrong != 0:
        _complain(state, problems, wrong, start, stop)
        return
    if field == 3:
        durations[state[TASKS]] = value
        state[TASKS] += 1
    else:
        jobs[state[JOBS], field] = value
    state[FIELD] += 1


@kernel
def parse_chunk(
    text: NDArray[np.uint8],
    size: int,
    last: bool,
    state: NDArray[np.int64],
    problems: NDArray[np.int64],
    jobs: NDArray[np.int64],
    durations: NDArray[np.int64],
    longest: NDArray[np.int64],
) -> int:
    """Parse text[:size] as far as its last blank (to its end when `last`); give the number of used bytes.

    Writes `jobs` (arrival ns, tasks, mean ns) and `durations` (ns) from state[JOBS] and state[TASKS] on, which must
    have room for size // 8 + 2 and size // 2 + 2 more. `longest` holds the largest value of each kind of field.
    """
    i = 0
    while i < size:
        c = int(text[i])
        if c == 10:
            _end_line(state, problems, i)
            i += 1
        elif c == 32 or c == 9 or c == 13:
            i += 1
        else:
            start = i
            while i < size and text[i] != 32 and text[i] != 10 and text[i] != 9 and text[i] != 13:
                i += 1
            if i == size and not last:
                return start
            if state[SKIPPING] == 0:
                _take(text, start, i, state, problems, jobs, durations, longest)
    if last and (state[FIELD] > 0 or state[SKIPPING] == 1):
        _end_line(state, problems, size)
    return i
