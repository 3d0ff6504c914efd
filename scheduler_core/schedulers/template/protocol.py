"""The template's interface to the driver: packing."""

from __future__ import annotations

from typing import Any

from scheduler_core.cluster import Cluster
from scheduler_core.engine.records import World
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.shared.lines.protocol import LinedProtocol
from scheduler_core.schedulers.template import kernel
from scheduler_core.schedulers.template.params import TemplateParams
from scheduler_core.schedulers.template.state import RULES, TemplateState
from scheduler_core.workload.stages import Stages


class TemplateProtocol(LinedProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = kernel

    def pack(
        self, experiment: Experiment, cluster: Cluster, world: World, queue_owner: Any, stages: Stages | None = None
    ) -> TemplateState:
        """Return the state at time zero."""
        rules = self.rules(experiment, RULES, world)
        rules["choices"] = TemplateParams(**experiment.scheduler.params).choices
        return TemplateState(rules, self.lines_for(world))
