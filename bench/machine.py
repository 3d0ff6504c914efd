"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scheduler_core import __version__


def machine() -> dict[str, Any]:
    """Return the processor, the versions that matter, and how busy the machine was before measuring."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "scheduler_core": __version__,
        "load_average": [round(load, 2) for load in os.getloadavg()],
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
