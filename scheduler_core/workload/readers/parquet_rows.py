"""Read Parquet files of other projects block by block; where a note says line, it means a row here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scheduler_core.errors import Problem, TraceError, listed
from scheduler_core.workload.readers.table import Rows, Table
from scheduler_core.workload.readers.watching import Reading, tell

MAGIC = b"PAR1"


def column_names(path: Path) -> list[str]:
    """Return the names of a Parquet file's columns; empty for a damaged file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return list(pq.read_schema(path).names)
    except (OSError, pa.ArrowException):
        return []


def _cast(column: Any, kind: Any) -> Any:
    """Return a column as another type; points in time become milliseconds if whole numbers are wanted."""
    import pyarrow as pa

    if pa.types.is_timestamp(column.type) and pa.types.is_integer(kind):
        return column.cast(pa.timestamp("ms"), safe=False).cast(kind)
    if pa.types.is_timestamp(column.type) and pa.types.is_timestamp(kind):
        return column.cast(kind, safe=False)
    return column.cast(kind)


def parquet_blocks(table: Table) -> Iterator[Rows]:
    """Return the columns of the table's layout, cast to its types. Raises TraceError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = table.layout.types
    try:
        with pq.ParquetFile(table.path) as file:
            missing = [name for name in types if name not in file.schema_arrow.names]
            if missing:
                have = listed(file.schema_arrow.names)
                raise TraceError([Problem("", f"has no column '{name}'", have) for name in missing])
            groups = range(file.metadata.num_row_groups)
            table_bytes = sum(int(file.metadata.row_group(group).total_byte_size) for group in groups)
            if (over := table.limits.exceeded("trace_bytes", table_bytes, "")) is not None:
                raise TraceError([over])
            for batch in file.iter_batches(columns=list(types), batch_size=1 << 16):
                columns = [_cast(batch.column(batch.schema.get_field_index(name)), types[name]) for name in types]
                rows = Rows(pa.RecordBatch.from_arrays(columns, names=list(types)), table.rows, table)
                table.rows += len(rows)
                tell(Reading(table.rows, file.metadata.num_rows, 0, table.rows))
                yield rows
    except pa.ArrowMemoryError:
        huge = "declares parts larger than the memory limit for reading"
        raise TraceError([Problem("", huge, remedy="write it again, or shorten it")]) from None
    except (OSError, pa.ArrowException) as error:
        reason = (str(error).splitlines() or ["it is damaged"])[0][:200]
        raise TraceError([Problem(f"line {table.rows + 1:,}", f"cannot be read: {reason}", "whole Parquet")]) from None
