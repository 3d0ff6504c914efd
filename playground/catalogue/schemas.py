"""Shapes of the API's answer about the reference architecture of datacenter schedulers."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from playground.web.schemas import Shape

_StageId = Annotated[str, Field(description="The identifier of the stage, such as `J3`.")]
_GroupId = Annotated[str, Field(description="The identifier of the group: `J`, `T`, `M` or `R`.")]
_SystemName = Annotated[str, Field(description="The name of the scheduler.")]


class GroupOut(Shape):
    """A group of stages."""

    id: _GroupId
    name: str
    """The name of the group, such as *Jobs*."""


class NeedOut(Shape):
    """What a policy takes from another stage, for which an experiment must then name a policy."""

    stage: _StageId
    what: str
    """What that stage gives, in words."""


class PolicyOut(Shape):
    """A policy that a stage may have."""

    name: str
    """The name, as a parameter of the scheduler `pipeline` has it."""
    label: str
    """The name that people read."""
    help: str
    """What the policy does."""
    work: str
    """What counts as one operation in the modeled time of the stage; may be empty."""
    needs: list[NeedOut]
    """What the policy takes from other stages; empty without needs."""


class StageOut(Shape):
    """A stage of the reference architecture."""

    id: _StageId
    group: _GroupId
    name: str
    """The name of the stage, such as *Sort jobs*."""
    mode: str
    """What kind of step it is: `processing`, `input`, `iteration`, `decision` or `transfer`."""
    meaning: str
    """What the stage does."""
    inputs: list[str]
    """What the stage takes."""
    outputs: list[str]
    """What the stage gives."""
    effects: str
    """What the stage changes outside of the scheduler; empty for nothing."""
    keeps: bool
    """Whether the stage remembers anything between two iterations."""
    inferred: list[str]
    """The fields of this object that the paper does not state: they were read out of its description of the stage."""
    param: str | None
    """The parameter of the scheduler `pipeline` that chooses the policy; null for a stage without policies."""
    always: bool
    """Whether the simulator always performs the stage, whatever the policies are."""
    policies: list[PolicyOut]
    """The policies to choose from; empty for a stage without a choice."""


class CellOut(Shape):
    """What a scheduler has of a stage, in the paper's matrix."""

    stage: _StageId
    candidates: list[str]
    """What the cell may be: `full`, `partial` or `none`; one candidate if the cell is determined."""
    evidence: str
    """How the candidates were found: `tables` (from the paper's tables alone), `prose` (with its prose), or `open` (not
    determined)."""


class PresetStageOut(Shape):
    """A stage in a scheduler's pipeline."""

    stage: _StageId
    policy: str
    """The name of the policy, `always` for a stage that every run performs, or `none`."""
    ours: bool
    """Whether the policy is our choice: a run needs the stage, and the paper's row lacks it."""
    note: str
    """What the policy stands for, or why the stage has none; may be empty."""


class OpenStageOut(Shape):
    """A stage that the paper does not specify in full."""

    stage: _StageId
    choices: list[str]
    """The names of the policies that may stand there, with `none` where a run does without the stage."""


class PipelineOut(Shape):
    """A published scheduler as a pipeline that runs."""

    scheduler: str
    """The name of the scheduler in an experiment, `pipeline`."""
    params: dict[str, Any]
    """Its parameters."""
    about: str
    """What the published scheduler is known for."""
    basis: str
    """Where the policies come from: `general knowledge` (unverified) or `abstract` (the paper's abstract or a page)."""
    instead: list[str]
    """The names of schedulers of this project that do the same as a whole; may be empty."""
    stages: list[PresetStageOut]
    """All 33 stages, in order."""
    open: list[OpenStageOut]
    """The stages that leave a choice."""


class SystemOut(Shape):
    """A published scheduler that the paper maps onto the stages."""

    name: _SystemName
    year: int
    """The year of the cited paper."""
    origin: str
    """`academia` or `industry`."""
    era: str
    """`before` or `since` 2010."""
    clusters: str
    """`single` or `multi`: whether it schedules one cluster or several."""
    pipeline: PipelineOut
    """The scheduler as a pipeline that runs."""
    cells: list[CellOut]
    """Its row of the matrix: all 33 stages, in order."""


class GroupFigureOut(Shape):
    """A percentage of the paper's Table II: how much of a group's stages a scheduler has."""

    system: _SystemName
    group: _GroupId
    published: int
    """The percentage that the paper prints."""
    recomputed: float
    """The percentage from the symbols of the row: `full` counts 1, `partial` one half."""
    agrees: bool
    """Whether both differ by less than one percentage point."""


class DifferenceOut(Shape):
    """A row of the paper's Table III or VIII: how much of a stage two halves of the schedulers have, in percent."""

    stage: _StageId
    published: list[int]
    """The percentages that the paper prints, in the order of `halves`."""
    bounds: list[list[float]]
    """The least and the greatest percentage that the matrix allows, for each half."""
    exact: list[bool]
    """For each half: whether the matrix determines the percentage."""
    agrees: bool
    """Whether the published percentages agree with the matrix, within one percentage point."""


class DifferenceTableOut(Shape):
    """The paper's Table III or VIII."""

    id: str
    """The number of the table in the paper."""
    halves: list[str]
    """The two halves of the schedulers: `academia` and `industry`, or `before` and `since` 2010."""
    rows: list[DifferenceOut]
    """The ten stages in which the halves differ most."""


class ReferenceOut(Shape):
    """The reference architecture: stages with their policies, the matrix of schedulers, and the paper's tables."""

    groups: list[GroupOut]
    """The groups of stages."""
    stages: list[StageOut]
    """The 33 stages, in order."""
    default_pipeline: dict[str, str]
    """The pipeline of the paper's experiments: the name of a policy, or `none`, for each stage with policies."""
    systems: list[SystemOut]
    """The fourteen schedulers of the matrix."""
    groups_table: list[GroupFigureOut]
    """Table II: each scheduler by each group."""
    difference_tables: list[DifferenceTableOut]
    """Tables III and VIII."""
