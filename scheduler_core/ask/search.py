"""Find the smallest index that keeps a promise, where larger indices are expected to keep it, too.

The expectation is tested: indices on both sides of the answer are tried as well. The tried indices depend only on what
the runs give, so any number of workers finds the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scheduler_core.ask.points import Point, Points, certainly
from scheduler_core.ask.question import Ran, Run

_NEAR = (1, 2, 3)
_FAR = (0.05, 0.1, 0.25, 0.5)
_REPAIRS = 6
_FLAT = 3
_SAME = 1e-3
"""Numbers that differ by a smaller part are the same: larger indices change nothing, and the search gives up."""
Found = Generator[Sequence[Run], Sequence[Ran], Any]


@dataclass
class Scale:
    """The indices of a search, `least` to `most`, begun at `start`. `value(index)` is the key of its point."""

    points: Points
    least: int
    most: int
    start: int
    value: Callable[[int], Any]
    patient: bool = True
    """Whether a search upward goes on where larger indices have changed nothing any more."""

    def get(self, indices: Iterable[int]) -> Generator[Sequence[Run], Sequence[Ran], list[Point]]:
        """Return the points of some indices."""
        return (yield from self.points.get([self.value(index) for index in indices]))

    def one(self, index: int) -> Generator[Sequence[Run], Sequence[Ran], Point]:
        """Return the point of one index."""
        return (yield from self.get([index]))[0]


@dataclass(frozen=True)
class Boundary:
    """Where the promise begins to hold. `answer` is the smallest index from which on every tried one keeps it.

    `fails_at` is the index below it, which was tried and fails; None if the answer is the least index. `low` and `high`
    bound the answer: below `low` the promise is certainly broken, from `high` on certainly kept, by 95 % intervals of
    the measure; None where no tried index is certain.
    """

    answer: int | None
    fails_at: int | None
    low: int | None
    high: int | None
    monotone: bool


def most_values(least: int, most: int) -> int:
    """Return about how many indices `boundary` tries at most."""
    steps = max(1, (most - least).bit_length())
    return min(most - least + 1, 4 * steps + len(_NEAR) * 2 + len(_FAR) * 2)


def boundary(scale: Scale) -> Generator[Sequence[Run], Sequence[Ran], Boundary]:
    """Search the boundary, test its neighborhood, and bound it by the intervals of the measure."""

    def kept(index: int) -> Generator[Sequence[Run], Sequence[Ran], bool]:
        return (yield from scale.one(index)).kept

    answer = yield from _smallest(scale, scale.start, kept)
    if answer is None:
        tried = _tried(scale)
        scale = replace(scale, most=max(tried))
        return Boundary(None, scale.most, None, None, (yield from _all_fail(scale)))
    answer, monotone = yield from _tested(scale, answer)
    low, high = yield from _bounds(scale, answer)
    return Boundary(answer, answer - 1 if answer > scale.least else None, low, high, monotone)


def _all_fail(scale: Scale) -> Generator[Sequence[Run], Sequence[Ran], bool]:
    """Try a few indices where even the most fails; return True if all of them fail."""
    span = scale.most - scale.least
    some = yield from scale.get(sorted({scale.most - round(span * part) for part in (*_FAR, 0.75)}))
    return not any(point.kept for point in some)


def _smallest(
    scale: Scale,
    start: int,
    holds: Callable[[int], Generator[Sequence[Run], Sequence[Ran], bool]],
    step: int | None = None,
) -> Generator[Sequence[Run], Sequence[Ran], int | None]:
    """Return the smallest index that `holds` by steps that double from `start`, then by halves; None if none does.

    Without `step` the first step halves or doubles the distance to the least index.
    """
    below, at = scale.least - 1, start
    if (yield from holds(at)):
        width = step or max(1, (at - scale.least + 1) // 2)
        while at > scale.least:
            lower = max(scale.least, at - width)
            if not (yield from holds(lower)):
                below = lower
                break
            at, width = lower, width * 2 if step else max(1, (lower - scale.least + 1) // 2)
    else:
        below, width = at, step or max(1, at - scale.least + 1)
        while True:
            if below >= scale.most:
                return None
            at = min(scale.most, below + width)
            if (yield from holds(at)):
                break
            if not scale.patient and _is_flat(scale, at):
                return None
            below, width = at, width * 2
    while at - below > 1:
        middle = (at + below) // 2
        if (yield from holds(middle)):
            at = middle
        else:
            below = middle
    return at


def _is_flat(scale: Scale, index: int) -> bool:
    """Return True if the measure has stayed the same over the last three tried indices: more change nothing."""
    last = [scale.points.known[scale.value(one)].measured for one in _tried(scale) if one <= index][-_FLAT:]
    numbers = [value for value in last if value is not None]
    return len(numbers) == _FLAT and max(numbers) - min(numbers) <= _SAME * abs(numbers[-1])


def _tested(scale: Scale, answer: int) -> Generator[Sequence[Run], Sequence[Ran], tuple[int, bool]]:
    """Try indices around an answer; move it above every tried one that fails. Return it, and whether all agreed."""
    monotone = True
    for _ in range(_REPAIRS):
        around = sorted({*_around(scale, answer), *_tried(scale)})
        points = dict(zip(around, (yield from scale.get(around)), strict=True))
        failing = [index for index in around if index >= answer and not points[index].kept]
        monotone &= not failing and not any(points[index].kept for index in around if index < answer)
        if not failing:
            break
        last = failing[-1]
        above = [index for index in around if index > last]
        if not above:
            break
        answer = yield from _between(scale, last, above[0])
    return answer, monotone


def _tried(scale: Scale) -> list[int]:
    return [index for index in range(scale.least, scale.most + 1) if scale.value(index) in scale.points.known]


def _around(scale: Scale, answer: int) -> list[int]:
    size = max(1, answer - scale.least + 1)
    steps = [*_NEAR, *(round(size * part) for part in _FAR)]
    above = [answer + step for step in (*steps, size)]
    below = [answer - step for step in (*_NEAR, *(round(size * part) for part in _FAR[:3]))]
    return [index for index in (answer, *above, *below) if scale.least <= index <= scale.most]


def _between(scale: Scale, fails: int, keeps: int) -> Generator[Sequence[Run], Sequence[Ran], int]:
    """Return an index that keeps the promise next above one that fails."""
    while keeps - fails > 1:
        middle = (fails + keeps) // 2
        if (yield from scale.one(middle)).kept:
            keeps = middle
        else:
            fails = middle
    return keeps


def _bounds(scale: Scale, answer: int) -> Generator[Sequence[Run], Sequence[Ran], tuple[int | None, int | None]]:
    """Return the smallest index that may keep the promise, and the smallest that certainly does."""
    asked = scale.points.asked
    if len(asked.seeds) < 2:
        return None, None

    def may(index: int) -> Generator[Sequence[Run], Sequence[Ran], bool]:
        return not certainly((yield from scale.one(index)), asked, kept=False)

    def does(index: int) -> Generator[Sequence[Run], Sequence[Ran], bool]:
        return certainly((yield from scale.one(index)), asked, kept=True)

    low = yield from _smallest(scale, answer, may, 1)
    below = [index for index in _tried(scale) if index < answer]
    # No index at or below one that certainly breaks the promise can be the answer.
    broken = [index for index in below if certainly(scale.points.known[scale.value(index)], asked, kept=False)]
    low = max([answer if low is None else low, *(index + 1 for index in broken)])
    near = replace(scale, most=min(scale.most, answer + 3 * (answer - scale.least + 1)))
    high = yield from _smallest(near, answer, does, 1)
    return low, None if high is None else max(high, answer)
