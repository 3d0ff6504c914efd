"""Column mappings: the meaning that a person gives to the columns of a trace in an unknown format."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StrictBool, ValidationError, model_validator

from scheduler_core.errors import ExperimentError
from scheduler_core.experiment.fields import Part, Text, refuse

Column = Annotated[str, Text(200, 1)]
Unit = Literal["s", "ms", "us", "ns", "min", "h"]
NS_OF_UNIT: dict[str, int] = {
    "ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000, "h": 3_600_000_000_000,
}  # fmt: skip


class Columns(Part):
    """A column mapping: the column of each field. The columns of a table without a header have the names 1, 2, 3 ..."""

    arrival: Column
    """When the row's job (or task) arrives."""
    duration: Column | None = None
    """How long a task runs. Give this or `end`."""
    end: Column | None = None
    """When the task ends; it ran since `start`, or since it arrived."""
    start: Column | None = None
    """When the task started, beside `end`."""
    job: Column | None = None
    """What tells jobs apart: rows of one value are tasks of one job. Absent: every row is a job."""
    tasks: Column | None = None
    """How many alike tasks a row stands for; absent: one."""
    cpus: Column | None = None
    """CPUs that a task takes; absent: what the experiment says."""
    memory_gb: Column | None = None
    """Memory that a task takes, in GB; absent: what the experiment says."""
    queue: Column | None = None
    """Name of the job's queue."""
    time_unit: Literal["s", "ms", "us", "ns", "min", "h", "datetime"] = "s"
    """Unit of `arrival`, `start` and `end`; `datetime`: written as 2024-05-01 12:30:00."""
    duration_unit: Unit | None = None
    """Unit of `duration`; absent: that of the times, or seconds where these are dates."""
    delimiter: Literal[",", ";", "\t", "|"] = ","
    """What parts the columns of a text."""
    bad_lines: Literal["refuse", "leave_out"] = "refuse"
    """Lines with a wrong value, such as a text as duration: `refuse` the table and list them, or `leave_out` them."""
    header: StrictBool = True
    """Whether the first line of a text names the columns."""

    @model_validator(mode="after")
    def _durations(self) -> Columns:
        if (self.duration is None) == (self.end is None):
            raise refuse("needs one of `duration` and `end`", "exactly one of them")
        if self.start is not None and self.end is None:
            raise refuse("gives `start` without `end`", "`start` beside `end`")
        return self

    @property
    def ns_of_duration(self) -> int:
        """Nanoseconds of a unit of durations."""
        return NS_OF_UNIT[self.duration_unit or ("s" if self.time_unit == "datetime" else self.time_unit)]

    @property
    def ns_of_time(self) -> int:
        """Nanoseconds of a unit of times (dates count in microseconds)."""
        return NS_OF_UNIT["us" if self.time_unit == "datetime" else self.time_unit]


def parse_columns(data: object, path: str = "columns") -> Columns:
    """Return the mapping of columns in `data`. Raises ExperimentError with paths below `path`."""
    from scheduler_core.experiment.problems import from_pydantic

    try:
        return Columns.model_validate(data)
    except ValidationError as error:
        raise ExperimentError(from_pydantic(error, Columns, data, path)) from None
