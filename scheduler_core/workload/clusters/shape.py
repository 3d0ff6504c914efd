"""Check that a cluster file has the columns and types that its writer gives them: anybody can make one by hand."""

from __future__ import annotations

import json
from typing import Any

from scheduler_core.errors import Problem, TraceError

_TEXT, _WHOLE, _FLAG, _LABELS = "string", "int64", "bool", "map<string, string"
_TAINTS = ("key: string", "value: string", "effect: string")
_COLUMNS: dict[str, dict[str, str]] = {
    "machines": {
        "name": _TEXT,
        **dict.fromkeys(("cluster", "kind", "place"), _WHOLE),
        "unschedulable": _FLAG,
        "labels": _LABELS,
        "taints": "list<",
    },
    "tasks": {
        **dict.fromkeys(("name", "queue", "owner", "controller", "nominated"), _TEXT),
        **dict.fromkeys(("job", "spec", "arrival_ns", "started_ns", "duration_ns", "machine", "priority"), _WHOLE),
        **dict.fromkeys(("endless", "terminating"), _FLAG),
        "labels": _LABELS,
    },
    "specs": {"demand.cpus": _WHOLE, "demand.memory_gb": _WHOLE, "fields": _TEXT},
    "objects": dict.fromkeys(("kind", "namespace", "name", "object"), _TEXT),
}
#: Columns that files of earlier versions lack.
_LATER = {"tasks": {"ran_on": _WHOLE}}
#: Further columns by the begin of their names.
_FURTHER = {"machines": "exact.", "specs": "demand."}
_JSON = {"specs": "fields", "objects": "object"}
#: As many as the reader of Slurm's dependencies takes.
_MOST_MINUTES = 999_999
_HEAD: dict[str, type] = {
    "clusters": list, "notes": list, "queue_of": dict, "experiment": dict, "report": dict, "charts": dict,
}  # fmt: skip


def check_shape(head: dict[str, Any], tables: dict[str, Any]) -> None:
    """Check the head and the tables of a cluster file. Raises TraceError."""
    for name, kind in _HEAD.items():
        if name in head and not isinstance(head[name], kind):
            raise _wrong(f"`{name}` of its head is no {'list' if kind is list else 'object'}")
    for name, table in tables.items():
        prefix = _FURTHER.get(name)
        further = {each: _WHOLE for each in table.column_names if prefix and each.startswith(prefix)}
        later = {each: kind for each, kind in _LATER.get(name, {}).items() if each in table.column_names}
        for column, kind in (_COLUMNS[name] | later | further).items():
            _check_column(name, table, column, kind)
        if name in _JSON:
            _check_json(name, table.column(_JSON[name]))


def _check_column(name: str, table: Any, column: str, kind: str) -> None:
    if table.column_names.count(column) != 1:
        raise _wrong(f"table {name} lacks one column `{column}`")
    found = table.column(column)
    said = str(found.type)
    if not said.startswith(kind) or (kind == "list<" and not all(field in said for field in _TAINTS)):
        raise _wrong(f"column `{column}` of table {name} is of another type")
    if any(_has_gaps(chunk) for chunk in found.chunks):
        raise _wrong(f"column `{column}` of table {name} has gaps")


def _has_gaps(array: Any) -> bool:
    """Return True for an array that holds a null at any level."""
    import pyarrow as pa

    if array.null_count:
        return True
    if pa.types.is_map(array.type):
        return _has_gaps(array.keys) or _has_gaps(array.items)
    if pa.types.is_list(array.type):
        return _has_gaps(array.flatten())
    if pa.types.is_struct(array.type):
        return any(_has_gaps(array.field(at)) for at in range(array.type.num_fields))
    return False


def _check_json(name: str, column: Any) -> None:
    for text in column.to_pylist():
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise _wrong(f"table {name} has a row that is no JSON object")
        if name == "specs" and not _is_dependency(found.get("dependency") or {}):
            raise _wrong("a row of table specs has a `dependency` of another form")


def _is_dependency(given: Any) -> bool:
    """Return whether `given` is {} or has `any` and `of`, a list of conditions (kind, job, minutes)."""
    if given == {}:
        return True
    if not isinstance(given, dict) or not isinstance(given.get("any"), bool) or not isinstance(given.get("of"), list):
        return False
    return all(isinstance(each, list) and _is_condition(each) for each in given["of"])


def _is_condition(each: list[Any]) -> bool:
    if [type(part) for part in each] != [str, str, int]:
        return False
    minutes: int = each[2]
    return 0 <= minutes <= _MOST_MINUTES


def _wrong(message: str) -> TraceError:
    return TraceError([Problem("", message, "a file of import-cluster")])
