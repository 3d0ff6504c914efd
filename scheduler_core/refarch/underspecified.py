"""List the stages that a paper leaves open, and every pipeline that fits the stages that it specifies.

The paper's main experiment for any of the fourteen: run `variants` on one work and look at the spread of the figures.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from scheduler_core.refarch.matrix import cell
from scheduler_core.refarch.policies import NONE, missing_inputs, policies_of, stages_with_policies
from scheduler_core.refarch.presets import NEEDED, Preset


def open_stages(preset: Preset) -> tuple[str, ...]:
    """Return the stages with several policies that the matrix does not call fully specified.

    A stage that is certainly not in the row counts where a run needs a policy in it anyway.
    """
    found = []
    for stage in stages_with_policies():
        candidates = cell(preset.system, stage).candidates
        if candidates != "#" and (candidates != "." or stage in NEEDED) and len(choices(stage)) > 1:
            found.append(stage)
    return tuple(found)


def choices(stage: str) -> tuple[str, ...]:
    """Return what may stand in a stage: its policies, and none where a run does without."""
    names = tuple(policy.name for policy in policies_of(stage))
    return names if stage in NEEDED else (NONE, *names)


def variants(preset: Preset, stages: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the parameters of every pipeline with the preset's policies except in these stages (default: open ones).

    It leaves out those that miss an input. ValueError for a stage that has no choice.
    """
    varied = open_stages(preset) if stages is None else tuple(stages)
    for stage in varied:
        if stage not in stages_with_policies():
            raise ValueError(f"{stage} has no policies to vary; those that have: {', '.join(stages_with_policies())}")
    for chosen in itertools.product(*(choices(stage) for stage in varied)):
        pipeline = preset.pipeline() | dict(zip(varied, chosen, strict=True))
        if next(missing_inputs(pipeline), None) is None:
            yield preset.params() | {stage.lower(): policy for stage, policy in pipeline.items()}
