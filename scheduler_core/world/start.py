"""What a scheduler packs its state from: a run at time zero, with the scheduler's parameters parsed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.engine.records import World
from scheduler_core.experiment import Experiment
from scheduler_core.workload.clusters.standing import Standing
from scheduler_core.workload.recorded import Recorded
from scheduler_core.workload.stages import Stages
from scheduler_core.world.spec import Params

P = TypeVar("P", bound=Params)


@dataclass(frozen=True)
class Start(Generic[P]):
    """A run at time zero.

    `owners` holds the Global Master of each queue. `stages` says which tasks wait for which; it is None for schedulers
    that do not support `dag`. `standing` says which tasks run already; None unless the workload comes from a cluster.
    `recorded` has the starts that the workload's source knows.
    """

    experiment: Experiment
    params: P
    cluster: Cluster
    world: World
    owners: npt.NDArray[np.int32]
    stages: Stages | None = None
    standing: Standing | None = None
    recorded: Recorded | None = None

    @property
    def given(self) -> dict[str, Any]:
        """The parameters by name, for a family whose schedulers have different ones."""
        return self.experiment.scheduler.params

    def after(self, given: dict[str, Any]) -> P:
        """Return the parameters that an event leaves, parsed."""
        return type(self.params)(**given)

    def with_cluster(self, cluster: Cluster, owners: npt.NDArray[np.int32]) -> Start[P]:
        """Return the same run on another division of the machines."""
        return replace(self, cluster=cluster, owners=owners)
