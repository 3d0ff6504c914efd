"""Make scheduler_core/engine/compile_figures.json: what compiling takes, by kernel, and which kernels a run needs.

    python -m bench.compile_figures            about five minutes: every kernel is compiled, into a cache of its own

The figures tell how far compiling is on a machine that has compiled nothing yet.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

_USED = """
import gc, json, sys
from numba.core.dispatcher import Dispatcher
from scheduler_core import Experiment, Simulation, leave_marks
from scheduler_core.engine.compile_progress import kernel_name
leave_marks()
simulation = Simulation(Experiment.parse(json.loads(sys.argv[1])), frames=2)
for _ in simulation.run():
    pass
loaded = [each for each in gc.get_objects() if isinstance(each, Dispatcher)]
print(json.dumps(sorted({kernel_name(each.py_func) for each in loaded if each.stats.cache_hits})))
"""


def main() -> None:
    """Compile, run each scheduler once with what was compiled, and write the file."""
    from scheduler_core import SCHEDULERS
    from scheduler_core.engine.compile_progress import learned_figures, write_shipped

    with tempfile.TemporaryDirectory(prefix="compile-figures-") as cache:
        os.environ |= {"SCHEDULER_CORE_CACHE": cache, "SCHEDULER_CORE_COMPILE_FIRST": "1"}
        used = {}
        for spec in SCHEDULERS:
            for _ in range(2):  # compiled at first, loaded then
                command = [sys.executable, "-c", _USED, json.dumps(_experiment(spec.name, dict(spec.anywhere)))]
                told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            used[spec.name] = json.loads(told)
            print(spec.name, len(used[spec.name]), flush=True)
        figures = learned_figures()
    # What was only compiled within another kernel has no figures of its own.
    used = {name: [kernel for kernel in kernels if kernel in figures] for name, kernels in used.items()}
    needed = {kernel for kernels in used.values() for kernel in kernels}
    write_shipped({name: each for name, each in figures.items() if name in needed}, used)


def _experiment(scheduler: str, params: dict[str, object]) -> dict[str, object]:
    work = {
        "kind": "synthetic",
        "jobs": 50,
        "arrivals": {"kind": "poisson", "offered_load": 0.5},
        "duration_s": {"kind": "lognormal", "median": 1, "sigma": 1},
    }
    clusters = [{"name": "c", "machines": [{"count": 4, "cpus": 1}]}]
    return {
        "schema_version": 1,
        "topology": {"global_masters": 2, "clusters": clusters},
        "workload": work,
        "scheduler": {"name": scheduler, "params": params},
    }


if __name__ == "__main__":
    main()
