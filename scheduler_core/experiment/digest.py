"""Compute one name for each distinct experiment: the hash of its canonical form."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import TYPE_CHECKING, Any

from scheduler_core.experiment.derived import effective_queues
from scheduler_core.experiment.tracefile import trace_file
from scheduler_core.known import registries

if TYPE_CHECKING:
    from pathlib import Path

    from scheduler_core.experiment.experiment import Experiment, ResolveTrace

_BLOCK = 1 << 20


def experiment_digest(experiment: Experiment, resolve_trace: ResolveTrace | None = None) -> str:
    """Hash the canonical form: no name, no question, a trace by its content. Raises ExperimentError."""
    return hashlib.sha256(canonical(experiment, resolve_trace).encode()).hexdigest()


def canonical(experiment: Experiment, resolve_trace: ResolveTrace | None = None) -> str:
    """Write an experiment so that whoever asks the same writes the same: sorted keys, no blanks, 1.0 as 1.

    It leaves out absent optional values, so that a field added later does not rename every experiment.
    """
    data = experiment.to_dict()
    del data["name"], data["question"]
    data["queues"] = [queue.model_dump(mode="json") for queue in effective_queues(experiment)]
    if experiment.workload.kind == "trace":
        path = trace_file(experiment, resolve_trace)
        data["workload"] |= {"path": None, "trace": None, "sha256": file_sha256(path)}
        # What leaves the format out asks the same question as what names the one that a reader finds.
        data["workload"]["format"] = data["workload"]["format"] or registries().trace_format(path)
    return json.dumps(_normal(data), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def file_sha256(path: Path) -> str:
    """Hash a file's bytes as they lie on the disk."""
    found = path.stat()
    return _sha256(path, found.st_size, found.st_mtime_ns, found.st_ino)


@functools.lru_cache(maxsize=64)
def _sha256(path: Path, size: int, mtime_ns: int, inode: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _normal(value: Any) -> Any:
    """Write whole floats as integers and drop absent values."""
    if isinstance(value, dict):
        return {key: _normal(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [_normal(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
