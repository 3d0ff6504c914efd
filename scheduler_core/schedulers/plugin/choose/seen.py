"""What a `choose` in plain Python gets: a task, and a sequence of machines whose columns are arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, overload

from scheduler_core.engine.records import Records
from scheduler_core.errors import did_you_mean


class Task(NamedTuple):
    """The task that needs a machine. Amounts are whole units (CPUs, GB); times are seconds."""

    number: int
    job: int
    job_tasks: int
    queue: int
    attempts: int
    cpus: float
    memory_gb: float
    gpus: float
    wait_s: float
    duration_s: float
    draw: float


class Machine(NamedTuple):
    """A machine that could run the task. Free amounts are what all tasks that were sent there leave."""

    number: int
    cluster: int
    rack: int
    cpus: float
    memory_gb: float
    gpus: float
    free_cpus: float
    free_memory_gb: float
    free_gpus: float
    tasks: int
    running: int
    waiting: int
    has_room: bool
    draw: float


_made: Callable[[tuple[Any, ...]], Machine] = partial(tuple.__new__, Machine)
"""Makes a machine of a row's values, in a third of the time that calling the class takes."""


class Machines(Sequence[Machine]):
    """The machines of one question. `machines.tasks` is the column of all their `tasks`, an array."""

    def __init__(self, rows: Records) -> None:
        self._rows = rows
        self._made: list[Machine] | None = None

    def _all(self) -> list[Machine]:
        if self._made is None:
            self._made = list(map(_made, self._rows.tolist()))
        return self._made

    def __len__(self) -> int:
        """Return the number of machines that could run the task."""
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Machine: ...
    @overload
    def __getitem__(self, place: slice) -> list[Machine]: ...
    def __getitem__(self, place: Any) -> Any:
        """Return the machine at a place of this list; a machine's number is its `number`."""
        if isinstance(place, slice) or self._made is not None:
            return self._all()[place]
        if not -len(self._rows) <= place < len(self._rows):
            raise IndexError(f"the list has {len(self._rows):,} machines, and place {place:,} was asked")
        return Machine(*self._rows[place].tolist())

    def __iter__(self) -> Iterator[Machine]:
        """Go through the machines, in order of their numbers."""
        return iter(self._all())

    def __getattr__(self, name: str) -> Any:
        """Return a column as an array."""
        if name in Machine._fields:
            return self._rows[name]
        raise AttributeError(f"a machine has no '{name}'{did_you_mean(name, Machine._fields)}", name=name, obj=self)
