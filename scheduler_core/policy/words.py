"""The words of a policy: what a line can read about tasks, jobs, queues, machines and the run.

One table serves the reader of policies, the kernel, the editor's completion and the documentation. A `fixed` word never
changes during a run; the kernel reads it from a column. All other words have a branch in the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Object = Literal["task", "job", "queue", "machine", "rack", "cluster", "victim", "now"]
Known = Literal["yes", "oracle"]

OBJECTS: dict[Object, str] = {
    "task": "the task that waits for a machine",
    "job": "the job of that task; where a rule preempts, the job of the running task",
    "queue": "the queue of that job",
    "machine": "the machine that is looked at",
    "rack": "the rack of that machine",
    "cluster": "all machines together",
    "victim": "a running task that could be preempted",
    "now": "the time",
}


@dataclass(frozen=True)
class Word:
    """A word: its object and name, the unit of its value, its meaning, and whether a real scheduler could know it.

    `number` is the kernel's code of the word. `fixed` says that its value never changes during a run.
    """

    number: int
    of: Object
    name: str
    unit: str
    meaning: str
    fixed: bool = False
    known: Known = "yes"

    @property
    def text(self) -> str:
        """The word as it stands in a policy."""
        return f"{self.of}.{self.name}" if self.name else self.of


def _words() -> tuple[Word, ...]:
    fixed: bool = True
    oracle: Known = "oracle"
    rows: list[tuple[Object, str, str, str, bool, Known]] = [
        ("task", "cpus", "CPUs", "CPUs that the task needs", fixed, "yes"),
        ("task", "memory_gb", "GB", "Memory that the task needs", fixed, "yes"),
        ("task", "gpus", "GPUs", "GPUs that the task needs", fixed, "yes"),
        ("task", "dominant_share", "1", "Largest part of all of any resource that the task needs", fixed, "yes"),
        ("task", "constraints", "constraints", "Number of constraints that the task asks for", fixed, "yes"),
        ("task", "priority", "", "Priority of the task; 0 if the experiment has none", fixed, "yes"),
        ("task", "number", "", "Place of the task in its job, from 0", fixed, "yes"),
        ("task", "arrival_s", "s", "Time at which the task's job arrived", fixed, "yes"),
        ("task", "estimate_s", "s", "Estimated run time: the job's mean with the parameters' error", fixed, "yes"),
        ("task", "duration_s", "s", "Run time of the task where nothing slows it down", fixed, oracle),
        ("task", "wait_s", "s", "Time since the task's job arrived", False, "yes"),
        ("task", "over_share", "1", "How far the task's queue is above its share", False, "yes"),
        ("task", "preemptions", "times", "How often the task lost its machine", False, "yes"),
        ("job", "number", "", "Place of the job in the order of arrival, from 0", fixed, "yes"),
        ("job", "tasks", "tasks", "Tasks of the job", fixed, "yes"),
        ("job", "arrival_s", "s", "Time at which the job arrived", fixed, "yes"),
        ("job", "mean_s", "s", "Mean run time of the job's tasks", fixed, oracle),
        ("job", "work_s", "s", "Run times of all tasks of the job together", fixed, oracle),
        ("job", "tasks_left", "tasks", "Tasks of the job that have not ended", False, "yes"),
        ("job", "tasks_running", "tasks", "Tasks of the job that run now", False, "yes"),
        ("job", "tasks_waiting", "tasks", "Tasks of the job that wait now", False, "yes"),
        ("job", "longest_s", "s", "Run time of the job's longest task", fixed, oracle),
        ("job", "work_left", "s", "Dominant share times run time of the tasks that have not ended", False, oracle),
        ("job", "dominant_share", "1", "Largest part of any resource that the job's running tasks hold", False, "yes"),
        ("queue", "number", "", "Place of the queue in the experiment, from 0", fixed, "yes"),
        ("queue", "share", "1", "Share of the queue, as part of all shares", False, "yes"),
        ("queue", "used_share", "1", "Largest part of any resource that the queue's running tasks hold", False, "yes"),
        ("queue", "over_share", "1", "share in use minus share: above 0 if the queue holds too much", False, "yes"),
        ("queue", "tasks_running", "tasks", "Tasks of the queue that run now", False, "yes"),
        ("queue", "tasks_waiting", "tasks", "Tasks of the queue that wait now", False, "yes"),
        ("machine", "number", "", "Number of the machine, from 0", fixed, "yes"),
        ("machine", "cpus", "CPUs", "CPUs of the machine", fixed, "yes"),
        ("machine", "memory_gb", "GB", "Memory of the machine", fixed, "yes"),
        ("machine", "gpus", "GPUs", "GPUs of the machine", fixed, "yes"),
        ("machine", "constraints", "constraints", "Number of constraints that the machine offers", fixed, "yes"),
        ("machine", "free_cpus", "CPUs", "CPUs that are free on the machine", False, "yes"),
        ("machine", "free_memory_gb", "GB", "Memory that is free on the machine", False, "yes"),
        ("machine", "free_gpus", "GPUs", "GPUs that are free on the machine", False, "yes"),
        ("machine", "used", "1", "Largest used part of any resource of the machine", False, "yes"),
        ("machine", "tasks", "tasks", "Tasks that run on the machine", False, "yes"),
        ("machine", "waiting", "tasks", "Tasks that wait at the machine", False, "yes"),
        ("machine", "left_mean", "1", "Free part of its resources with the task on it, on average", False, "yes"),
        ("machine", "left_least", "1", "Free part of its scarcest resource with the task on it", False, "yes"),
        ("machine", "left_spread", "1", "How uneven these parts are: their standard deviation", False, "yes"),
        ("machine", "alignment", "1", "Sum of demand times free amount, in parts of the largest machine", False, "yes"),
        ("machine", "same_job", "tasks", "Tasks of the same job that run on the machine", False, "yes"),
        ("machine", "has_data", "0 or 1", "1 if the machine has the task's data", False, "yes"),
        ("rack", "number", "", "Number of the rack, from 0", fixed, "yes"),
        ("rack", "machines", "machines", "Machines of the rack", fixed, "yes"),
        ("rack", "tasks", "tasks", "Tasks that run in the rack", False, "yes"),
        ("rack", "has_data", "0 or 1", "1 if a machine of the rack has the task's data", False, "yes"),
        ("cluster", "machines", "machines", "Machines of the experiment", fixed, "yes"),
        ("cluster", "cpus", "CPUs", "CPUs of all machines", fixed, "yes"),
        ("cluster", "memory_gb", "GB", "Memory of all machines", fixed, "yes"),
        ("cluster", "gpus", "GPUs", "GPUs of all machines", fixed, "yes"),
        ("cluster", "used_cpus", "CPUs", "CPUs that running tasks hold", False, "yes"),
        ("cluster", "tasks_running", "tasks", "Tasks that run now", False, "yes"),
        ("cluster", "tasks_waiting", "tasks", "Tasks that wait now", False, "yes"),
        ("victim", "cpus", "CPUs", "CPUs that the running task holds", fixed, "yes"),
        ("victim", "memory_gb", "GB", "Memory that the running task holds", fixed, "yes"),
        ("victim", "gpus", "GPUs", "GPUs that the running task holds", fixed, "yes"),
        ("victim", "priority", "", "Priority of the running task", fixed, "yes"),
        ("victim", "estimate_s", "s", "Estimated run time of the running task", fixed, "yes"),
        ("victim", "duration_s", "s", "Run time of the running task where nothing slows it down", fixed, oracle),
        ("victim", "ran_s", "s", "How long the running task has run", False, "yes"),
        ("victim", "left_s", "s", "How long the running task will still run", False, oracle),
        ("victim", "preemptions", "times", "How often the running task lost its machine before", False, "yes"),
        ("now", "", "s", "Simulated time since the beginning of the run", False, "yes"),
    ]  # fmt: skip
    return tuple(Word(number, *row) for number, row in enumerate(rows))


WORDS: tuple[Word, ...] = _words()
BY_TEXT: dict[str, Word] = {word.text: word for word in WORDS}
ALIASES = {"same_job_here": "machine.same_job"}
"""Plain names that stand for a word."""


@dataclass(frozen=True)
class Function:
    """A function of the language: its name, the fewest and most arguments, and what it gives."""

    name: str
    least: int
    most: int
    meaning: str


FUNCTIONS: tuple[Function, ...] = (
    Function("min", 2, 8, "the smallest of its arguments"),
    Function("max", 2, 8, "the largest of its arguments"),
    Function("abs", 1, 1, "the argument without its sign"),
    Function("sqrt", 1, 1, "the square root; no value below 0"),
    Function("log", 1, 1, "the natural logarithm; no value at 0 and below"),
    Function("exp", 1, 1, "e to the power of the argument"),
    Function("floor", 1, 1, "the next whole number below"),
    Function("ceil", 1, 1, "the next whole number above"),
    Function("clip", 3, 3, "clip(x, low, high): x, but at least low and at most high"),
    Function("random", 0, 0, "a number between 0 and 1, the same for the same seed, task and machine"),
)
FOLDS: dict[str, str] = {
    "count": "how many machines: count(m for m in rack if m.free_cpus > 0)",
    "sum": "the sum over machines: sum(m.tasks for m in rack)",
    "mean": "the mean over machines; no value for no machine",
    "min": "the smallest value over machines; no value for no machine",
    "max": "the largest value over machines; no value for no machine",
}
FOLDED = ("rack", "cluster")
"""What a fold goes over: the machines in service of the machine's rack, or all of them."""


@dataclass(frozen=True)
class Hook:
    """A question that a policy answers: its name, its objects, and what its value means."""

    name: str
    objects: tuple[Object, ...]
    meaning: str


_PLACE: tuple[Object, ...] = ("task", "job", "queue", "machine", "rack", "cluster", "now")
HOOKS: tuple[Hook, ...] = (
    Hook(
        "order",
        ("task", "job", "queue", "cluster", "now"),
        "Waiting tasks go in this order, the smallest value first. Without it: in the order of arrival.",
    ),
    Hook("filter", _PLACE, "A machine that gives 0 is not used, although it has room and offers the constraints."),
    Hook("score", _PLACE, "The machine with the largest value gets the task. Without it: the first machine with room."),
    Hook("preempt", (*_PLACE, "victim"), "A running task that gives 1 may be preempted for a task that finds no room."),
    Hook("victim", (*_PLACE, "victim"), "Of these, the ones with the smallest values are preempted first."),
)
HOOK_NAMES = tuple(hook.name for hook in HOOKS)
