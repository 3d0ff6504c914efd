"""Estimated run times: the mean of the job, with the error that the experiment sets."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import maths, rng
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import Ints
from scheduler_core.schedulers.shared.probing import EstimateParams

_UNIFORM, _LOGNORMAL = 1, 2


def estimates_ns(params: EstimateParams, seed: int, mean_ns: Ints) -> Ints:
    """Return the estimated task duration of each job, (jobs,), drawn by key from the jobs' means."""
    found = np.array(mean_ns, np.int64)
    if params.estimate_error == "uniform":
        _err(seed, _UNIFORM, params.estimate_error_percent / 100, found)
    elif params.estimate_error == "lognormal":
        _err(seed, _LOGNORMAL, params.estimate_error_sigma, found)
    return found


@kernel
def _err(seed: int, kind: int, spread: float, estimate_ns: Ints) -> None:
    for job in range(len(estimate_ns)):
        if kind == _UNIFORM:
            factor = 1.0 + spread * (2.0 * rng.uniform(seed, rng.STREAM_ERROR, job, 0) - 1.0)
        else:
            factor = maths.exp(spread * rng.normal(seed, rng.STREAM_ERROR, job, 0))
        estimate_ns[job] = np.int64(np.floor(estimate_ns[job] * factor + 0.5))
