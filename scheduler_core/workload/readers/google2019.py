"""Read instance events of Google's cluster traces of 2019, as JSON lines or as CSV with a header.

Format: version 3, checked against github.com/google/cluster-data, clusterdata_trace_format_v3.proto, message
InstanceEvent: 1 time (microseconds since the start), 2 type (EventType: 0 SUBMIT, 1 QUEUE, 2 ENABLE, 3 SCHEDULE, 4
EVICT, 5 FAIL, 6 FINISH, 7 KILL, 8 LOST, 9 and 10 updates), 3 collection_id, 9 instance_index. Types are read by number
and by name. Requests (field 12) are normalized and not taken over, and neither are constraints (field 13), which a flat
table cannot hold. That BigQuery writes whole numbers into JSON as text, is from memory; the reader accepts both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.errors import Problem, TraceError
from scheduler_core.workload.raw import Ints, RawWork, TraceReader
from scheduler_core.workload.readers.gathering import Events
from scheduler_core.workload.readers.google2011 import add_events, finished
from scheduler_core.workload.readers.packed import opened
from scheduler_core.workload.readers.table import BLOCK_BYTES, Counted, Layout, Rows, Table, first_line
from scheduler_core.workload.readers.watching import Reading, tell

if TYPE_CHECKING:
    from scheduler_core.limits import Limits

_NAMES = ("collection_id", "instance_index", "time", "type")
_TYPES = (
    "SUBMIT",
    "QUEUE",
    "ENABLE",
    "SCHEDULE",
    "EVICT",
    "FAIL",
    "FINISH",
    "KILL",
    "LOST",
    "UPDATE_PENDING",
    "UPDATE_RUNNING",
)


def sniff(head: bytes) -> bool:
    """Return True if the first line is an object or a header with the four required fields."""
    line = first_line(head)
    if line.startswith(b"{"):
        return all(b'"' + name.encode() + b'"' in line for name in _NAMES)
    return {name.encode() for name in _NAMES} <= set(line.split(b","))


def read(path: Path, limits: Limits) -> RawWork:
    """Read instance events; raises TraceError."""
    import pyarrow as pa

    try:
        with opened(path) as file:
            head = first_line(file.read(1 << 16))
    except (OSError, EOFError) as error:
        raise TraceError([Problem("line 1", f"cannot be read: {str(error)[:200]}", "a whole file")]) from None
    table = Table(path, Layout((), dict.fromkeys(_NAMES, pa.string())), limits)
    events = Events(limits)
    for rows in _json_blocks(table, head) if head.startswith(b"{") else table.blocks():
        job, index, time, kind = (_whole(rows.column(name)) for name in _NAMES)
        add_events(events, rows, (job, index, time, kind), len(_TYPES), schedule=3, finish=6)
    return finished(events, table, limits, ("Requests are relative and were not imported.",))


def _json_blocks(table: Table, head: bytes) -> Iterator[Rows]:
    """Read objects line by line with Arrow, their fields of the type that the first one has."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    # There is no header in a file of objects.
    table.layout = Layout(_NAMES, table.layout.types)
    try:
        first = json.loads(head)
    except ValueError:
        raise TraceError([Problem("line 1", "is not a JSON object", "one object per line")]) from None
    schema = pa.schema([(name, pa.string() if isinstance(first.get(name), str) else pa.int64()) for name in _NAMES])
    options = arrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    try:
        with (
            opened(table.path) as file,
            arrow_json.open_json(
                pa.PythonFile(counted := Counted(file), mode="r"),
                arrow_json.ReadOptions(use_threads=False, block_size=BLOCK_BYTES),
                options,
            ) as reader,
        ):
            for batch in reader:
                rows = Rows(batch, table.rows, table)
                table.rows += len(rows)
                if (over := table.limits.exceeded("trace_bytes", counted.given, "")) is not None:
                    raise TraceError([over])
                tell(Reading(file.position, file.size, counted.given, table.rows))
                yield rows
    except (pa.ArrowException, OSError, EOFError) as error:
        reason = (str(error).splitlines() or ["it is damaged"])[0][:200]
        where = f"line {table.rows + 1:,}" if not table.rows else f"after line {table.rows:,}"
        raise TraceError([Problem(where, f"cannot be read: {reason}", "one whole JSON object per line")]) from None


def _whole(column: Any) -> Ints:
    """Return whole numbers, or types by their names; -1 for anything else."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_integer(column.type):
        by_name = pc.index_in(column, pa.array(_TYPES)).cast(pa.int64())
        digits = pc.match_substring_regex(column, r"^[0-9]{1,18}$")
        column = pc.coalesce(pc.if_else(digits, column, None).cast(pa.int64()), by_name)
    numbers: Ints = column.fill_null(-1).to_numpy(zero_copy_only=False)
    return numbers.astype(np.int64)


READER = TraceReader(
    name="google-2019",
    label="Google cluster traces 2019, instance events (.json, .csv)",
    help="JSON lines or CSV with a header: time, type, collection_id, instance_index; from last SCHEDULE to FINISH.",
    suffixes=(".json", ".jsonl", ".json.gz", ".csv", ".csv.gz"),
    has_queues=False,
    sniff=sniff,
    read=read,
)
