"""Shapes of the API's answers about studies."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from playground.contract.sockets import StudyFailure, StudyProgress
from playground.web.schemas import ExperimentId, Mine, Shape

_Cell = Annotated[int, Field(description="The number of the cell (a scheduler at a value of each axis), from 0.")]
_Scheduler = Annotated[int, Field(description="The place of the scheduler in the study's `schedulers`, from 0.")]
_At = Annotated[
    list[int | None],
    Field(
        description="For each axis, the place of the value in the axis, from 0; null for a parameter that the "
        "scheduler does not have."
    ),
]
_Values = Annotated[
    list[Any],
    Field(description="For each axis, the value; null for a parameter that the scheduler does not have."),
]


class ContestantOut(Shape):
    """A scheduler that takes part in a study."""

    name: str
    """The name in an experiment."""
    params: dict[str, Any]
    """Its parameters. Those that are absent have their defaults."""
    label: str
    """The name that people read, with what tells it from another entry of the same scheduler."""


class FittedDefaultOut(Shape):
    """A parameter whose default suits one trace, perhaps not the study's work, and who uses it."""

    parameter: str
    """The parameter's label, in the reader's language."""
    value: float
    """The default."""
    trace: str
    """The name of the trace that it suits."""
    schedulers: list[str]
    """The labels of the schedulers that use it."""


class StudyErrorOut(Shape):
    """The first run of a study that failed."""

    like: ClassVar[Any] = StudyFailure

    code: str
    message: str
    run: int


class StudyOut(Shape):
    """A study: its plan and its progress."""

    like: ClassVar[Any] = StudyProgress

    id: str
    """The id of the study."""
    experiment_id: ExperimentId
    name: str
    """The title of the study, or else of its experiment."""
    plan: dict[str, Any]
    """What was asked: `name`, `axes`, `schedulers` and `repeats`. Each axis has the `label` of its parameter, and
    `shown`, what people call its values, where they have names. `idle` names the schedulers under which the parameter
    changes nothing because tasks have no data, and `needs` the parameters of which one gives them data."""
    schedulers: list[ContestantOut]
    """The schedulers that are compared, in the order of the study."""
    fitted: list[FittedDefaultOut]
    """The defaults in use that suit one trace, perhaps not this study's work."""
    seeds: list[int]
    """The seeds, the experiment's own first."""
    mine: Mine
    url: str
    """The page of the study."""
    socket_url: str
    """The socket that sends the study's progress, `/ws/studies/{id}`."""
    state: str
    runs: int
    done: int
    failed: int
    running: int
    compiling: bool
    progress: float
    eta_s: float | None
    error: StudyErrorOut | None


class IntervalOut(Shape):
    """An estimate over replicates with its confidence interval."""

    value: float
    """The estimate, in the unit of the measured number; of a ratio, without a unit."""
    low: float | None
    """The lower end of the interval; null if the runs are too few for one, or all have one value."""
    high: float | None
    """The upper end of the interval; null if the runs are too few for one, or all have one value."""
    n: int
    """The number of runs, or of pairs of runs under the same seed, behind the estimate."""
    coverage: float | None
    """How often such an interval holds the true value: 0.95 or slightly more. Null without an interval."""


class StudyCellOut(IntervalOut):
    """The estimate of one cell."""

    cell: _Cell
    scheduler: _Scheduler
    at: _At
    values: _Values


class NoneCompletedOut(Shape):
    """A cell with runs in which nothing completed, so that the number is null."""

    cell: _Cell
    scheduler: _Scheduler
    at: _At
    values: _Values
    runs: int
    """The number of these runs."""


class ComparedOut(Shape):
    """Runs compared with others, seed by seed."""

    difference: IntervalOut
    """This minus the other."""
    ratio: IntervalOut | None
    """This divided by the other; null if a value is 0 or negative."""
    verdict: str
    """`more` or `less` if the interval of the difference excludes 0, `same` if all pairs are equal, else
    `not distinguishable yet`."""


class ComparisonOut(Shape):
    """A cell compared with the cell of another scheduler, seed by seed."""

    like: ClassVar[Any] = ComparedOut

    cell: _Cell
    other: int
    """The number of the cell to compare with."""
    scheduler: _Scheduler
    at: _At
    difference: IntervalOut
    ratio: IntervalOut | None
    verdict: str


class AlsoOut(Shape):
    """What a study has found so far about a further number."""

    metric: str
    """The name of the measured number."""
    unit: str
    """The unit of the number: `s`, `1` (a fraction), or empty for a count."""
    cells: list[StudyCellOut]
    """The estimate of each cell that has measured the number."""
    none: list[NoneCompletedOut]
    """The cells with runs in which nothing completed."""
    comparisons: list[ComparisonOut]
    """Each cell of the other schedulers, compared with the cell of `against` at the same values and seeds."""


class CutoffOut(Shape):
    """How a scheduler's cut-off divides the jobs of a run, beside the classes of the work."""

    scheduler: _Scheduler
    short: int
    """The short jobs by the scheduler's cut-off."""
    long: int
    """The other jobs."""
    work_short: int
    """The short jobs of the work, whatever the scheduler."""
    work_long: int
    """The other jobs of the work."""
    cutoff_s: float | None
    """The boundary of the work's own classes in seconds; null if the work has none."""


class ResultsOut(Shape):
    """What a study has found so far about one measured number."""

    metrics: list[str]
    """The names of all numbers that a run of the study has measured; empty before a run is done."""
    labels: dict[str, str]
    """These numbers in words, by their names."""
    metric: str
    """The name of the measured number."""
    unit: str
    """The unit of the number: `s`, `1` (a fraction), or empty for a count."""
    statistic: str
    """How the estimate is made: `mean`, `median` or `bootstrap`."""
    confidence: float
    """The confidence of the intervals, 0.95."""
    method: str
    """The estimate and its interval, in words."""
    against: int
    """The place of the scheduler that all others are compared with, from 0."""
    runs: int
    """The number of runs that are done."""
    cells: list[StudyCellOut]
    """The estimate of each cell that has measured the number."""
    none: list[NoneCompletedOut]
    """The cells with runs in which nothing completed."""
    seeds_change: str
    """What a seed changes in this study's experiment, in a sentence."""
    definition: str
    """What makes a job short, in words, if the number is of the work's short or long jobs; else empty."""
    cutoffs: list[CutoffOut]
    """The jobs by class under each scheduler with a cut-off; empty if the study varies the cut-off."""
    also: list[AlsoOut]
    """The numbers of the parts of the summary that `also` names."""
    comparisons: list[ComparisonOut]
    """Each cell of the other schedulers, compared with the cell of `against` at the same values and seeds."""
