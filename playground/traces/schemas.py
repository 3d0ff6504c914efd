"""Shapes of the API's answers about traces."""

from __future__ import annotations

from typing import Any

from playground.web.schemas import OwnerToken, QuestionProblems, QuestionProgress, Shape


class AskedOut(Shape):
    """A constraint that tasks of a trace request: an attribute of machines, a comparison, and a value."""

    name: str
    """The name in an experiment's catalog of constraints, such as `k01`."""
    attribute: str
    """The attribute of machines, as the trace names it."""
    comparison: str
    """How the machine's value compares with `value`: `==`, `!=`, `<` or `>`."""
    value: str
    """The value to compare with, as the trace writes it."""
    machine_share: float | None
    """The fraction of the trace's machines that satisfy it, 0 to 1; null if the trace does not say."""


class LeftOutOut(Shape):
    """Rows (or tasks) of a source that were left out for one reason."""

    kind: str
    """The reason, in words."""
    count: int
    """The number of rows (or tasks)."""
    first_line: int
    """The line of the first one in the source."""


class GraphsOut(Shape):
    """Counts of a trace's jobs that are graphs of stages."""

    jobs: int
    """The number of jobs in which a stage depends on another one."""
    stages: int
    """The number of stages of these jobs."""
    edges: int
    """The number of dependencies between stages."""


class AtOnceOut(Shape):
    """What runs at once on average, if every task started on arrival: until the last end, or 1.1 times the span."""

    tasks: float
    """The number of tasks."""
    cpus: float | None
    """The CPUs that they take; null if the trace does not say what tasks take."""


class TraceOut(Shape):
    """A trace that an experiment may name. If the file was never read, only its name, source and size are known."""

    id: str
    """The id, as `workload.trace` of an experiment names it."""
    name: str
    """The name in lists."""
    source: str
    """`upload` (sent to this server), `server` (from the server's folder of traces) or `bundled` (with the product)."""
    format: str | None
    """The name of the format that the file was read in; null for a file that was never read."""
    bytes: int
    """The size of the file in bytes, as it was sent; of a part of a trace, the size of the whole."""
    jobs: int | None
    """The number of jobs; null for a file that was never read."""
    tasks: int | None
    """The number of tasks; null for a file that was never read."""
    span_s: float | None
    """The seconds from the first arrival to the last; null for a file that was never read."""
    work_s: float | None
    """The durations of all tasks together, in seconds; null for a file that was never read."""
    synthetic: bool | None
    """Whether the trace was generated; null if the server does not know."""
    note: str
    """What a bundled trace contains, in words. Otherwise empty."""
    constraints: list[AskedOut]
    """The constraints that tasks request; empty without any."""
    left_out: list[LeftOutOut]
    """Rows that were left out, by reason; at most 50 reasons."""
    graphs: GraphsOut | None
    """Counts of its graphs; null if no task depends on another."""
    at_once: AtOnceOut | None = None
    """What runs at once on average; null for a file that was never read, or that an earlier version read."""
    queues: list[str] = []
    """The queues that its jobs name; empty if a job names none."""


class ReadOut(TraceOut):
    """A trace with what reading it reported."""

    notes: list[str]
    """What was noticed while the file was read, in sentences; at most 50."""
    cluster: dict[str, Any] | None = None
    """Of a cluster file: `experiment` (without `workload.trace`), `report` and `charts`; null for other traces."""


class UploadedOut(ReadOut):
    """A trace that was sent and stored."""

    owner_token: OwnerToken


class ImportOut(Shape):
    """How far an import is, and the trace that it made."""

    id: str
    """The id of the import."""
    state: str
    """How far the import is: `waiting` (for a worker), `reading`, `done`, `failed` or `cancelled`."""
    progress: QuestionProgress
    rows: int
    """The number of rows that were read so far."""
    problems: QuestionProblems
    trace: ReadOut | None
    """The trace; null until the state is `done`, and after the trace was deleted."""


class BegunOut(ImportOut):
    """An import that has begun."""

    owner_token: OwnerToken


class RowsOut(Shape):
    """What an uploaded file looks like."""

    format: str | None
    """The name of the format; null for a file whose format is unknown."""
    columns: list[str]
    """The names of the columns, or their numbers from 1; empty if the format is known."""
    rows: list[list[str]]
    """The cells of the first rows, row by row; empty if the format is known."""
    guess: dict[str, Any] | None
    """A guess at the mapping, for `columns` of an import: which column means what, its units, `header` (whether the
    first row has the names) and `delimiter`. Null if the format is known."""


class FitOut(Shape):
    """A synthetic workload fitted to a trace."""

    workload: dict[str, Any]
    """The fitted workload, as `workload` of an experiment."""
    statistics: dict[str, Any]
    """The statistics of a draw of the fitted workload."""
    trace: dict[str, Any]
    """The statistics of the trace."""
    notes: list[str] = []  # answers from the cache of an hour may be older
    """What was not fitted, in sentences."""
