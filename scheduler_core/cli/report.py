"""Format a run's summary as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.cli.text import PARTS, counter_words, number, percent, seconds, table

NONE_STARTED, NONE_COMPLETED = "none started", "none completed"
_RESOURCES = {"cpus": "CPUs", "memory_gb": "memory", "gpus": "GPUs"}
_COLUMNS = ("mean", "p50", "p90", "p99", "p99.9", "p99.99", "max")
_WAITS = ("mean", "p50", "p90", "p99", "max")


def report(summary: dict[str, Any]) -> str:
    """Write the summary as a page of aligned text."""
    tasks, jobs = summary["tasks"], summary["jobs"]
    head = [
        ["scheduler", summary["scheduler"]],
        ["seed", str(summary["seed"])],
        ["tasks", f"{tasks['completed']:,} of {tasks['total']:,} completed" + _not_done(tasks)],
        ["jobs", f"{jobs['completed']:,} of {jobs['total']:,} completed"],
        ["finished", summary.get("finished", "not recorded")],
        ["makespan", seconds(summary["makespan_s"])],
        ["lost work", seconds(summary["lost_work_s"])],
        *(
            [f"utilization, {_RESOURCES.get(name, name)}", percent(share)]
            for name, share in summary["utilisation"].items()
        ),
        ["fairness (Jain)", _fairness(summary["fairness"])],
        ["fairness by demand", _entitled(summary["fairness"])],
        *_running(summary),
        *_recorded(summary),
    ]
    blocks = [_list(head), table([["", *_COLUMNS], *_delays(summary)])]
    if work := summary.get("by_work_class"):
        blocks.append(work["definition"])
    if waits := summary.get("constraint_waits"):
        blocks.append(table([["waits by constraint", "tasks", *_WAITS], *map(_wait_row, waits["rows"])]))
    words = counter_words(summary["scheduler"])
    blocks.append(_list([[words.get(name, name), number(value)] for name, value in summary["counters"].items()]))
    blocks.append(_list(_performance(summary)))
    return "\n\n".join(blocks)


def _list(rows: list[list[str]]) -> str:
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name.ljust(width)}  {value}" for name, value in rows)


def _not_done(tasks: dict[str, int]) -> str:
    rest = [f"{tasks[key]:,} {key}" for key in ("unfinished", "unschedulable", "dropped") if tasks.get(key)]
    return f" ({', '.join(rest)})" if rest else ""


def _running(summary: dict[str, Any]) -> Iterator[list[str]]:
    if found := summary.get("running"):
        if found["response_s"]["mean"] is None:
            yield ["run, wait, response", NONE_COMPLETED]
            return
        yield ["ideal / actual", f"{number(found['snp'])}, with waiting {number(found['snp_with_waiting'])}"]
        yield [
            "run, wait, response",
            ", ".join(seconds(found[f"{name}_s"]["mean"]) for name in ("run", "wait", "response")),
        ]
        if near := found.get("locality"):
            yield ["near data", ", ".join(f"{name.replace('_', ' ')} {percent(part)}" for name, part in near.items())]


def _recorded(summary: dict[str, Any]) -> Iterator[list[str]]:
    if (found := summary.get("recorded_starts")) and found["jobs"]:
        error = found["error_s"]
        yield [
            "recorded starts",
            f"off by {seconds(error['mean'])} on average, {seconds(error['p50'])} at the median; "
            f"{found['within_60_s']:,} of {found['jobs']:,} jobs within 60 s, "
            f"{found['earlier']:,} earlier, {found['later']:,} later",
        ]


def _wait_row(row: dict[str, Any]) -> list[str]:
    waits = [NONE_STARTED] if row["wait_s"]["mean"] is None else [seconds(row["wait_s"][name]) for name in _WAITS]
    return [row["constraint"] or "none", f"{row['tasks']:,}", *waits]


def _fairness(fairness: dict[str, Any]) -> str:
    parts = (f"{name} {number(fairness.get(f'jain_{name}'))}" for name in ("mean", "min", "max"))
    return f"{', '.join(parts)} over windows of {seconds(fairness.get('window_s'))}"


def _entitled(fairness: dict[str, Any]) -> str:
    if fairness.get("entitled_jain") is None:
        return "no queue asked for anything"
    share = percent(fairness["entitled_worst"])
    least = f"queue {fairness['entitled_worst_queue']} used least of what it could use, {share}"
    return f"Jain {number(fairness['entitled_jain'])}; {least}"


def _delays(summary: dict[str, Any]) -> Iterator[list[str]]:
    yield _row("queueing delay", summary["allocation_delay_s"], NONE_STARTED)
    for name, values in summary["delay_components_s"].items():
        yield _row(f"  {PARTS[name]}", values, NONE_STARTED)
    yield _row("job completion", summary["job_completion_s"])
    yield _row("job delay", summary["job_delay_s"])
    work = summary.get("by_work_class") or {}
    for name in (each for each in ("short", "long") if work and work[each]["jobs"]):
        values = work[name]
        yield _row(f"  {name} jobs of the work: queueing", values["allocation_delay_s"], NONE_STARTED)
        yield _row(f"  {name} jobs of the work: completion", values["job_completion_s"])
        yield _row(f"  {name} jobs of the work: delay", values["job_delay_s"])
    for name, values in (summary.get("by_class") or {}).items():
        yield _row(f"  {name}: completion", values["job_completion_s"])
        yield _row(f"  {name}: delay", values["job_delay_s"])


def _row(name: str, values: dict[str, float | None], none: str = NONE_COMPLETED) -> list[str]:
    if values.get("mean") is None:
        return [name, none]
    return [name, *(seconds(values[column]) if column in values else "" for column in _COLUMNS)]


def _performance(summary: dict[str, Any]) -> list[list[str]]:
    speed = summary["performance"]
    return [
        ["simulated in", _speed(speed)],
        ["whole run", _whole(speed)],
        ["compiled in", seconds(speed["compile_s"])],
        ["memory", f"{number(speed['peak_rss_mb'])} MB"],
        ["experiment", summary["experiment_digest"]],
        ["outcome", summary["outcome_digest"]],
    ]


def _whole(speed: dict[str, float]) -> str:
    parts = [f"{name} {seconds(speed[f'{name}_s'])}" for name in ("prepare", "simulate", "measure", "write")]
    return f"{number(speed['whole_tasks_per_s'])} tasks/s ({', '.join(parts)})"


def _speed(speed: dict[str, float]) -> str:
    return (
        f"{seconds(speed['wall_s'])} ({number(speed['tasks_per_s'])} tasks/s, {number(speed['events_per_s'])} events/s)"
    )
