"""Search for costs that give Figures 3, 7, 8 and 9 of Megha's paper together: `python -m tests.core.megha_costs`.

It writes `data/megha_costs.csv`: a row for each set of costs, with what came of it and which figures hold. One seed:
a row is no verdict. docs/development/agreement.md has verdicts over five seeds of the sets that the product names.
"""

from __future__ import annotations

import csv
import functools
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from scheduler_core import Experiment, simulate
from scheduler_core.claims import known_claims
from scheduler_core.claims.running import experiment_of
from scheduler_core.schedulers.federated.megha.shared.costs import COSTS

TARGET = Path(__file__).parent / "data" / "megha_costs.csv"
SIZES = (1_000, 5_000, 20_000, 50_000)
GLOBAL_MASTERS, LOCAL_MASTERS = (1, 2, 10, 20, 30), (2, 5, 10, 20)
Costs = dict[str, float]


def candidates() -> Iterator[Costs]:
    """Costs to try: those with a name; messages, reading, writing; constraint vectors; dearer matches and requests."""
    yield from COSTS.values()
    plain = COSTS["messages"]
    for message_us, send_ns, apply_ns in itertools.product((0, 1500, 5500, 9500), (50, 200, 1000), (10, 200, 400, 700)):
        yield plain | {"message_us": message_us, "send_ns": send_ns, "apply_ns": apply_ns}
    for match_us, send_ns, apply_ns, vector_ns in itertools.product(
        (20, 40), (50, 200), (200, 400), (50, 100, 200, 500)
    ):
        yield plain | {"match_us": match_us, "send_ns": send_ns, "apply_ns": apply_ns, "vector_ns": vector_ns}
    for match_us, request_us in ((10, 10), (100, 50), (40, 200), (200, 200)):
        yield plain | {"apply_ns": 200, "match_us": match_us, "request_us": request_us}


def made(claim: str, setup: str) -> Experiment:
    """Return an experiment of one of Megha's claims under seed 1."""
    return experiment_of(known_claims()[claim], setup, 1)


def summary(experiment: Experiment, costs: Costs) -> dict[str, Any]:
    """Return the summary of the experiment under these costs."""
    data = experiment.to_dict()
    data["scheduler"]["params"] |= costs
    return simulate(Experiment.parse(data)).summary


def median_ms(experiment: Experiment, costs: Costs) -> float:
    """Return the median allocation delay."""
    return round(1e3 * float(summary(experiment, costs)["allocation_delay_s"]["p50"]), 4)


@functools.cache
def sparrow() -> dict[str, float]:
    """Return Sparrow's allocation delay on the workload of Figures 3, 4 and 7."""
    found = simulate(made("megha-f3-4-tail", "sparrow")).summary
    return dict(found["allocation_delay_s"])


def tail(costs: Costs) -> dict[str, Any]:
    """Return Figures 3, 4 and 7: the delay beside Sparrow's, and its parts."""
    found = summary(made("megha-f3-4-tail", "tail"), costs)
    delay, parts = found["allocation_delay_s"], found["delay_components_s"]
    share = {name: parts[name]["p50"] / delay["p50"] for name in ("communication", "framework_queuing", "processing")}
    ratio = sparrow()["p99"] / delay["p99"]
    return {
        "p50_ms": round(1e3 * delay["p50"], 3),
        "p99_ms": round(1e3 * delay["p99"], 3),
        "max_s": round(delay["max"], 3),
        "p99_ratio": round(ratio, 1),
        **{f"{name}_percent": round(100 * part, 1) for name, part in share.items()},
        "f3": delay["p50"] > sparrow()["p50"] and delay["max"] < 1.5 and 30 <= ratio <= 300,
        "f7": share["communication"] >= 0.85
        and 0.03 <= share["framework_queuing"] <= 0.10
        and share["processing"] <= 0.05,
    }


def sizes(costs: Costs) -> dict[str, Any]:
    """Return Figure 8: the median grows with the number of machines."""
    medians = [median_ms(made("megha-f8-size", f"light{machines}"), costs) for machines in SIZES]
    ranks = np.argsort(np.argsort(medians))
    grows = len(set(medians)) > 1 and np.corrcoef(ranks, np.arange(len(medians)))[0, 1] >= 0.9
    return {"f8_ms": " ".join(map(str, medians)), "f8": bool(grows)}


def grids(costs: Costs) -> dict[str, Any]:
    """Return Figure 9: the median falls with Local and with Global Masters, and rises a little above ten of these."""

    def at(setup: str) -> float:
        return median_ms(made("megha-f9-gmlm", setup), costs)

    by_gm = [at("lm10" if masters == 10 else f"gm{masters}") for masters in GLOBAL_MASTERS]
    by_lm = [at(f"lm{clusters}") for clusters in LOCAL_MASTERS]
    falls = by_gm[0] > by_gm[2] and all(fewer > more for fewer, more in itertools.pairwise(by_lm))
    rises = by_gm[2] < by_gm[3] < by_gm[4] < 1.1 * by_gm[2]
    return {
        "f9_gm_ms": " ".join(map(str, by_gm)),
        "f9_lm_ms": " ".join(map(str, by_lm)),
        "f9_falls": falls,
        "f9_rises": rises,
    }


def main() -> int:
    """Run the search and write its table."""
    rows = []
    for costs in candidates():
        row = costs | tail(costs) | sizes(costs) | grids(costs)
        row["all"] = all(row[name] for name in ("f3", "f7", "f8", "f9_falls", "f9_rises"))
        rows.append(row)
        print(row, flush=True)
    with TARGET.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
