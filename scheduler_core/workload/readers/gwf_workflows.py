"""Read workflows in the Grid Workloads Archive's format of seven columns, also known as GWF.

Format: CSV with the header WorkflowID, JobID, SubmitTime, RunTime, NProcs, ReqNProcs, Dependencies; times in seconds;
Dependencies: JobIDs parted by blanks, empty for none. Checked against OpenDC's reader (opendc-trace-gwf: names, order,
comments, how Dependencies is split) and two public programs that write such files, one with a blank after each comma,
one in R, which writes NA for none. No file of the archive was at hand. Rows of one WorkflowID are a job; a row is a
stage of NProcs tasks (ReqNProcs where that is not known), which need not start together here. That -1 stands for what
is not known is taken over from the archive's other format.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.experiment.workloads import LONGEST_TASK_S
from scheduler_core.workload.raw import Ints, RawWork
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.readers.gathering import LATEST_S, Tasks
from scheduler_core.workload.readers.graphs import Waits, waits_of
from scheduler_core.workload.readers.packed import Rewritten
from scheduler_core.workload.readers.table import Layout, Rows, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scheduler_core.limits import Limits

NAMES = ("WorkflowID", "JobID", "SubmitTime", "RunTime", "NProcs", "ReqNProcs", "Dependencies")
_HEADER = [name.lower().encode() for name in NAMES]
_NOBODY = -(2**62)
_MOST_PROCESSORS = 10**7


def sniff(head: bytes) -> bool:
    """Return True if the first line that is no comment is the header."""
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.strip() and not line.lstrip().startswith(b"#"):
            return [word.strip().strip(b'"').lower() for word in line.split(b",")] == _HEADER
    return False


class _WithoutHeader(Rewritten):
    """The file whose header and comments are empty lines, which keeps the numbers of lines."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._in_head = True

    def read(self, size: int = -1) -> bytes:
        """Return about `size` bytes."""
        while True:
            block = self._file.read(size)
            if not self._in_head:
                return block
            text = (self._rest + block).removeprefix(b"\xef\xbb\xbf")
            # Lines that were passed are not looked at again (?>...): many blank ones would take quadratic time.
            head = re.match(rb"(?>(?:[ \t]*(?:#[^\n]*)?\r?\n)*)(?!\s*#)[^\n]*\n", text)
            if head is None and block and len(text) < 1 << 18:
                self._rest = text
                continue
            self._in_head = False
            end = head.end() if head else 0
            return b"\n" * text.count(b"\n", 0, end) + text[end:]


def read(path: Path, limits: Limits) -> RawWork:
    """Read a file of workflows; raises TraceError."""
    import pyarrow as pa

    types = dict.fromkeys(NAMES[:2], pa.int64()) | dict.fromkeys(NAMES[2:6], pa.float64()) | {NAMES[6]: pa.string()}
    table, tasks = Table(path, Layout(NAMES, types), limits), Tasks(limits)
    for rows in table.blocks(_WithoutHeader):
        job, own = rows.numbers("WorkflowID"), rows.numbers("JobID")
        submit, run, used, asked = (rows.numbers(name, np.nan) for name in NAMES[2:6])
        empty = np.isnan(submit) & np.isnan(run) & np.isnan(used) & (own == -1)
        count = np.where(used >= 1, used, asked)
        good = ~empty & rows.keep(
            {
                "no workflow": ~empty & (job < 0),
                "no time of submission": ~empty & ~((submit >= 0) & (submit <= LATEST_S)),
                "no run time": ~empty & ~((run >= 0) & (run <= LONGEST_TASK_S)),
                "no number of processors": ~empty & ~((count >= 1) & (count <= _MOST_PROCESSORS)),
            }
        )
        tasks.add(
            job[good],
            _ns(submit[good]),
            _ns(run[good]),
            count=count[good].astype(np.int64),
            stage=own[good],
            waits=_waits(rows, good),
        )
    note = "A workflow is a job that arrives with its first row; a row of n processors is n tasks of its run time."
    return tasks.work((note,), table=table)


def _waits(rows: Rows, good: NDArray[np.bool_]) -> Waits:
    """Read the edges of the remaining rows."""
    import pyarrow as pa
    import pyarrow.compute as pc

    listed = pc.utf8_split_whitespace(rows.column("Dependencies").fill_null(""))
    text, row = pc.list_flatten(listed), pc.list_parent_indices(listed).to_numpy(zero_copy_only=False)
    said = pc.invert(pc.match_substring_regex(text, r"^(-[0-9]+|NA|)$"))
    whole = pc.match_substring_regex(text, r"^[0-9]{1,18}$")
    parent = pc.if_else(whole, text, str(_NOBODY)).cast(pa.int64()).to_numpy(zero_copy_only=False)
    kept = said.to_numpy(zero_copy_only=False)
    return waits_of(rows, good, row[kept], parent[kept])


def _ns(seconds: NDArray[np.float64]) -> Ints:
    return np.rint(seconds * NS).astype(np.int64)
