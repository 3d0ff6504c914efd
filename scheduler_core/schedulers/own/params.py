"""Parameters of a user's own policy: its text, its settings, and what its schedulers know."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, Field

from scheduler_core.errors import Problem, shown
from scheduler_core.experiment.options import options
from scheduler_core.policy import POLICY_LIMITS, Policy, PolicyError, compile_policy
from scheduler_core.schedulers.shared.pacing import PaceParams
from scheduler_core.schedulers.shared.probing import EstimateParams

DEFAULT_POLICY = "score: machine.free_cpus"


class OwnParams(EstimateParams, PaceParams):
    """The parameters. Each parameter that the policy declares is one more, with the name of the setting."""

    model_config = ConfigDict(extra="allow")

    policy: str = Field(
        DEFAULT_POLICY,
        max_length=POLICY_LIMITS.bytes,
        title="Policy",
        description="The text of the policy: which waiting task is next, which machines it may use, and which of them "
        "it gets.",
        json_schema_extra={"role": "policy"},
    )
    schedulers: int = Field(
        1,
        ge=1,
        le=64,
        title="Schedulers",
        description="Number of schedulers with the same policy. They take the jobs in turn. More schedulers decide "
        "about more tasks at once.",
    )
    news: Literal["truth", "stale", "sample"] = Field(
        "truth",
        title="View of the machines",
        description="What a scheduler knows about machines when it decides.",
        json_schema_extra=options(
            {
                "truth": ("Truth", "The present state of all machines."),
                "stale": (
                    "Stale copy",
                    "A copy of all machines, renewed at every heartbeat, and its own starts since.",
                ),
                "sample": ("Sample", "The state of a few machines, drawn at random and asked for each task."),
            }
        ),
    )
    heartbeat_s: float = Field(
        10.0,
        ge=0.001,
        le=86_400,
        title="Heartbeat interval",
        description="Time between two renewals of a scheduler's copy. Longer intervals make the copy staler. Only for "
        "the stale copy.",
        json_schema_extra={"unit": "s"},
    )
    sample: int = Field(
        2,
        ge=1,
        le=64,
        title="Sampled machines",
        description="Number of machines that are asked for each task. More machines find better places and send more "
        "messages. Only for the sample.",
        json_schema_extra={"unit": "machines"},
    )
    wait_at: Literal["scheduler", "machine"] = Field(
        "scheduler",
        title="Place of waiting",
        description="Where a task waits that has no room.",
        json_schema_extra=options(
            {
                "scheduler": ("Scheduler", "Tasks wait at their scheduler until a machine has room."),
                "machine": (
                    "Machine",
                    "Each task goes to a machine at once and waits there, first come, first served.",
                ),
            }
        ),
    )
    overtake: bool = Field(
        True,
        title="Overtaking",
        description="Let tasks start before an earlier one that finds no machine. If off, the first task holds up all "
        "others.",
    )
    decision_us: float = Field(
        0.0,
        ge=0,
        le=60_000_000,
        title="Cost of a decision",
        description="Simulated time of a decision about one task. Larger values make more tasks queue for their "
        "scheduler.",
        json_schema_extra={"unit": "µs"},
    )
    tick_s: float = Field(
        1.0,
        ge=0.001,
        le=86_400,
        title="Time between looks",
        description="A policy that reads the time is asked again after this time while tasks wait. Shorter times "
        "follow "
        "the policy more closely and take more steps.",
        json_schema_extra={"unit": "s"},
    )
    preemption_limit: int = Field(
        10,
        ge=0,
        le=1000,
        title="Preemptions of a task",
        description="A task that was preempted this often is not preempted again. Larger values let a policy lose more "
        "work.",
    )
    step_limit: float = Field(
        20e9,
        ge=1,
        le=1e12,
        title="Steps of a run",
        description="Number of computed values after which the run continues without the policy: first come, first "
        "served, on the first machine with room. Larger values allow policies that cost more.",
    )

    fixed: ClassVar[frozenset[str]] = (
        EstimateParams.fixed
        | PaceParams.fixed
        | {
            "policy", "schedulers", "news", "heartbeat_s", "sample", "wait_at", "overtake", "tick_s",
            "preemption_limit", "step_limit", "estimate_error", "estimate_error_percent", "estimate_error_sigma",
        }
    )  # fmt: skip
    first: ClassVar[tuple[str, ...]] = ("policy", "schedulers", "news", "heartbeat_s", "sample", "wait_at")

    @classmethod
    def names(cls, given: Mapping[str, Any]) -> list[str]:
        """Return the fields and the settings of the given policy."""
        try:
            return [*cls.model_fields, *(setting.name for setting in policy_of(given).settings)]
        except PolicyError:
            # The policy's own problems are told; its settings are not known.
            return [*cls.model_fields, *given]

    @classmethod
    def completed(cls, given: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
        """Return the values with the policy's settings, and the problems of the policy and of the settings."""
        try:
            settings = policy_of(given).settings
        except PolicyError as error:
            return given, [one.problem("scheduler.params.policy") for one in error.problems]
        values, problems = dict(given), []
        for setting in settings:
            value = values.get(setting.name, setting.default)
            path, allowed = f"scheduler.params.{setting.name}", f"a number from {setting.low:g} to {setting.high:g}"
            if isinstance(value, bool) or not isinstance(value, int | float):
                problems.append(Problem(path, f"is {shown(value)}, not a number", allowed))
            elif not (math.isfinite(value) and setting.low <= value <= setting.high):
                problems.append(Problem(path, f"is {value:g}, which is out of bounds", allowed))
            else:
                values[setting.name] = float(value)
        return values, problems


def policy_of(given: Mapping[str, Any]) -> Policy:
    """Return the policy of parameters by name. Raises PolicyError."""
    text = given.get("policy", DEFAULT_POLICY)
    return _compiled(text if isinstance(text, str) else "")


@functools.lru_cache(maxsize=64)
def _compiled(text: str) -> Policy:
    return compile_policy(text, RESERVED)


RESERVED: tuple[str, ...] = tuple(OwnParams.model_fields)
"""Names that no setting may have."""
