"""The fourteen schedulers as runnable pipelines: the chosen policy for each stage, and the omissions.

The matrix says which stages a paper describes, not how. Policies here are from general knowledge of each system,
unverified, unless `basis` says `abstract`: read in its paper's abstract or a public page. What a run needs and the row
lacks is ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from scheduler_core.refarch.matrix import cell
from scheduler_core.refarch.policies import NONE, policies_of, stages_with_policies
from scheduler_core.refarch.systems import System, system_by_name

Standing = Literal["full", "partial", "none", "open"]

NEEDED = {
    "J2": "all",
    "T1": "finished",
    "T2": "ready",
    "T11": "restart",
    "R3": "constraints",
    "R4": "free_now",
    "R5": "first_fit",
}
"""Without these work would not run as it asks to: our choice where a row is silent."""


@dataclass(frozen=True)
class Preset:
    """A published scheduler as a pipeline. `policies` are by stage, `settings` further parameters.

    `notes` say of a stage what the policy stands for, or why its stage has none here. `instead` names schedulers of
    this project that do the same thing whole.
    """

    system: str
    about: str
    policies: Mapping[str, str]
    notes: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    basis: Literal["general knowledge", "abstract"] = "general knowledge"
    instead: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name to load it by."""
        return self.system.lower()

    def pipeline(self) -> dict[str, str]:
        """Return the policy of each stage that has a choice."""
        return {stage: self.policies.get(stage, NEEDED.get(stage, NONE)) for stage in stages_with_policies()}

    def params(self) -> dict[str, Any]:
        """Return the parameters of the scheduler `pipeline`."""
        return {stage.lower(): policy for stage, policy in self.pipeline().items()} | dict(self.settings)


@dataclass(frozen=True)
class StageOfPreset:
    """One stage of a preset: what the matrix says, which policy runs, whose choice that is, and a note."""

    stage: str
    standing: Standing
    candidates: str
    policy: str
    ours: bool
    note: str


_NOT_THERE = "There is no policy for this stage here."
_COPIES = "Our choice: stragglers are copied."
_ONE = "One scheduler: nodes below it would need M5, which the row lacks."
_POOL = "An elastic pool: set `r6`, `r7` and `r7_machines`, which depend on the datacenter."
_PROVIDER = "Needs a cluster that is a provider's; set `m1`, `b` and `provider` for one."

PRESETS: tuple[Preset, ...] = (
    Preset("Condor", "Matches descriptions of jobs and machines both ways and ranks them. Users take turns by "
        "priority, and a job leaves a machine that its owner wants back.",
           {"J5": "transfer", "J7": "clean_up", "T2": "priority", "T5": "start_up", "T6": "checkpoint",
            "T8": "clean_up", "T9": "stragglers", "T10": "priority", "T12": "drain", "R2": "own_clusters",
            "R3": "constraints", "R5": "score_mix"},
           {"T2": "Effective priority of a user is the share of a queue.",
            "T6": "Running jobs are saved from time to time, and continue from there.", "T9": _COPIES,
            "B": "Flocking to other pools. " + _PROVIDER, "M2": _ONE,
            "T12": "A drain stands for an owner's return.",
            "R3": "Requirements of the task about the machine.", "R2": "Requirements of the machine about the user.",
            "R5": "The rank is a score of the room that stays free."},
           {"j5_job_s": 1.0, "j7_s": 1.0, "t5_s": 1.0, "t6_s": 300.0, "t8_s": 1.0}),
    Preset("Mesos", "A master offers free resources to frameworks by dominant resource fairness. Each framework "
        "accepts what suits it.",
           {"J3": "drf", "T6": "period", "T8": "clean_up", "T10": "fairness", "R5": "first_fit"},
           {"J3": "The row has no J3; frameworks are queues, and whose turn it is follows DRF.",
            "R4": "An offer is what is free on a machine now.", "R5": "A framework takes the first offer that fits.",
            "T10": "Revocation of what a framework has beyond its share.", "R7": _POOL},
           {"t6_s": 10.0, "t8_s": 1.0}, instead=("drf", "wdrf")),
    Preset("Borg", "One queue from high to low priority. Feasible machines get scores, and tasks of low priority "
        "make room.",
           {"J2": "user_cap", "J3": "priority", "T1": "finished", "T2": "ready", "T6": "period", "T8": "clean_up",
            "T9": "stragglers", "T10": "priority", "T11": "restart", "T12": "drain", "R3": "constraints",
            "R4": "free_now", "R5": "score_mix"},
           {"J2": "Quota: a fixed number of jobs per user.", "R5": "A mixture of packing and spreading.",
            "T9": _COPIES, "R7": _POOL, "T3": "Scores all feasible machines; none is sampled.",
            "T12": "Machines that are drained for maintenance."},
           {"j2_jobs": 100, "t6_s": 10.0, "t8_s": 1.0}, instead=("borg-like",)),
    Preset("Fuxi", "Keeps demand by locality and sends only differences. A freed unit is assigned again at once, by "
        "priority. Machines that fail tasks are avoided.",
           {"J3": "priority", "J5": "transfer", "T1": "finished", "T5": "start_up", "T6": "period", "T10": "priority",
            "T11": "back_off", "R5": "first_fit"},
           {"T11": "A wait that doubles stands for the blacklist.",
            "R5": "Its abstract reports that 95 % of the CPUs and 91 % of the memory are in use. Not compared here.",
            "R7": _POOL},
           {"j5_job_s": 1.0, "t5_s": 1.0, "t6_s": 5.0, "t11_wait_s": 5.0}, basis="abstract"),
    Preset("Autopilot", "Places no batches of tasks. It rolls services out over machines, watches them, and repairs "
        "them in steps from doing nothing to replacing the machine.",
           {"T6": "period", "T10": "priority", "T11": "back_off", "R3": "constraints", "R5": "round_robin"},
           {"T11": "Each further repair takes twice as long: the ladder.", "R5": "Scale units are taken in turn."},
           {"t6_s": 60.0, "t11_wait_s": 60.0}),
    Preset("Sparrow", "Many schedulers without shared state: of two random nodes, the less loaded one gets the task.",
           {"T1": "finished", "T2": "fifo", "T6": "period", "M2": "hierarchy", "M5": "two_choices"},
           {"M3": "Clusters are the nodes; with clusters of one machine they are Sparrow's workers.",
            "M5": "Two probes for a task; without late binding.", "R5": "A node starts what it has room for."},
           {"t6_s": 10.0}, basis="abstract", instead=("sparrow",)),
    Preset("Pegasus", "Plans abstract workflows onto sites, moves their data in and out, and retries jobs.",
           {"J2": "flow_control", "J5": "transfer", "J7": "clean_up", "T1": "finished", "T2": "heft", "T5": "start_up",
            "T6": "period", "T8": "clean_up", "T11": "give_up", "R5": "random"},
           {"J2": "DAGMan releases a limited number of tasks at a time.", "T10": "No user precedes another, so the "
               "stage is left out.",
            "T11": "Retries of DAGMan.", "R5": "Site selection at random, the first of its policies.",
            "R6": _POOL},
           {"j5_job_s": 10.0, "j7_s": 1.0, "t5_s": 1.0, "t6_s": 5.0, "t8_s": 1.0, "t11_retries": 3, "j2_tasks": 1_000}),
    Preset("Quincy", "Places all tasks at once by a min-cost flow; stopping a task costs the work that it has done.",
           {"J5": "transfer", "T5": "start_up", "T6": "period", "T9": "stragglers",
            "T10": "fairness", "T12": "drain", "R5": "worst_fit"},
           {"R5": "One task after the other, where most is free; the flow itself is the scheduler `quincy`.",
            "T9": "Stragglers of a stage, as Dryad, whose tasks it places, copies them."},
           {"j5_job_s": 1.0, "t5_s": 1.0, "t6_s": 10.0}, instead=("quincy",)),
    Preset("ICENI", "A plugged-in scheduler maps components to resources by their performance data.",
           {"J3": "shortest", "J5": "transfer", "T1": "finished", "T6": "period", "T8": "clean_up",
            "R2": "own_clusters", "R3": "constraints", "R5": "random"},
           {"R5": "The simplest of its schedulers.", "J3": "Uses its repository of performance data."},
           {"j5_job_s": 1.0, "t6_s": 10.0, "t8_s": 1.0}),
    Preset("Firmament", "A flow network with an exchangeable policy; the default policy balances load.",
           {"T1": "finished", "T2": "fifo", "R2": "own_clusters", "R4": "free_now", "R5": "worst_fit"},
           {"R5": "Its load policy; flows are the schedulers of the family flow.",
            "M1": _PROVIDER, "M2": _ONE},
           basis="abstract", instead=("quincy",)),
    Preset("Apollo", "Each job has its own scheduler, which sends tasks to servers by their estimated completion "
        "times. Tokens guarantee a share.",
           {"J2": "flow_control", "J3": "fair", "J5": "transfer", "T1": "finished", "T2": "critical_path",
            "T6": "period", "T10": "fairness", "T11": "restart", "T12": "drain", "M2": "hierarchy", "M4": "by_load",
            "M5": "least_loaded", "R3": "constraints", "R4": "predicted", "R5": "earliest_finish"},
           {"J3": "Tokens are the shares of queues.", "B": _PROVIDER, "M1": _PROVIDER,
            "M5": "Clusters stand for servers; the wait that they publish is how loaded they are.",
            "R4": ("The machine with the shortest predicted wait is reserved for the waiting task.")},
           {"j2_tasks": 10_000, "j5_job_s": 1.0, "t6_s": 10.0, "m4_load": 1.0}, basis="abstract", instead=("apollo",)),
    Preset("Askalon", "HEFT: sorts tasks by upward rank and sends each to the machine that ends it first.",
           {"J5": "transfer", "J7": "clean_up", "T1": "finished", "T2": "heft", "R5": "earliest_finish"},
           {"T2": "Not recoverable from the table, but its name for scheduling is HEFT's.",
            "R5": "The row has no R5; the fastest of the machines that are free, without gaps.",
            "M2": _ONE},
           {"j5_job_s": 1.0, "j7_s": 1.0, "transfer_s": 1.0}),
    Preset("Triana", "A local engine hands groups of units to peers, in parallel or in a pipe. There is no central "
        "queue.",
           {"J5": "transfer", "T1": "finished", "T2": "fifo", "T5": "start_up", "T6": "period", "M2": "hierarchy",
            "M5": "round_robin", "R5": "first_fit"},
           {"M2": "Clusters are the peers.", "M5": "The row lacks M5, but a peer has to be chosen: in turn."},
           {"j5_job_s": 1.0, "t5_s": 1.0, "t6_s": 10.0}),
    Preset("Dryad", "A job manager starts vertices whose inputs are ready, near their data, and restarts those that "
        "fail.",
           {"J2": "all", "J3": "fifo", "T1": "finished", "T5": "start_up", "T6": "period", "T9": "stragglers",
            "T10": "priority", "T11": "restart", "M2": "hierarchy", "M4": "by_load", "M5": "least_loaded",
            "R3": "constraints", "R4": "free_now", "R5": "first_fit"},
           {"T9": "Vertices that run late are started again elsewhere.",
            "B": _PROVIDER, "M1": _PROVIDER, "M5": "Data locality is not modeled here."},
           {"t5_s": 1.0, "t6_s": 10.0, "m4_load": 1.0}),
)  # fmt: skip

_BY_NAME = {preset.name: preset for preset in PRESETS}


def preset_by_name(name: str) -> Preset:
    """Return one of the fourteen as a pipeline, by its system's name in any case; KeyError for another."""
    return _BY_NAME[name.lower()]


def stages_of(preset: Preset) -> Iterator[StageOfPreset]:
    """Yield what becomes of each of the 33 stages in a preset."""
    from scheduler_core.refarch.stages import ALWAYS, STAGES

    system: System = system_by_name(preset.system)
    pipeline = preset.pipeline()
    for stage in STAGES:
        one = cell(system, stage.id)
        words: dict[str, Standing] = {"#": "full", "~": "partial", ".": "none"}
        standing = words[one.candidates] if one.determined else "open"
        policy = pipeline.get(stage.id, "always" if stage.id in ALWAYS else NONE)
        note = preset.notes.get(stage.id, "")
        if not note and one.chosen != "." and not policies_of(stage.id) and stage.id not in ALWAYS:
            note = _PASSIVE.get(stage.id, _NOT_THERE)
        ours = policy not in (NONE, "always") and one.chosen == "."
        yield StageOfPreset(stage.id, standing, one.candidates, policy, ours, note)


_PASSIVE = {"M3": "All clusters are nodes.", "M6": "A message for each node that is asked."}
