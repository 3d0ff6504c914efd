"""The experiment as data: one versioned, frozen object for URL, file, API, command line and Python."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, PrivateAttr, TypeAdapter, ValidationError

from scheduler_core.errors import ExperimentError, Problem, shown
from scheduler_core.experiment.checks import cross_problems
from scheduler_core.experiment.constraints import Constraints
from scheduler_core.experiment.fields import LARGEST_WHOLE, Number, Part, Seconds, Text, refuse
from scheduler_core.experiment.formerly import is_known_version
from scheduler_core.experiment.keeping import with_former_values
from scheduler_core.experiment.labels import labeled
from scheduler_core.experiment.places import with_changes
from scheduler_core.experiment.problems import from_pydantic
from scheduler_core.experiment.reading import as_object, read_json
from scheduler_core.experiment.renamed import with_former_scheduler
from scheduler_core.experiment.sections import (
    Event,
    ForkOf,
    Interference,
    Network,
    Queue,
    SchedulerChoice,
    Stop,
    Topology,
)
from scheduler_core.experiment.upgrade import upgrade
from scheduler_core.experiment.workloads import WorkloadChoice
from scheduler_core.known import registries
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.version import __version__

ResolveTrace = Callable[[str], Path]


def _version(value: object) -> object:
    # In Python True equals 1; in JSON they are two things.
    if isinstance(value, bool | str):
        what = "a text" if isinstance(value, str) else str(value).lower()
        raise refuse(f"is {what}, not a number", "1")
    return value


def _rules(value: str) -> str:
    if not is_known_version(value):
        raise refuse(
            f"is {shown(value)}, whose rules are not known here",
            f"a version up to {__version__}",
            "leave it out for today's rules, or open the experiment with a newer version",
        )
    return value


class Experiment(Part):
    """A datacenter, its workload, its scheduler, its planned faults, and when the run ends.

    Make one by `parse` or `from_file`: they alone check the parts against each other and the scheduler's parameters.
    """

    schema_version: Annotated[Literal[1], BeforeValidator(_version)]
    """Version of this format."""
    rules: Annotated[str, Text(32, 1), AfterValidator(_rules)] | None = None
    """The version, such as 0.1.0, whose defaults apply to all that this experiment leaves out. By default these are
    today's. Reading an experiment writes the defaults out; the digest covers them."""
    name: Annotated[str, Text(200)] = ""
    """A title; no part of the digest."""
    question: Annotated[str, Text(2_000)] = ""
    """What one wants to know; no part of the digest."""
    seed: Annotated[int, Number(0, LARGEST_WHOLE, whole=True)] = 1
    """Decides every random draw."""
    topology: Topology
    """The machines of the datacenter, their clusters and masters."""
    constraints: Constraints | None = None
    """Which properties machines have and tasks ask for; absent: none."""
    queues: tuple[Queue, ...] = ()
    """Queues with shares; none: one equal queue for each Global Master."""
    workload: WorkloadChoice
    """The workload."""
    network: Network = Network()
    """The time that a message takes."""
    interference: Interference | None = None
    """How tasks on one machine slow each other down; absent: not at all."""
    scheduler: SchedulerChoice
    """Who decides."""
    events: tuple[Event, ...] = ()
    """Faults, drains and changes."""
    stop: Stop = Stop()
    """When the run ends."""
    warmup_s: Seconds = 0.0
    """Jobs that arrive before this are simulated but left out of the metrics."""
    fork_of: ForkOf | None = None
    """The experiment and time that this one was forked from."""

    _base_dir: Path | None = PrivateAttr(default=None)

    @classmethod
    def parse(
        cls, data: dict[str, Any] | str | bytes, *, base_dir: Path | None = None, limits: Limits = DEFAULT_LIMITS
    ) -> Experiment:
        """Return the experiment in `data` with defaults expanded. Raises ExperimentError with every problem at once.

        It upgrades `data` in an earlier format first, and writes out the values of earlier `rules`.
        """
        raw = read_json(data, limits) if isinstance(data, str | bytes) else as_object(data, limits)
        raw = with_former_scheduler(upgrade(raw))
        if isinstance(stated := raw.get("rules"), str) and is_known_version(stated):
            raw = with_former_values(cls, with_former_scheduler(raw, stated), stated)
        sections, problems = _sections(raw)
        crossed, params = cross_problems(sections, limits)
        problems += crossed
        if problems:
            raise ExperimentError(labeled(dict.fromkeys(problems), raw))
        name = sections["scheduler"].name
        scheduler = SchedulerChoice(name=name, params=params, plugin_sha256=registries().plugin_sha256(name))
        experiment = cls.model_construct(**(sections | {"scheduler": scheduler}))
        experiment._base_dir = Path(base_dir) if base_dir is not None else None
        return experiment

    @classmethod
    def from_file(cls, path: str | Path, *, limits: Limits = DEFAULT_LIMITS) -> Experiment:
        """Return the experiment in a JSON file; the path of a trace is relative to the file. Raises ExperimentError."""
        text = read_file(Path(path), limits)
        return cls.parse(text, base_dir=Path(path).parent, limits=limits)

    @property
    def base_dir(self) -> Path | None:
        """Folder that relative paths of traces start from."""
        return self._base_dir

    def to_dict(self) -> dict[str, Any]:
        """Return the experiment with defaults expanded, in JSON types only."""
        return self.model_dump(mode="json", exclude={"rules"})

    def with_(self, changes: Mapping[str, Any] | None = None, /, **sections: Any) -> Experiment:
        """Return the experiment with some values changed: by path, or whole sections by name. Raises ExperimentError.

        `experiment.with_({"scheduler.params.heartbeat_s": 60}, seed=2)`. A path has keys joined by dots, and numbers of
        list entries in brackets, such as `topology.clusters[0].machines[0].count`. The value "absent" removes a key.
        A name of a scheduler alone, `with_(scheduler="hawk")`, takes this scheduler with its defaults.
        """
        if isinstance(sections.get("scheduler"), str):
            sections["scheduler"] = {"name": sections["scheduler"]}
        try:
            data = with_changes(self.to_dict(), {**sections, **(changes or {})})
        except (LookupError, ValueError) as error:
            raise ExperimentError([Problem("", str(error), "a path of this experiment")]) from None
        return Experiment.parse(data, base_dir=self.base_dir)

    def digest(self, resolve_trace: ResolveTrace | None = None) -> str:
        """Return 64 hex characters, equal for two experiments with the same content; read the trace if there is one."""
        from scheduler_core.experiment.digest import experiment_digest

        return experiment_digest(self, resolve_trace)

    def __eq__(self, other: object) -> bool:
        """Compare the content, not the location of the file."""
        return isinstance(other, Experiment) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        """Agree with equality cheaply."""
        return hash((self.seed, self.name, self.scheduler.name))


def read_file(path: Path, limits: Limits) -> bytes:
    """Read an experiment's file, at most one byte past the limit. Raises ExperimentError."""
    try:
        if not path.is_file():
            raise FileNotFoundError(2, "is not a file" if path.exists() else "does not exist")
        with path.open("rb") as file:
            return file.read(limits.json_bytes + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ExperimentError([Problem(str(path), reason, "a JSON file that can be read")]) from None


@functools.cache
def _adapter(key: str) -> TypeAdapter[Any]:
    """Return the validator of one top-level key."""
    field = Experiment.model_fields[key]
    annotation: Any = Annotated[field.annotation, field]
    return TypeAdapter(annotation)


def _sections(raw: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Validate each top-level key separately, so that an error in one does not hide errors in another."""
    valid: dict[str, Any] = {}
    problems: list[Problem] = []
    try:
        whole = Experiment.model_validate(raw)
        return {key: getattr(whole, key) for key in Experiment.model_fields}, []
    except ValidationError as error:
        problems = from_pydantic(error, Experiment, raw)
    for key, field in Experiment.model_fields.items():
        if key not in raw:
            if not field.is_required():
                valid[key] = field.get_default(call_default_factory=True)
            continue
        try:
            valid[key] = _adapter(key).validate_python(raw[key])
        except ValidationError:
            continue
    return valid, problems


def schema() -> dict[str, Any]:
    """Return the JSON Schema of an experiment, including each scheduler's parameters."""
    described = Experiment.model_json_schema()
    described["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    described["title"] = "Experiment"
    models = registries().scheduler_params()
    choice = described["$defs"]["SchedulerChoice"]
    choice["properties"]["name"]["enum"] = list(models)
    choice["allOf"] = []
    for scheduler, model in models.items():
        params = model.model_json_schema(ref_template=f"#/$defs/{scheduler}-{{model}}")
        for name, inner in params.pop("$defs", {}).items():
            described["$defs"][f"{scheduler}-{name}"] = inner
        described["$defs"][f"params-{scheduler}"] = params
        choice["allOf"].append(
            {
                "if": {"properties": {"name": {"const": scheduler}}, "required": ["name"]},
                "then": {"properties": {"params": {"$ref": f"#/$defs/params-{scheduler}"}}},
            }
        )
    return described
