"""Read sparrow traces: a line per job with its arrival, number of tasks, mean and durations in seconds.

Format: as the public simulators of Eagle and Hawk (github.com/epfl-labos/eagle, folder simulation) and Megha read it.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.errors import Problem, TraceError, shown
from scheduler_core.experiment.fields import LONGEST_S
from scheduler_core.experiment.workloads import LONGEST_TASK_S
from scheduler_core.workload.raw import Ints, RawWork, TraceReader
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.readers.packed import Opened, opened
from scheduler_core.workload.readers.watching import Reading, tell

if TYPE_CHECKING:
    from scheduler_core.limits import Limits

CHUNK_BYTES = 1 << 20
MOST_PROBLEMS = 20
# SWF and GWF begin with numbers as well; their lines have these many.
_WIDTHS_OF_OTHERS = (18, 29, 30)
_FIELDS = ("arrival", "number of tasks", "mean duration", "duration")
# A number longer than this is no number; the limit also bounds what goes over from chunk to chunk.
_LONGEST_WORD = 1 << 12


def sniff(head: bytes) -> bool:
    """Return True if the first line, as far as it goes, starts like a job."""
    words = head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0].split()
    try:
        if len(words) in _WIDTHS_OF_OTHERS and float(words[1]) != len(words) - 3:
            return False
        return len(words) >= 3 and float(words[0]) >= 0 and float(words[1]) >= 1 and float(words[2]) >= 0
    except ValueError:
        return False


@dataclass
class _Parser:
    """The kernel's state and its growing output."""

    limits: Limits
    state: Ints
    jobs: Ints = field(default_factory=lambda: np.empty((1024, 3), np.int64))
    durations: Ints = field(default_factory=lambda: np.empty(4096, np.int64))
    rows: Ints = field(default_factory=lambda: np.zeros((MOST_PROBLEMS, 6), np.int64))
    problems: list[Problem] = field(default_factory=list)

    def make_room(self, size: int) -> None:
        """Grow the output so that a chunk of `size` bytes fits: a number takes two bytes or more, a whole job eight."""
        from scheduler_core.workload.readers.sparrow_kernel import JOBS, TASKS

        jobs, tasks = int(self.state[JOBS]) + size // 8 + 2, int(self.state[TASKS]) + size // 2 + 2
        if jobs > len(self.jobs):
            # One more than is whole: the job whose line is still coming in lies there.
            self.jobs = _grown(self.jobs, int(self.state[JOBS]) + 1, jobs)
        if tasks > len(self.durations):
            self.durations = _grown(self.durations, int(self.state[TASKS]), tasks)

    def feed(self, text: bytes, last: bool) -> int:
        """Parse a chunk; give the number of its used bytes."""
        from scheduler_core.workload.readers.sparrow_kernel import PROBLEMS, parse_chunk

        self.make_room(len(text))
        longest = np.array([LONGEST_S * NS, self.limits.tasks * NS, LONGEST_TASK_S * NS, LONGEST_TASK_S * NS], np.int64)
        known = int(self.state[PROBLEMS])
        used = parse_chunk(
            np.frombuffer(text, np.uint8), len(text), last, self.state, self.rows, self.jobs, self.durations, longest
        )
        for row in self.rows[known : int(self.state[PROBLEMS])]:
            self.problems.append(_problem(row, text, longest))
        return int(used)


def read(path: Path, limits: Limits) -> RawWork:
    """Read a trace, plain, in gzip or in zstd, in bounded memory; raises TraceError listing the first bad lines."""
    from scheduler_core.workload.readers.sparrow_kernel import JOBS, LINE, LINE_TASKS, PROBLEMS, STATE_SLOTS, TASKS

    parser = _Parser(limits, np.zeros(STATE_SLOTS, np.int64))
    parser.state[LINE] = 1
    try:
        with opened(path) as file:
            _feed_all(file, parser, limits)
    except (OSError, EOFError, zlib.error) as error:
        where = f"line {int(parser.state[LINE])}"
        raise TraceError([*parser.problems, Problem(where, f"cannot be read on: {error}", "a whole file")]) from None
    found = int(parser.state[PROBLEMS])
    if found > MOST_PROBLEMS:
        parser.problems.append(Problem("", f"{found - MOST_PROBLEMS:,} more lines cannot be used"))
    if parser.problems:
        raise TraceError(parser.problems)
    jobs, tasks = int(parser.state[JOBS]), int(parser.state[LINE_TASKS])
    assert tasks == int(parser.state[TASKS])
    if jobs == 0:
        raise TraceError([Problem("", "holds no jobs", "at least one line")])
    arrival, counts, mean = (np.ascontiguousarray(parser.jobs[:jobs, column]) for column in range(3))
    return RawWork(arrival, counts, mean, parser.durations[:tasks].copy())


def _feed_all(file: Opened, parser: _Parser, limits: Limits) -> None:
    """Hand the file to the parser chunk by chunk, holding it against the limits."""
    from scheduler_core.workload.readers.sparrow_kernel import JOBS, LINE, PROBLEMS, TASKS

    rest, total = b"", 0
    while True:
        block = file.read(CHUNK_BYTES)
        if total == 0:
            block = block.removeprefix(b"\xef\xbb\xbf")
        total += len(block)
        text = rest + block
        used = parser.feed(text, last=not block)
        rest = text[used:]
        tell(Reading(file.position, file.size, total, int(parser.state[JOBS])))
        where = f"line {int(parser.state[LINE])}"
        sizes = (("jobs", JOBS), ("tasks", TASKS))
        over = [limits.exceeded(name, int(parser.state[slot]), where) for name, slot in sizes]
        over.append(limits.exceeded("trace_bytes", total, where))
        if len(rest) > _LONGEST_WORD:
            over.append(Problem(where, f"has a word of more than {_LONGEST_WORD:,} characters", "numbers and blanks"))
        if problems := [problem for problem in over if problem is not None]:
            raise TraceError([*parser.problems, *problems])
        if not block or int(parser.state[PROBLEMS]) > 1_000_000:
            return


def _problem(row: Ints, text: bytes, longest: Ints) -> Problem:
    """Return the problem of a line."""
    from scheduler_core.workload.readers import sparrow_kernel as codes

    line, code, at, start, stop, announced = (int(value) for value in row)
    name = _FIELDS[min(at, 3)] if at < 3 else f"duration {at - 2:,}"
    word = shown(text[start : min(stop, start + 60)].decode("latin-1"))
    most = int(longest[min(at, 3)]) // NS
    message, allowed = {
        codes.NOT_A_NUMBER: (f"{name} is {word}, not a finite number", "numbers and blanks"),
        codes.NEGATIVE: (f"{name} is {word}", "0 or more"),
        codes.TOO_LARGE: (f"{name} is {word}", f"at most {most:,}" + (" (limit 'tasks')" if at == 1 else "")),
        codes.NOT_WHOLE: (f"{name} is {word}", "a whole number"),
        codes.NO_TASKS: (f"{name} is {word}", "at least 1"),
        codes.TOO_FEW: (
            f"announces {announced:,} tasks and gives {max(at - 3, 0):,} durations"
            if at >= 2
            else "ends before its number of tasks",
            "arrival, number of tasks, mean, then each duration",
        ),
        codes.TOO_MANY: (f"announces {announced:,} tasks and gives more durations", "as many as announced"),
    }[code]
    return Problem(f"line {line}", message, allowed)


def _grown(array: Ints, used: int, needed: int) -> Ints:
    bigger = np.empty((max(needed, 2 * len(array)), *array.shape[1:]), np.int64)
    bigger[:used] = array[:used]
    return bigger


READER = TraceReader(
    name="sparrow",
    label="Sparrow, Eagle and Megha text traces (.tr)",
    help="One line per job: arrival second, number of tasks, mean task duration, then each task's duration in seconds.",
    suffixes=(".tr", ".tr.gz", ".tr.zst", ".txt"),
    has_queues=False,
    sniff=sniff,
    read=read,
)
