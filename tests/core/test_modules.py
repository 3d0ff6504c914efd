"""Event loops as WebAssembly modules: none is stale, none imports a function, and each gives the native run's bits."""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path
from typing import Any, get_args

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import SCHEDULERS, Experiment, ExperimentError, UnknownName, scheduler_by_name, simulate
from scheduler_core.cli.main import main
from scheduler_core.engine import maths, sources
from scheduler_core.engine.wasm import packed
from scheduler_core.engine.wasm.finish import BuildError, about_of, imports_of, leb, read_leb, sleb
from scheduler_core.kernels.server import STAYS
from scheduler_core.schedulers import UNLISTED
from tests.core.engines import assert_equal_by_both
from tests.core.experiments import experiments
from tests.support import PROJECT, small_experiment
from tests.tiers import all_but_wide, examples, wide

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]

CORE = PROJECT / "scheduler_core"
MOST_BYTES = 2_000_000
ALLOWED = frozenset({"sqrt", "floor", "ceil", "inf", "nan", "gcd"})
"""What a kernel may take of `math` and, of floating-point functions, of `numpy`: exact by IEEE 754 on every machine."""
INEXACT = frozenset(dir(math)) - ALLOWED


def loop_of(scheduler: str, profile: str | None) -> str:
    """Return the event loop of a scheduler's profile, by the folder of the kernel that its protocol loads."""
    params = {} if profile is None else {"profile": profile}
    return LOOP_OF.get((scheduler, profile), "") or json.dumps([scheduler, params])


def variants() -> dict[str, tuple[str, str | None]]:
    """Return the first scheduler and profile of each event loop."""
    found: dict[str, tuple[str, str | None]] = {}
    for spec in (*SCHEDULERS, *UNLISTED):
        field = spec.params.model_fields.get("profile")
        for profile in get_args(field.annotation) if field is not None else (None,):
            module = getattr(spec.load, "func", spec.load).__module__
            found.setdefault(f"{module}:{profile if spec.family in ('federated', 'probing') else ''}", (spec.name, profile))
    return found
