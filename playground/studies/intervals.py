"""Confidence intervals that suit the axis on which estimates are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

#: Values that span more than this factor get a logarithmic axis.
LOG_FROM = 20
LOG_METHOD = "mean of the runs; interval by Student's t for the logarithm of the mean (delta method)"


def spans_much(values: Iterable[float]) -> bool:
    """Return True if values need a logarithmic axis: all are above 0 and far apart."""
    found = list(values)
    return bool(found) and min(found) > 0 and max(found) / min(found) >= LOG_FROM


def as_drawn(results: dict[str, Any]) -> dict[str, Any]:
    """Return a study's results with intervals that stay above 0 where their axis is logarithmic.

    The interval of a mean by Student's t is symmetric and may reach below 0, where a logarithmic axis has no place. For
    the logarithm of the mean, the delta method gives `mean * exp(± t * s / (sqrt(n) * mean))`. Medians have intervals
    between two runs, bootstraps between resampled means: both stay above 0 by themselves.
    """
    if results["statistic"] != "mean" or not spans_much(cell["value"] for cell in results["cells"]):
        return results
    return results | {"method": LOG_METHOD, "cells": [_logarithmic(cell) for cell in results["cells"]]}


def _logarithmic(cell: dict[str, Any]) -> dict[str, Any]:
    value, high = cell["value"], cell["high"]
    if high is None or not value > 0:
        return cell
    # Beyond this factor the size is unknown; larger ones overflow.
    factor = math.exp(min((high - value) / value, 100.0))
    return cell | {"low": value / factor, "high": value * factor}
