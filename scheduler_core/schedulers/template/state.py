"""The template's arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scheduler_core.engine.records import Records
from scheduler_core.schedulers.shared.lines.mechanics import LINED_RULES

RULES = np.dtype([*LINED_RULES, ("choices", "i8")])


class TemplateState(NamedTuple):
    """See schedulers.shared.lines.mechanics.Lined."""

    rules: Records  # (1,) RULES
    line: Records
