"""Random numbers by key, independent of the order of draws.

A number is a hash of (seed, stream, entity, draw number). A draw consumes nothing, so a decision in one place never
shifts the draws in another. Two schedulers on one experiment, or a run and its fork, therefore meet the same world. The
hash is three rounds of the splitmix64 finalizer (Steele, Lea, Flood 2014), one round for each part of the key.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import maths
from scheduler_core.engine.jit import kernel

# One stream for each purpose. Numbers are part of every outcome: add new ones, never renumber.
STREAM_ARRIVAL = 1
STREAM_JOB_SIZE = 2
STREAM_JOB_DURATION = 3
STREAM_TASK_DURATION = 4
STREAM_QUEUE = 5
STREAM_JOB_CLASS = 6
STREAM_OFFER = 7
STREAM_ASK = 8
STREAM_RACK = 9
STREAM_STAGE = 10
STREAM_PARENT = 11
STREAM_PART = 12
STREAM_BARRIER = 13
STREAM_INPUT = 14
STREAM_ERROR = 15
STREAM_PROBE = 16
STREAM_TIE = 17
STREAM_PICK = 18
STREAM_ALTRUISM = 19
STREAM_REPLICA = 20
STREAM_READ = 21
STREAM_KIND = 22
STREAM_VISIT = 23
STREAM_CHANCE = 24
STREAM_CLAIM = 40
STREAM_ROUTE = 41
STREAM_GUARANTEED = 42
STREAM_FAILURE = 43
STREAM_AGAIN = 44
STREAM_OWN = 45
STREAM_SAMPLE = 46


@kernel
def _mix(z: np.uint64) -> np.uint64:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def bits(seed: int, stream: int, entity: int, draw: int) -> np.uint64:
    """Return 64 random bits for the key."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    z = _mix(np.uint64(seed) + golden * (np.uint64(stream) + np.uint64(1)))
    z = _mix(z + golden * (np.uint64(entity) + np.uint64(1)))
    return _mix(z + golden * (np.uint64(draw) + np.uint64(1)))


@kernel
def uniform(seed: int, stream: int, entity: int, draw: int) -> float:
    """Return a uniform number in the open interval (0, 1), a multiple of 2**-53 shifted by half a step."""
    return (np.float64(bits(seed, stream, entity, draw) >> np.uint64(11)) + 0.5) * (1.0 / 9007199254740992.0)


@kernel
def below(seed: int, stream: int, entity: int, draw: int, n: int) -> int:
    """Return a uniform integer from 0 to n - 1, for 1 <= n < 2**32 (bias below n / 2**32)."""
    scaled = ((bits(seed, stream, entity, draw) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)
    return np.int64(scaled)  # type: ignore[return-value]


@kernel
def exponential(seed: int, stream: int, entity: int, draw: int) -> float:
    """Return an exponential number with mean 1."""
    return -maths.log(uniform(seed, stream, entity, draw))


@kernel
def normal(seed: int, stream: int, entity: int, draw: int) -> float:
    """Return a standard normal number, by inversion."""
    return maths.normal_quantile(uniform(seed, stream, entity, draw))
