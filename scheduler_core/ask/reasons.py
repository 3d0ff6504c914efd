"""Why a machine must stay on: the templates of the answer's reasons, whose places programs for other languages know.

`{number}` is a number, `{name}` and `{measure}` are names, and `{decision}` is a sentence of the scheduler. The other
places hold one of `PARTS`.
"""

from __future__ import annotations

HAS_NO_END = "Task {number} runs here, has no end, and cannot be moved by this scheduler."
NO_OTHER = "No other machine that stays can run task {number}."
SEVERAL_BUDGETS = "Several disruption budgets guard task {number}, which runs here. Kubernetes evicts no such pod."
BUDGET = "Disruption budget {name} allows {evictions} at once: {pods} here."
BUDGET_WITH_OTHERS = (
    "Disruption budget {name} allows {evictions} at once: {pods} here, and {number} on machines that are off."
)
NOT_TRIED = "Not tried: the search tries one machine of each of the most frequent kinds."
MEASURE = "With one machine of this kind off as well, {measure} is {number}."
NEVER_START = "With one machine of this kind off as well, some tasks never start."
TASK_NEVER_STARTS = NEVER_START + " Task {number} starts nowhere else. {decision}"
REASONS = (
    HAS_NO_END, NO_OTHER, SEVERAL_BUDGETS, BUDGET, BUDGET_WITH_OTHERS, NOT_TRIED, MEASURE, NEVER_START,
    TASK_NEVER_STARTS,
)  # fmt: skip

_ONE_EVICTION, _EVICTIONS = "1 eviction", "{number} evictions"
_ONE_POD, _PODS = "1 of its pods runs", "{number} of its pods run"
PARTS = (_ONE_EVICTION, _EVICTIONS, _ONE_POD, _PODS)


def budget_reason(name: str, allowed: int, here: int, others: int) -> str:
    """Return why a disruption budget refuses: how many evictions it allows, and how many of its pods machines hold."""
    return (BUDGET_WITH_OTHERS if others else BUDGET).format(
        name=name,
        evictions=_ONE_EVICTION if allowed == 1 else _EVICTIONS.format(number=f"{allowed:,}"),
        pods=_ONE_POD if here == 1 else _PODS.format(number=f"{here:,}"),
        number=f"{others:,}",
    )
