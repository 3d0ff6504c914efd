"""What no entry may change: how long messages and decisions take, and what tasks do to each other.

Such parameters say how fast hardware and programs are. A scheduler that wins by them has won nothing.
"""

from __future__ import annotations

_WORLD = ("network", "workload", "interference", "constraints", "warmup_s", "stop")
#: Parameters of schedulers, by name. Costs in ns and µs, bandwidths, solvers' times, errors of estimates, and rules of
#: programs without costs.
_PARAMETERS = frozenset(
    {"profile", "costs", "message_us", "match_us", "scan_ns", "vector_ns", "request_us", "send_ns", "update_us"}
    | {"apply_ns", "standby_s", "decision_time", "decision_us", "filter_ns", "score_ns", "decision_s", "slots"}
    | {"job_s", "task_s", "service_job_s", "service_task_s", "manager_start_s", "solver", "solver_time", "speed"}
    | {"solver_limit", "cost_scale", "transfer_s", "b_latency_s", "rack_gb_s", "core_gb_s", "input_gb", "unsized_data"}
    | {"interference", "kinds", "rack_factor", "remote_factor"}
    | {"estimate_error", "estimate_error_percent", "estimate_error_sigma"}
)


def is_physics(path: str) -> bool:
    """Return whether a path of an experiment, or the name of a scheduler's parameter, is none of an entry's choices."""
    name = path.removeprefix("scheduler.params.")
    return name in _PARAMETERS or path.partition(".")[0].partition("[")[0] in _WORLD
