"""Names of constraints, and of the mixes that assign them to machines."""

from __future__ import annotations

from scheduler_core.experiment.constraints import Constraints

# The source of the twenty-one numbers them and does not name them.
MEGHA_21 = tuple(f"c{number:02d}" for number in range(21))
PHOENIX_9 = (
    "architecture_isa",
    "num_nodes",
    "ethernet_speed",
    "num_cores",
    "max_disks",
    "kernel_version",
    "platform_family",
    "cpu_clock",
    "min_disks",
)
MIXES: dict[str, tuple[str, ...]] = {
    "megha-21": ("google-a", "google-b", "google-c"),
    "megha-clusters": ("google-a", "google-b", "google-c"),
    "phoenix-9": ("phoenix",),
    "custom": ("custom",),
}


def constraint_names(constraints: Constraints) -> tuple[str, ...]:
    """Return the names of a catalog's constraints in its order."""
    if constraints.catalogue in ("megha-21", "megha-clusters"):
        return MEGHA_21
    return PHOENIX_9 if constraints.catalogue == "phoenix-9" else tuple(kind.name for kind in constraints.custom)
