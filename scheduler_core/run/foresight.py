"""Predict the end of a run from its beginning: ranges of the wait time, growth of the queue, or neither.

The experiment gives the arrivals and durations of the whole run before it ends, but not the scheduler's effect. The
waits of the beginning are therefore carried over to the rest by state: a task that arrives at a queue like that of an
earlier task waits as long as that task did (`queue_model` gives the length of the queue). States beyond all states seen
so far are extrapolated in two ways, by a shift and by a factor, each with one third of the beginning left out in turn.
The range spans all these predictions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scheduler_core.metrics.percentiles import nearest_rank
from scheduler_core.run.queue_model import Floats, starts_in_order

PERCENTS = {"p50": (50.0, 3.0), "p90": (90.0, 1.5), "p99": (99.0, 0.3), "p99.9": (99.9, 0.04)}
"""The percentiles that are foreseen, and how far beside each the range looks."""
# Chosen on the draws of bench/previews.py with seed 1: how much wider than what the extrapolations span, and the
# widest range (high over low) that still says something.
_WIDER = {"p50": 1.12, "p90": 1.2, "p99": 1.25, "p99.9": 1.3}
_WIDEST = {"p50": 8.0, "p90": 8.0, "p99": 12.0, "p99.9": 12.0}
#: How much wider the told growth rate is than the models' span, how far they may differ, and the least rate.
_RATE_WIDER, _RATES_AGREE, _LEAST_RATE = 1.2, 1.5, 0.02
#: Fewer tasks that have started tell nothing.
_FEWEST = 1_000
#: Tasks passed over by later ones, as a part of those that arrived first: from there the mean wait follows no trend,
#: and from there nobody knows the longest waits.
_UNEVEN, _PASSED_OVER = 0.01, 0.05
#: How much longer than until now an overtaken task may wait.
_LONGER = 2.0
#: The number of sampled tasks, and the share of seen tasks, nearest by state, that a task's wait comes from.
_SAMPLE, _NEAR = 8_000, 0.02
#: The machines are still filling up: this share of the coming tasks meets machines fuller than any seen so far.
_FULL, _FULLER, _MANY = 0.7, 0.05, 0.05
_NEAR_FULL = 0.85
#: A datacenter settles after this number of mean durations.
_SETTLED = 6.0
#: The least part of the time by which starts fall behind where the scheduler may be what holds tasks up.
_LAGS = 0.005

Range = tuple[float, float]
Reason = Literal["few", "filling", "uneven", "wide"]


@dataclass(frozen=True)
class Seen:
    """The facts known at the end of a preview; times in seconds, tasks in the order of their arrival."""

    arrival: Floats
    duration: Floats
    """As if each task took one slot."""
    started: Floats
    """NaN for tasks that have not started."""
    slots: int
    now: float

    @property
    def load(self) -> float:
        """Return the offered load: arriving work divided by what the slots can do in the same time."""
        span = float(self.arrival[-1] - self.arrival[0])
        return float(self.duration.sum()) / (self.slots * span) if span > 0 else np.inf

    @property
    def empty(self) -> Floats:
        """Return when each slot is free in a datacenter that begins empty."""
        return np.zeros(self.slots)


@dataclass(frozen=True)
class Growth:
    """Growth of the queue while jobs arrive: `rate` seconds per second, None without a prediction."""

    of: Literal["wait", "backlog"]
    """The wait of a new task; or the work that waits, in seconds of all machines, where waits are too uneven."""
    rate: Range | None
    cause: Literal["machines", "scheduler"]
    """What has less capacity than the load needs."""


@dataclass(frozen=True)
class Foreseen:
    """Ranges of percentiles in seconds, None for those without a prediction, and the reason."""

    ranges: dict[str, Range | None]
    growth: Growth | None = None
    reason: Reason | None = None


def foresee(seen: Seen) -> Foreseen:
    """Predict the wait times of the whole run."""
    begun = np.sort(seen.started[~np.isnan(seen.started)])
    if len(begun) < _FEWEST:
        return Foreseen(dict.fromkeys(PERCENTS), reason="few")
    ideal = starts_in_order(seen.arrival, seen.duration, seen.empty)
    gap, surely = _slowest_pace(seen, begun, ideal)
    paced = starts_in_order(seen.arrival, seen.duration, seen.empty, gap) if gap else ideal
    passed_over = float(np.isnan(seen.started[: len(begun)]).mean())
    growth = _growth(seen, ideal, paced, surely, passed_over)
    found: dict[str, list[float]] = {name: [] for name in PERCENTS}
    for starts in [paced] if surely else [ideal, paced] if gap else [ideal]:
        state = _states(seen, starts)
        if _fills(state, len(begun)):
            return Foreseen(dict.fromkeys(PERCENTS), growth, "filling")
        for waits in _possible_waits(seen, state, len(begun)):
            waits.sort()
            for name, (percent, beside) in PERCENTS.items():
                found[name] += [nearest_rank(waits, percent - beside), nearest_rank(waits, percent + beside)]
    ranges = _in_order({name: _range(name, values) for name, values in found.items()})
    if passed_over > _PASSED_OVER:
        ranges |= {"p99": None, "p99.9": None}
    if None not in ranges.values():
        return Foreseen(ranges, growth)
    return Foreseen(ranges, growth, "uneven" if passed_over > _PASSED_OVER else "wide")


def _range(name: str, values: list[float]) -> Range | None:
    low, high = min(values) / _WIDER[name], max(values) * _WIDER[name]
    return (low, high) if high <= _WIDEST[name] * low else None


def _in_order(ranges: dict[str, Range | None]) -> dict[str, Range | None]:
    """Raise each lower end to that of the lower percentiles, which come before it."""
    least, found = 0.0, dict(ranges)
    for name, one in ranges.items():
        if one is not None:
            least = max(least, one[0])
            found[name] = (least, max(one[1], least))
    return found


def _slowest_pace(seen: Seen, begun: Floats, ideal: Floats) -> tuple[float, bool]:
    """Return the least time between two starts if the scheduler delays tasks, and True if the delay is certain.

    The time is 0 if the scheduler delays nothing. It delays tasks if starts fall ever further behind the starts that
    the machines alone would allow.
    """
    count, half = len(begun), len(begun) // 2
    behind = [float(np.median(part)) for part in np.array_split(begun - ideal[:count], 8)]
    came, took = float(seen.arrival[count - 1] - seen.arrival[half]), float(begun[-1] - begun[half])
    if not (behind[7] > behind[5] > behind[3] and took > came and behind[7] - behind[3] > _LAGS * took):
        return 0.0, False
    # Near load 1 and soon after the start a queue grows for long and stops: there it takes more to be sure.
    young = seen.now < _SETTLED * float(seen.duration.mean())
    much = 1.5 if young else 1.1 if seen.load > _NEAR_FULL else 1.03
    surely = behind[7] > 1.1 * behind[5] > 1.21 * behind[3] and took > much * came
    return took / (count - 1 - half), surely


def _states(seen: Seen, starts: Floats) -> Floats:
    """Return the state that each task meets in the model: its wait, else the share of slots taken minus 1."""
    waits = starts - seen.arrival
    there = np.arange(len(starts)) - np.searchsorted(np.sort(starts + seen.duration), seen.arrival, "right")
    return np.where(waits > 0, waits, np.minimum(there / seen.slots, 1.0) - 1.0)


def _fills(state: Floats, begun: int) -> bool:
    """Return True if many tasks will meet fuller machines than any task so far, although the tasks do not queue."""
    ahead = np.minimum(state[begun:], 0.0)
    return len(ahead) > 0 and float((ahead > max(state[:begun].max() + _FULLER, _FULL - 1)).mean()) > _MANY


def _growth(seen: Seen, ideal: Floats, paced: Floats, surely: bool, passed_over: float) -> Growth | None:
    """Return how fast the queue grows while jobs arrive, if it grows without limit."""
    if not (surely or seen.load > 1) or seen.arrival[-1] <= 0:
        return None
    of: Literal["wait", "backlog"] = "backlog" if passed_over > _UNEVEN else "wait"
    rate_of = _backlog_rate if of == "backlog" else _wait_rate
    rates = [rate_of(seen, starts) for starts in ([ideal, paced] if seen.load > 1 else [paced])]
    low, high = min(rates), max(rates)
    told = low >= _LEAST_RATE and high <= _RATES_AGREE * low
    if not told and seen.load <= 1:
        return None
    rate = (low / _RATE_WIDER, high * _RATE_WIDER) if told else None
    return Growth(of, rate, "machines" if seen.load > 1 else "scheduler")


def _wait_rate(seen: Seen, starts: Floats) -> float:
    """Return the slope of the wait over the arrival time, by least squares."""
    arrival = seen.arrival - seen.arrival.mean()
    return float(arrival @ (starts - seen.arrival) / (arrival @ arrival))


def _backlog_rate(seen: Seen, starts: Floats) -> float:
    last = float(seen.arrival[-1])
    done = float(np.clip(last - starts, 0, seen.duration).sum())
    return (float(seen.duration.sum()) - done) / seen.slots / last


def _possible_waits(seen: Seen, state: Floats, begun: int) -> Iterator[Floats]:
    """Return the waits of a sample of all tasks under each extrapolation."""
    sample = np.arange(0, len(state), max(1, len(state) // _SAMPLE))
    known = seen.started[sample] - seen.arrival[sample]
    unknown = np.isnan(known)
    ahead, at_least = state[sample][unknown], np.maximum(seen.now - seen.arrival[sample][unknown], 0)
    order = np.argsort(state[:begun], kind="stable")
    third = order * 3 // begun
    for left_out in (None, 0, 1, 2):
        part = order if left_out is None else order[third != left_out]
        waits = seen.started[part] - seen.arrival[part]
        never = np.isnan(waits)
        for scaled in (False, True):
            waits[never] = (_LONGER if scaled else 1.0) * (seen.now - seen.arrival[part][never])
            told = known.copy()
            told[unknown] = np.maximum(_carried_over(state[part], waits, ahead, scaled), at_least)
            yield told


def _carried_over(seen_state: Floats, seen_waits: Floats, state: Floats, scaled: bool) -> Floats:
    """Return a wait for each state: that of a seen task in nearly this state, or an extrapolation from the worst seen.

    `seen_state` has ascending order.
    """
    near, last = max(int(_NEAR * len(seen_state)), 10), len(seen_state) - 1
    rng = np.random.Generator(np.random.Philox(key=[0, len(state)]))
    place = np.clip(np.searchsorted(seen_state, state) + rng.integers(-near, near + 1, len(state)), 0, last)
    beyond = state > max(seen_state[-1], 0.0)
    place = np.where(beyond, last - rng.integers(0, near, len(state)), place)
    waits, met = seen_waits[place], np.maximum(seen_state[place], 0)
    further = waits + (state - met) * (1.5 if scaled else 1.0)
    if scaled:
        further = np.where(met > 0.2 * state, waits * state / np.maximum(met, 1e-9), further)
    return np.where(beyond, further, waits)
