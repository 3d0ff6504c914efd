"""Holds what previews foretell against the full runs: `python -m bench.previews [--seed 3] [--draws 200]`.

Ranges and thresholds (scheduler_core/run/foresight.py) were chosen on the draws of seed 1; report those of another.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.preview_draws import drawn
from scheduler_core import KeptBuilds, Simulation, run_preview

PERCENTS = ("p50", "p90", "p99", "p99.9")


@dataclass(frozen=True)
class Trial:
    """One experiment: what its preview foretold and what its full run measured."""

    number: int
    scheduler: str
    load: float
    tasks: int
    waits: dict[str, float]
    ranges: dict[str, tuple[float, float] | None]
    reason: str | None
    growth: dict[str, Any] | None
    wait_rate: float
    backlog_rate: float

    def holds(self, name: str) -> bool:
        """Return whether the range that was shown holds what the full run measured."""
        shown = self.ranges[name]
        return shown is not None and shown[0] <= self.waits[name] <= shown[1]

    @property
    def rate(self) -> float:
        """Return by how much that grew in a minute of the full run which the preview says grows."""
        assert self.growth is not None
        return 60 * (self.wait_rate if self.growth["of"] == "wait" else self.backlog_rate)

    @property
    def growth_is_right(self) -> bool:
        """Return whether growth was named, at a rate that holds the full run's where a rate was told."""
        if self.growth is None:
            return False
        told = self.growth["in_a_minute"]
        return told is None or bool(told["low_s"] <= self.rate <= told["high_s"])


def tried(seed: int, number: int) -> Trial:
    """Preview an experiment, run it to its end, and compare."""
    experiment, builds = drawn(seed, number), KeptBuilds()
    foretold = run_preview(experiment, builds=builds)["foretold"]
    simulation = Simulation(experiment, frames=0, builds=builds)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    measured = simulation.result.summary["allocation_delay_s"]
    load, wait_rate, backlog_rate = _rates(simulation)
    ranges = foretold["allocation_delay"]
    return Trial(
        number,
        experiment.scheduler.name,
        load,
        len(simulation.world.task),
        {name: measured[name] for name in PERCENTS},
        {name: None if (one := ranges[name]) is None else (one["low_s"], one["high_s"]) for name in PERCENTS},
        foretold["reason"],
        foretold["growth"],
        wait_rate,
        backlog_rate,
    )


def _rates(simulation: Simulation) -> tuple[float, float, float]:
    """Return the load that arrived, and by how much wait and backlog grew in each second of the arrivals."""
    assert simulation.result is not None
    tasks = simulation.result.tasks
    slots = int((simulation.world.capacity[:, 0] // simulation.world.demand[0, 0]).sum())
    arrival, start = tasks["arrival_ns"] / 1e9, tasks["first_start_ns"] / 1e9
    duration = simulation.world.task["duration_ns"] / 1e9
    last, work = float(arrival[-1]), float(duration.sum())
    done = float(np.clip(last - tasks["last_start_ns"] / 1e9, 0, duration).sum())
    return work / slots / last, float(np.polyfit(arrival, start - arrival, 1)[0]), (work - done) / slots / last


def figures(trials: list[Trial]) -> dict[str, Any]:
    """Return the figures that docs/development/performance.md reports."""
    below, above = [one for one in trials if one.load < 1], [one for one in trials if one.load >= 1]
    found: dict[str, Any] = {"draws": len(trials), "below load 1": len(below)}
    for name in PERCENTS:
        shown = [one for one in trials if one.ranges[name] is not None]
        widths = [one.ranges[name][1] / one.ranges[name][0] for one in shown]  # type: ignore[index]
        found[name] = {
            "shown": len(shown),
            "held": round(float(np.mean([one.holds(name) for one in shown])), 3),
            "median width": round(float(np.median(widths)), 2),
            "cannot tell below 1": round(float(np.mean([one.ranges[name] is None for one in below])), 3),
        }
    told = [rate["high_s"] / rate["low_s"] for one in above if one.growth and (rate := one.growth["in_a_minute"])]
    found["growth"] = {
        "right above 1": round(float(np.mean([one.growth_is_right for one in above])), 3),
        "named above 1": round(float(np.mean([one.growth is not None for one in above])), 3),
        "with a rate above 1": round(len(told) / len(above), 3),
        "median width of rates": round(float(np.median(told)), 2),
        "named below 1": sum(one.growth is not None for one in below),
        "right below 1": sum(one.growth_is_right for one in below),
    }
    return found


def main() -> int:
    """Run the trials and print a row each, then the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    trials = []
    for number in range(asked.draws):
        trials.append(tried(asked.seed, number))
        print(_row(trials[-1]), flush=True)
    print(json.dumps(figures(trials), indent=1))
    if asked.out:
        asked.out.write_text(json.dumps([asdict(one) for one in trials]))
    return 0


def _row(one: Trial) -> str:
    parts = [f"{one.number:4} {one.scheduler:<11} load {one.load:4.2f}"]
    for name in PERCENTS:
        shown = one.ranges[name]
        told = "cannot tell" if shown is None else f"{shown[0]:.3g} to {shown[1]:.3g}"
        parts.append(f"{name} {one.waits[name]:.3g} ({told}{'' if shown is None or one.holds(name) else ', missed'})")
    if one.growth:
        told = one.growth["in_a_minute"]
        rate = "cannot tell" if told is None else f"{told['low_s']:.3g} to {told['high_s']:.3g}"
        parts.append(
            f"{one.growth['of']} grows {one.rate:.3g} s/min ({rate}{'' if one.growth_is_right else ', missed'})"
        )
    return "; ".join(parts)


if __name__ == "__main__":
    sys.exit(main())
