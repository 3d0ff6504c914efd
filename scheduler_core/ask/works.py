"""The experiment under each seed, with its jobs held: they stay the same when machines or loads change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scheduler_core.cluster.build import build_cluster
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.workload.synthetic.held import held_arrivals


@dataclass
class Works:
    """An experiment's JSON by seed. With `hold`, an offered load is replaced by the jobs per second that it means."""

    experiment: Experiment
    hold: bool = False
    limits: Limits = DEFAULT_LIMITS
    _known: dict[int, dict[str, Any]] = field(default_factory=dict)

    def data(self, seed: int) -> dict[str, Any]:
        """Return the experiment's JSON under a seed; do not change it. Raises ExperimentError."""
        if seed not in self._known:
            data = self.experiment.to_dict() | {"seed": seed}
            held = self._held(data) if self.hold else None
            if held is not None:
                data["workload"] = data["workload"] | {"arrivals": data["workload"]["arrivals"] | held}
            self._known[seed] = data
        return self._known[seed]

    def _held(self, data: dict[str, Any]) -> dict[str, Any] | None:
        if data["workload"]["kind"] == "trace" and data["workload"].get("offered_load") is not None:
            raise ExperimentError(
                [
                    Problem(
                        "workload.offered_load",
                        "stretches the trace's arrivals to a load of these machines, so other machines would get "
                        "other work",
                        "a trace without `workload.offered_load`",
                        "leave it out, or ask for the load that these machines bear: `ask load`",
                    )
                ]
            )
        before = Experiment.parse(data, base_dir=self.experiment.base_dir, limits=self.limits)
        return held_arrivals(before, build_cluster(before, limits=self.limits))
