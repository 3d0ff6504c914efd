"""A run as a Jupyter notebook (nbformat 4.5) that repeats it with the library alone."""

from __future__ import annotations

import json
from typing import Any

from playground.ground.simulator import stored_experiment
from playground.models import Run, RunState

_BEGIN = """\
# Once: pip install scheduler-playground (or `make setup` in a checkout, and its .venv as the kernel)
import json

from scheduler_core import Experiment, explain, simulate, stream

experiment = Experiment.parse(json.loads(r'''
{experiment}
'''))"""
_RUN = """\
result = simulate(experiment{resolve})
waits = result.summary["allocation_delay_s"]
for name in ("mean", "p50", "p90", "p99", "p99.9"):
    wait = "none started" if waits[name] is None else f"{{waits[name]:12.6g}} s until a task starts"
    print(f"{{name:>6}} {{wait}}")"""
_SAME = """\
# The same experiment, seed and version give the same outcome, wherever they run.
expected = "{digest}"
found = result.summary["outcome_digest"]
print("the very same run" if found == expected else f"another version of the library: {{found}}, not {{expected}}")"""
_TABLE = """\
tasks = result.tasks.to_pandas()
tasks["wait_s"] = (tasks.first_start_ns - tasks.arrival_ns) / 1e9
tasks.wait_s.describe(percentiles=[0.5, 0.9, 0.99])"""
_PICTURE = """\
# Share of tasks that have started within a time (pip install matplotlib, if it is not there).
try:
    import matplotlib.pyplot as plt
except ImportError:
    print(tasks.wait_s.sort_values().iloc[:: max(1, len(tasks) // 10)].to_string(index=False))
else:
    plt.ecdf(tasks.wait_s.clip(lower=1e-6))
    plt.xscale("log")
    plt.xlabel("wait (s)")
    plt.ylabel("share of tasks");"""
_WHY = """\
slowest = int(tasks.wait_s.idxmax())
for decision in explain(experiment, slowest{resolve})["decisions"][:20]:
    print(decision)"""
_CHANGE = """\
# Change one thing: the same seed gives the same work, so what differs is the change.
question = experiment.to_dict()
question["seed"] += 1
again = simulate(Experiment.parse(question){resolve})
print(again.summary["allocation_delay_s"]["p99"], "s: p99 under another seed")"""
_TRACE = """\
# This experiment reads a trace, which is not in the notebook. Say where its file is.
from pathlib import Path

traces = Path({folder!r})


def find(trace_id):
    return traces / trace_id"""


def notebook_of(*, run: Run) -> dict[str, Any]:
    """Return a notebook as JSON types. A run that is done comes with the digest of its outcome, to be held against."""
    core = stored_experiment(run.experiment, seed=run.seed)
    data = core.to_dict()
    trace = data["workload"].get("trace")
    resolve = ", resolve_trace=find" if trace else ""
    title = core.name or "Experiment"
    cells = [
        _text(f"# {title}\n\n{core.question}\n\nRun {run.public_id} of the Scheduler Playground, repeated."),
        _code(_BEGIN.format(experiment=_quoted(data))),
    ]
    if trace:
        cells.append(_code(_TRACE.format(folder="fixtures/traces")))
    cells += [_text("## The run"), _code(_RUN.format(resolve=resolve))]
    if run.state == RunState.DONE and run.outcome_digest:
        cells.append(_code(_SAME.format(digest=run.outcome_digest)))
    cells += [
        _text("## Where the waiting comes from"),
        _code(_TABLE),
        _code(_PICTURE),
        _text("## Why the slowest task waited"),
        _code(_WHY.format(resolve=resolve)),
        _text("## What if"),
        _code(_CHANGE.format(resolve=resolve)),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "cells": cells,
    }


def _quoted(data: dict[str, Any]) -> str:
    """Write JSON that stands in a raw string of three quotes, whatever names it holds."""
    return json.dumps(data, indent=1).replace("'", "\\u0027")


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def _code(source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }
