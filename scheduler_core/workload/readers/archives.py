"""Read the Standard Workload Format and the Grid Workload Format: a job a line, numbers separated by blanks.

SWF: version 2.2, checked against www.cs.huji.ac.il/labs/parallel/workload/swf.html: 18 fields, of which 2 submit
time, 4 run time (seconds, fractions allowed), 5 allocated processors, 8 requested processors, 11 status; comments
start with a semicolon; -1 where a field does not apply. Lines of status 2, 3 and 4 are parts of a job that another
line sums up (this from memory: that part of the page was not at hand).
GWF: the Grid Workloads Archive, gwa.ewi.tudelft.nl (TheGridWorkloadFormat_v001). The document is kept nowhere that
could be reached; checked against two public readers that list its 29 fields, of which the first 11 are as in SWF,
and a public report on a file of it, whose times are seconds since 1970. Comments start with #. One public reader
has 30 fields, one unknown after the 18th; both are taken. A job of n processors becomes n tasks of its run time,
which need not start together here. Field 20, JobStructureParams, names the batch of a job (from a public writer of
the format): these lines have no edges. The files of workflows that go by the same name do: see gwf_workflows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.experiment.workloads import LONGEST_TASK_S
from scheduler_core.workload.raw import RawWork, TraceReader
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.readers import gwf_workflows
from scheduler_core.workload.readers.gathering import LATEST_S, Tasks
from scheduler_core.workload.readers.packed import Rewritten, opened
from scheduler_core.workload.readers.table import Layout, Table

if TYPE_CHECKING:
    from scheduler_core.limits import Limits

_SWF, _GWF = (18,), (29, 30)
_USED = {1: "submit time", 3: "run time", 4: "processors", 7: "requested processors", 10: "status"}
_PARTS = (2, 3, 4)
_MOST_PROCESSORS = 10**7
# The longest rest that goes over to the next block; less than half of what Arrow asks for at once.
_LONGEST_LINE = 1 << 18


class _Parted(Rewritten):
    """A text whose fields are parted by one comma each; comments and blank lines stay as empty lines."""

    def read(self, size: int = -1) -> bytes:
        """Return about `size` bytes, in whole lines."""
        while True:
            block = self._file.read(max(size - _LONGEST_LINE, size // 2))
            text = self._rest + block
            cut = text.rfind(b"\n") + 1 if block else len(text)
            text, self._rest = text[:cut], text[cut:]
            if len(self._rest) > _LONGEST_LINE:
                raise OSError("a line is longer than 262,144 bytes")
            if text or not block:
                text = re.sub(rb"(?m)^[ \t]*[;#].*$", b"", text.removeprefix(b"\xef\xbb\xbf"))
                # A match begins where blanks begin: from each of them, a long line would take quadratic time.
                text = re.sub(rb"(?m)^[ \t\r]+|(?<![ \t\r])[ \t\r]+$", b"", text)
                return re.sub(rb"[ \t]+", b",", text)


def _sniff(mark: bytes, fields: tuple[int, ...]) -> Callable[[bytes], bool]:
    def sniff(head: bytes) -> bool:
        lines = head.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        # The head may end within a line, so its last line counts only where it is the only one.
        for line in lines[: max(len(lines) - 1, 1)]:
            words = line.split()
            if not words or words[0].startswith(mark):
                continue
            try:
                return len(words) in fields and all(float(words[at]) >= -1 for at in (1, 2, 3))
            except ValueError:
                return False
        # A head of comments alone: SWF writes its fields as `; Name: value`.
        return mark == b";" and lines[0].lstrip().startswith(b";") and b":" in lines[0]

    return sniff


def _read(path: Path, limits: Limits, mark: bytes, fields: tuple[int, ...]) -> RawWork:
    import pyarrow as pa

    names = tuple(_USED.get(at, f"field {at + 1}") for at in range(_width(path, mark, fields)))
    table = Table(path, Layout(names, dict.fromkeys(_USED.values(), pa.float64())), limits)
    tasks = Tasks(limits)
    for rows in table.blocks(_Parted):
        submit, run, used, asked, status = (rows.numbers(name, np.nan) for name in _USED.values())
        empty = np.isnan(submit) & np.isnan(run) & np.isnan(used)
        count = np.where(used >= 1, used, asked)
        part = np.isin(status, _PARTS) if fields == _SWF else np.zeros(len(rows), np.bool_)
        good = ~empty & rows.keep(
            {
                "a part of a job that another line summarizes": part,
                "no time of submission": ~empty & ~((submit >= 0) & (submit <= LATEST_S)),
                "no run time": ~empty & ~((run >= 0) & (run <= LONGEST_TASK_S)),
                "no number of processors": ~empty & ~((count >= 1) & (count <= _MOST_PROCESSORS)),
            }
        )
        number = np.flatnonzero(good) + rows.first
        tasks.add(number, _ns(submit[good]), _ns(run[good]), count=count[good].astype(np.int64))
    note = "A job of n processors is n tasks of its run time, which need not start together."
    return tasks.work((note,), table=table)


def _width(path: Path, mark: bytes, fields: tuple[int, ...]) -> int:
    """Return the number of fields in the first line that is no comment, or `fields[0]` if `fields` lacks it."""
    if len(fields) > 1:
        with opened(path) as file:
            lines = (line.split() for line in file.read(1 << 16).split(b"\n"))
            found = next((len(words) for words in lines if words and not words[0].startswith(mark)), 0)
        return found if found in fields else fields[0]
    return fields[0]


def _ns(seconds: Any) -> Any:
    return np.rint(seconds * NS).astype(np.int64)


def _sniff_gwf(head: bytes) -> bool:
    return gwf_workflows.sniff(head) or _sniff(b"#", _GWF)(head)


def _read_gwf(path: Path, limits: Limits) -> RawWork:
    with opened(path) as file:
        workflows = gwf_workflows.sniff(file.read(4096))
    return gwf_workflows.read(path, limits) if workflows else _read(path, limits, b"#", _GWF)


def _reader(name: str, label: str, mark: bytes, fields: tuple[int, ...], suffix: str) -> TraceReader:
    return TraceReader(
        name=name,
        label=label,
        help=f"One line per job of {fields[0]} fields; n processors become n tasks of the job's run time.",
        suffixes=(suffix, suffix + ".gz", suffix + ".zst"),
        has_queues=False,
        sniff=_sniff(mark, fields),
        read=lambda path, limits: _read(path, limits, mark, fields),
    )


SWF = _reader("swf", "Parallel Workloads Archive, Standard Workload Format (.swf)", b";", _SWF, ".swf")
GWF = replace(
    _reader("gwf", "Grid Workloads Archive, jobs or workflows (.gwf)", b"#", _GWF, ".gwf"),
    help="One line per job: 29 fields separated by blanks, or 7 by commas, of which the last names the jobs that it "
    "waits for.",
    sniff=_sniff_gwf,
    read=_read_gwf,
)
