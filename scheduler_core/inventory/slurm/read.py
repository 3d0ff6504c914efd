"""Turn files of Slurm into machines and tasks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scheduler_core.inventory.found import Inventory
from scheduler_core.inventory.machine_types import read_machine_types
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.problems import in_file
from scheduler_core.inventory.slurm.jobs import DEFAULT_STATES, Sacct, chosen_states
from scheduler_core.inventory.slurm.nodes import Slurm
from scheduler_core.limits import Limits


def read_slurm(files: Sequence[tuple[Path, str]], names: Names, limits: Limits, states: str = "") -> Inventory:
    """Return what files of sacct and scontrol show; each comes with what it is. Raises ExperimentError."""
    found = Inventory("slurm")
    slurm = Slurm(names, found.unknown, limits)
    sacct = Sacct(names, found.unknown, limits, chosen_states(states) if states else DEFAULT_STATES)
    for path, kind in files:
        with in_file(path):
            if kind == "sacct":
                sacct.read(path)
            elif kind == "scontrol":
                slurm.read_text(path)
            elif kind == "scontrol JSON":
                slurm.read_json(path)
            else:
                found.machines += read_machine_types(path, names, limits).machines
    found.machines += slurm.machines.values()
    found.objects, found.specs = slurm.partitions, sacct.specs
    found.tasks, found.span_ns = sacct.tasks({machine.name for machine in found.machines})
    _say(found, sacct)
    return found


def _say(found: Inventory, sacct: Sacct) -> None:
    if sacct.counts["steps"]:
        found.notes.append(f"{sacct.counts['steps']:,} steps belong to their jobs and are no tasks of their own.")
    for state, count in sorted(sacct.left_out.items()):
        found.notes.append(f"{count:,} jobs are left out by their state: {state}.")
    if any(spec.fields.get("nodes", 1) > 1 for spec in found.specs):
        found.notes.append("A job of n nodes is n tasks. They start together under the scheduler slurm.")
    if sacct.counts["dependency"]:
        found.notes.append(
            f"{sacct.counts['dependency']:,} jobs depend on others. Only the scheduler slurm obeys that."
        )
    out = sum(machine.unschedulable for machine in found.machines)
    if out:
        found.notes.append(f"{out:,} nodes are down or draining; they count as machines.")
