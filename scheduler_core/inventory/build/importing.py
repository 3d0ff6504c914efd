"""Import a cluster: recognize the files, read them, and write an experiment with a cluster file beside it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scheduler_core.errors import ExperimentError, Problem, listed
from scheduler_core.experiment import Experiment
from scheduler_core.inventory.build.charts import charts
from scheduler_core.inventory.build.experiment import durations_of, experiment_of, queues_of
from scheduler_core.inventory.build.layout import Layout, lay_out
from scheduler_core.inventory.build.tables import cluster_file
from scheduler_core.inventory.found import Inventory
from scheduler_core.inventory.machine_types import read_machine_types, reads_machine_types
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.problems import in_file
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.workload.clusters.file import ClusterFile, write_cluster_file
from scheduler_core.workload.readers.packed import opened

KUBERNETES, SACCT, SCONTROL, SCONTROL_JSON, MACHINES = "kubernetes", "sacct", "scontrol", "scontrol JSON", "machines"
_SLURM = frozenset({SACCT, SCONTROL, SCONTROL_JSON})
_HEAD = 65_536
_MARKS = (b"apiVersion", b"kind")
SUFFIX = ".cluster"


@dataclass
class Imported:
    """A cluster that was read: the experiment's data, the content of its cluster file, and what was found."""

    experiment: dict[str, Any]
    content: ClusterFile | None
    found: Inventory
    layout: Layout
    files: dict[str, str] = field(default_factory=dict)

    def report(self) -> dict[str, Any]:
        """Return the numbers that `import-cluster --json` prints."""
        tasks = self.found.tasks
        placed = sum(task.machine != "" for task in tasks)
        waiting = sum(task.waiting for task in tasks)
        return {
            "source": self.found.source,
            "machines": len(self.found.machines),
            **({"jobs": len({task.job for task in tasks})} if self.found.source == "slurm" else {}),
            **(
                {"tasks" if self.found.source == "slurm" else "pods": len(tasks)}
                if self.found.source != MACHINES
                else {}
            ),
            "placed": placed,
            "pending": waiting,
            "later": len(tasks) - placed - waiting,
            "endless": sum(task.endless for task in tasks),
            "not_understood": dict(sorted(self.found.unknown.fields.items())),
            "not_understood_in": dict(sorted(self.found.unknown.objects.items())),
            "notes": self.found.notes,
        }


def import_files(
    paths: Sequence[Path], names: Names, where: dict[str, str], *, limits: Limits = DEFAULT_LIMITS, states: str = ""
) -> Imported:
    """Read the files of one cluster. Raises ExperimentError; each problem's path begins with its file.

    `where` says how the experiment names its cluster file: {"path": ...} or {"trace": ...}. `states` chooses jobs of
    Slurm by state, `all` or a list; by default all but cancelled ones.
    """
    kinds = {str(path): _recognized(path) for path in paths}
    sources = {"slurm" if kind in _SLURM else kind for kind in kinds.values()}
    if sources == {MACHINES, "slurm"}:
        sources = {"slurm"}
    if len(sources) > 1:
        raise ExperimentError([Problem("FILE", f"are of {listed(sorted(sources))}", "files of one cluster")])
    source = sources.pop()
    if source == KUBERNETES:
        from scheduler_core.inventory.kubernetes.read import read_kubernetes

        found = read_kubernetes(paths, names, limits)
    elif source == MACHINES:
        with in_file(paths[0]):
            found = read_machine_types(paths[0], names, limits)
    else:
        from scheduler_core.inventory.slurm.read import read_slurm

        found = read_slurm([(path, kinds[str(path)]) for path in paths], names, limits, states)
    _check(found)
    layout = lay_out(found)
    queues, queue_of = queues_of(found, limits)
    made = experiment_of(found, layout, queues, durations_of(found), where)
    Experiment.parse(made, limits=limits)
    content = cluster_file(found, layout, queue_of, names_kept=names.kept) if found.tasks else None
    imported = Imported(made, content, found, layout, kinds)
    if content is not None:
        # The file alone is enough to open it elsewhere.
        own = {name: value for name, value in made["workload"].items() if name not in where}
        content.head |= {"experiment": made | {"workload": own}, "report": imported.report(), "charts": charts(found)}
    return imported


def write_import(imported: Imported, target: Path) -> None:
    """Write the experiment and, beside it, the cluster file that it names."""
    if imported.content is not None:
        write_cluster_file(imported.content, target.with_suffix(SUFFIX))
    target.write_text(json.dumps(imported.experiment, indent=1) + "\n", "utf-8")


def is_cluster_export(path: Path) -> bool:
    """Return True if a file is one that `import_files` reads; JSON is only if its first bytes name an object's kind."""
    try:
        kind = _recognized(path)
    except ExperimentError:
        return False
    return kind != MACHINES and (kind != KUBERNETES or any(mark in _head(path) for mark in _MARKS))


def _check(found: Inventory) -> None:
    if not found.machines:
        remedy = "kubectl get nodes -o json" if found.source == KUBERNETES else "scontrol show nodes"
        raise ExperimentError(
            [Problem("FILE", "have no machines", "nodes with their capacity", f"add the output of `{remedy}`")]
        )


def _head(path: Path) -> bytes:
    with opened(path) as file:
        return file.read(_HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()


def _recognized(path: Path) -> str:
    """Return what a file is by its first bytes. Raises ExperimentError."""
    try:
        head = _head(path)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "is damaged"
        raise ExperimentError(
            [Problem(str(path), reason[:1].lower() + reason[1:], "a file that can be read")]
        ) from None
    first = head.split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    if head.startswith((b"{", b"[")):
        slurm = any(mark in head for mark in (b'"real_memory"', b'"last_update"', b'"slurm"', b'"partitions"'))
        return SCONTROL_JSON if slurm and b'"apiVersion"' not in head else KUBERNETES
    if head.startswith((b"NodeName=", b"PartitionName=")):
        return SCONTROL
    if "|" in first and "jobid" in first.lower():
        return SACCT
    if any(mark in head for mark in (b"apiVersion:", b"kind:")):
        return KUBERNETES
    if reads_machine_types(first):
        return MACHINES
    known = "kubectl -o json or yaml, sacct -P, scontrol show nodes or partition, a CSV with the columns count and cpus"
    raise ExperimentError([Problem(str(path), "is not in a known format", known, "see docs/how-to/your-cluster.md")])
