"""Draw arrivals: gaps with mean 1, scaled to a rate that may change over time."""

from __future__ import annotations

import functools
import math

import numpy as np

from scheduler_core.engine import maths, rng
from scheduler_core.engine.jit import kernel
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.arrivals import Arrivals, AtOnce, Diurnal, MarkovModulated, Regular, Renewal, Replayed
from scheduler_core.workload.raw.seconds import NS, to_ns
from scheduler_core.workload.synthetic.drawing import shuffled
from scheduler_core.workload.synthetic.rows import sigma_for
from scheduler_core.workload.synthetic.sampling import LATEST_NS, Floats, Ints

_EXPONENTIAL, _LOGNORMAL, _ONE = 0, 1, 2
_SINE_PARTS = 96
_FEW = 50_000
_MOST_CHANGES = 20.0
_STATE, _STRETCH = 1, 2


@kernel
def _unit_gaps(seed: int, first: int, shape: int, sigma: float, slots: Ints, gaps: Floats) -> None:
    """Fill gaps of mean 1; with `slots` evenly over their distribution and with that mean exactly."""
    total = 0.0
    even = slots.shape[0] > 0
    for i in range(gaps.shape[0]):
        u = rng.uniform(seed, rng.STREAM_ARRIVAL, first + i, 0)
        if even:
            u = (np.float64(slots[first + i]) + 0.5) / np.float64(slots.shape[0])
        gap = 1.0
        if shape == _EXPONENTIAL:
            gap = -maths.log(u)
        elif shape == _LOGNORMAL:
            gap = maths.exp(sigma * (maths.normal_quantile(u) - 0.5 * sigma))
        gaps[i] = gap
        total += gap
    if even and total > 0.0:
        for i in range(gaps.shape[0]):
            gaps[i] *= np.float64(gaps.shape[0]) / total


@kernel
def _even_sigma(cv: float, scores: Floats) -> float:
    """Return the sigma at which log-normal gaps of normal scores have the coefficient of variation."""
    low, high = 0.0, 12.0
    for _ in range(40):
        sigma = 0.5 * (low + high)
        total, squares = 0.0, 0.0
        for i in range(scores.shape[0]):
            gap = maths.exp(sigma * (scores[i] - 0.5 * sigma))
            total += gap
            squares += gap * gap
        mean = total / scores.shape[0]
        if squares / scores.shape[0] - mean * mean < cv * cv * mean * mean:
            low = sigma
        else:
            high = sigma
    return high


@kernel
def _scores(scores: Floats) -> None:
    for i in range(scores.shape[0]):
        scores[i] = maths.normal_quantile((i + 0.5) / scores.shape[0])


def _sigma(arrivals: Renewal, jobs: int) -> float:
    """Return sigma of log-normal gaps; for few even ones, adjusted so that they themselves vary as asked."""
    if not 0 < jobs <= _FEW or arrivals.cv == 0:
        return sigma_for(arrivals.cv)
    return _sigma_of_few(arrivals.cv, jobs)


@functools.lru_cache(maxsize=64)
def _sigma_of_few(cv: float, jobs: int) -> float:
    scores = np.empty(jobs)
    _scores(scores)
    return float(_even_sigma(cv, scores))


@kernel
def _steady(gaps: Floats, gap_ns: float, last_ns: int, arrival_ns: Ints) -> None:
    now = int(last_ns)
    for i in range(gaps.shape[0]):
        now += int(np.floor(min(gaps[i] * gap_ns, 2.0 * LATEST_NS) + 0.5))
        now = min(now, LATEST_NS + 1)
        arrival_ns[i] = now


@kernel
def _daily(gaps: Floats, gap_ns: float, rates: Floats, part_ns: float, carry: Floats, arrival_ns: Ints) -> None:
    """Draw arrivals at repeating rates of mean 1; carry[0] holds the time (ns) so far."""
    parts = rates.shape[0]
    period = part_ns * parts
    now = carry[0]
    for i in range(gaps.shape[0]):
        need = min(gaps[i] * gap_ns, 2.0 * LATEST_NS)
        whole = np.floor(need / period)
        now += whole * period
        need -= whole * period
        begun = np.floor(now / period) * period
        part = min(int((now - begun) / part_ns), parts - 1)
        for _ in range(2 * parts + 2):
            end = begun + (part + 1) * part_ns
            room = max(end - now, 0.0) * rates[part]
            if need <= room and rates[part] > 0.0:
                now += need / rates[part]
                break
            need -= room
            now = end
            part += 1
            if part == parts:
                part = 0
                begun += period
        now = min(now, np.float64(LATEST_NS + 1))
        arrival_ns[i] = int(np.floor(now + 0.5))
    carry[0] = now


@kernel
def _switching(
    seed: int, gaps: Floats, gap_ns: float, rates: Floats, mean_ns: Floats, carry: Floats, out: Ints
) -> None:
    """Draw arrivals at the rate of a changing state; carry holds time, state, its end, and periods so far."""
    now, state, end, stretch = carry[0], int(carry[1]), carry[2], int(carry[3])
    for i in range(gaps.shape[0]):
        need = min(gaps[i] * gap_ns, 2.0 * LATEST_NS)
        while need > (end - now) * rates[state]:
            need -= (end - now) * rates[state]
            now = end
            state = 1 - state
            stretch += 1
            end = now + rng.exponential(seed, rng.STREAM_ARRIVAL, stretch, _STRETCH) * mean_ns[state]
            if now > LATEST_NS:
                break
        now = min(now + need / rates[state], np.float64(LATEST_NS + 1))
        out[i] = int(np.floor(now + 0.5))
    carry[0], carry[1], carry[2], carry[3] = now, state, end, stretch


class Clock:
    """Gives the arrivals of a workload chunk by chunk."""

    def __init__(self, arrivals: Arrivals, seed: int, gap_ns: float, jobs: int) -> None:
        """Prepare; `jobs` is their number for even gaps, 0 for independent ones."""
        self._arrivals, self._seed, self._gap_ns = arrivals, seed, gap_ns
        random = not isinstance(arrivals, Regular | AtOnce | Replayed)
        self._slots = shuffled(seed, rng.STREAM_ARRIVAL, jobs) if jobs and random else np.empty(0, np.int64)
        self._carry = np.zeros(4)
        if isinstance(arrivals, MarkovModulated):
            self._start(arrivals)

    def _start(self, arrivals: MarkovModulated) -> None:
        """Begin in a state by its share of the time."""
        if min(arrivals.calm_s, arrivals.busy_s) * NS * _MOST_CHANGES < self._gap_ns:
            raise ExperimentError(
                [
                    Problem(
                        "workload.arrivals",
                        f"changes its state more than {_MOST_CHANGES:,.0f} times between two jobs",
                        "periods that are not far shorter than the mean gap",
                        "use longer periods, or poisson: such short periods make no visible difference",
                    )
                ]
            )
        busy = arrivals.busy_s / (arrivals.calm_s + arrivals.busy_s)
        calm_rate = 1.0 / (1.0 - busy + busy * arrivals.busy_factor)
        self._rates = np.array([calm_rate, calm_rate * arrivals.busy_factor])
        self._means = np.array([arrivals.calm_s * NS, arrivals.busy_s * NS])
        state = int(rng.uniform(self._seed, rng.STREAM_ARRIVAL, 0, _STATE) < busy)
        end = rng.exponential(self._seed, rng.STREAM_ARRIVAL, 0, _STRETCH) * self._means[state]
        self._carry[:] = (0.0, state, end, 0.0)

    def fill(self, first: int, last_ns: int, arrival_ns: Ints) -> None:
        """Fill the arrivals of jobs `first` and up; `last_ns` is when the one before arrived."""
        arrivals = self._arrivals
        if isinstance(arrivals, AtOnce):
            arrival_ns[:] = 0
        elif isinstance(arrivals, Replayed):
            arrival_ns[:] = self._replayed(arrivals, first, len(arrival_ns))
        elif isinstance(arrivals, Regular):
            when = self._gap_ns * np.arange(first, first + len(arrival_ns))
            arrival_ns[:] = np.floor(np.minimum(when, LATEST_NS + 1) + 0.5)
        else:
            self._random(arrivals, first, last_ns, arrival_ns)

    def _random(self, arrivals: Arrivals, first: int, last_ns: int, arrival_ns: Ints) -> None:
        gaps = np.empty(len(arrival_ns))
        shape = _LOGNORMAL if isinstance(arrivals, Renewal) else _EXPONENTIAL
        sigma = _sigma(arrivals, len(self._slots)) if isinstance(arrivals, Renewal) else 0.0
        _unit_gaps(self._seed, first, shape, sigma, self._slots, gaps)
        if isinstance(arrivals, MarkovModulated):
            _switching(self._seed, gaps, self._gap_ns, self._rates, self._means, self._carry, arrival_ns)
        elif isinstance(arrivals, Diurnal):
            rates = daily_rates(arrivals)
            _daily(gaps, self._gap_ns, rates, arrivals.period_s * NS / len(rates), self._carry, arrival_ns)
        else:
            _steady(gaps, self._gap_ns, last_ns, arrival_ns)

    def _replayed(self, arrivals: Replayed, first: int, count: int) -> Ints:
        times = np.array([to_ns(seconds) for seconds in arrivals.times_s], np.int64)
        period = times_period_ns(arrivals)
        job = np.arange(first, first + count, dtype=np.int64)
        when = times[job % len(times)] + (job // len(times)) * np.float64(period)
        if arrivals.rate_per_s is not None or arrivals.offered_load is not None:
            when = when * (self._gap_ns * len(times) / period)
        return np.minimum(np.floor(when + 0.5), LATEST_NS + 1).astype(np.int64)


def times_period_ns(arrivals: Replayed) -> float:
    """Return time after which replayed arrivals begin again: the last one and a mean gap."""
    last = to_ns(arrivals.times_s[-1])
    return last + last / max(len(arrivals.times_s) - 1, 1)


def daily_rates(arrivals: Diurnal) -> Floats:
    """Return the rates of equal parts of the day, of mean 1."""
    if arrivals.profile is not None:
        mean = math.fsum(arrivals.profile) / len(arrivals.profile)
        return np.array([rate / mean for rate in arrivals.profile])
    # To nine digits, so that no library's last bit moves an arrival.
    wave = [round(math.sin(2 * math.pi * (part + 0.5) / _SINE_PARTS), 9) for part in range(_SINE_PARTS)]
    return np.array([1.0 + arrivals.swing * height for height in wave])
