"""The reference architecture of datacenter schedulers as data: stages, policies, the matrix of fourteen systems.

Without compiled code: the server and the page read it. What runs a pipeline is `schedulers.pipeline`.
"""

from __future__ import annotations

from scheduler_core.refarch.matrix import Cell, cell, cells
from scheduler_core.refarch.policies import POLICIES, Policy, default_pipeline, missing_inputs, policies_of
from scheduler_core.refarch.presets import PRESETS, Preset, preset_by_name, stages_of
from scheduler_core.refarch.stages import GROUPS, STAGES, Stage, stage_by_id
from scheduler_core.refarch.systems import SYSTEMS, System, system_by_name
from scheduler_core.refarch.tables import (
    TABLE_III,
    TABLE_VIII,
    column_bounds,
    differences,
    group_percentage,
    group_table,
)
from scheduler_core.refarch.underspecified import open_stages, variants

__all__ = [
    "GROUPS",
    "POLICIES",
    "PRESETS",
    "STAGES",
    "SYSTEMS",
    "TABLE_III",
    "TABLE_VIII",
    "Cell",
    "Policy",
    "Preset",
    "Stage",
    "System",
    "cell",
    "cells",
    "column_bounds",
    "default_pipeline",
    "differences",
    "group_percentage",
    "group_table",
    "missing_inputs",
    "open_stages",
    "policies_of",
    "preset_by_name",
    "stage_by_id",
    "stages_of",
    "system_by_name",
    "variants",
]
